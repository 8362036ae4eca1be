/**
 * The dashboard: keeps the open tab in view, and reloads after a training.
 */

document.querySelector(".tabs [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });

/** Reload the page when a training has ended, unless something was typed or chosen in it. */
const isTyped = (field) => (field.type === "file" ? field.files.length > 0 : field.value !== field.defaultValue);
document.addEventListener("trained", () => {
  if (![...document.querySelectorAll("input, textarea")].some(isTyped)) location.reload();
});
