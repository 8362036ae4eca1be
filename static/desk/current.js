/**
 * On a phone the navigation and the tabs are rows that move sideways: the page that is open is in view.
 */

for (const here of document.querySelectorAll(":is(.desk-nav, .tabs) [aria-current]")) {
  here.scrollIntoView({ block: "nearest", inline: "center" });
}
