/**
 * The dashboard's own behaviour: the tab that is open is in sight, and a button copies the new key.
 */

document.querySelector(".tabs [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  field.select(); // if the browser refuses, Ctrl+C is all that is left to do
  await navigator.clipboard.writeText(field.value);
  button.textContent = button.dataset.copied;
});

/** The page is loaded anew when a training has ended, for what has changed in it, unless something is typed or chosen in it. */
const isTyped = (field) => (field.type === "file" ? field.files.length > 0 : field.value !== field.defaultValue);
document.addEventListener("trained", () => {
  if (![...document.querySelectorAll("input, textarea")].some(isTyped)) location.reload();
});
