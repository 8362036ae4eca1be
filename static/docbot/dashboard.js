/**
 * The dashboard: keeps the open tab in view, copies the new key, and reloads after a training.
 */

document.querySelector(".tabs [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  field.select(); // if the browser refuses, the owner can press Ctrl+C
  await navigator.clipboard.writeText(field.value);
  button.textContent = button.dataset.copied;
});

/** Reload the page when a training has ended, unless something was typed or chosen in it. */
const isTyped = (field) => (field.type === "file" ? field.files.length > 0 : field.value !== field.defaultValue);
document.addEventListener("trained", () => {
  if (![...document.querySelectorAll("input, textarea")].some(isTyped)) location.reload();
});
