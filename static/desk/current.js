/**
 * On a narrow screen tabs, languages and steps scroll sideways: bring the current one into view.
 */

for (const here of document.querySelectorAll(":is(.tabs, .languages, .steps) [aria-current]")) {
  here.scrollIntoView({ block: "nearest", inline: "center" });
}
