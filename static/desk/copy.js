/**
 * A button copies the line beside it.
 */

for (const button of document.querySelectorAll("[data-copy]")) {
  const field = document.getElementById(button.dataset.copy);
  button.hidden = false;
  field.addEventListener("focus", () => field.select());
  button.addEventListener("click", async () => {
    field.select(); // if the browser refuses, Ctrl+C is all that is left to do
    await navigator.clipboard.writeText(field.value);
    button.textContent = button.dataset.copied;
  });
}
