/**
 * On a phone navigation, tabs and languages scroll sideways: bring the current one into view.
 */

for (const here of document.querySelectorAll(":is(.desk-nav, .tabs, .languages) [aria-current]")) {
  here.scrollIntoView({ block: "nearest", inline: "center" });
}
