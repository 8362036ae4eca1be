/**
 * On a phone tabs and languages scroll sideways: bring the current one into view.
 */

for (const here of document.querySelectorAll(":is(.tabs, .languages) [aria-current]")) {
  here.scrollIntoView({ block: "nearest", inline: "center" });
}
