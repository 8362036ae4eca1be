/**
* On a phone navigation and tabs scroll sideways: bring the current one into view.
 */

for (const here of document.querySelectorAll(":is(.desk-nav, .tabs) [aria-current]")) {
  here.scrollIntoView({ block: "nearest", inline: "center" });
}
