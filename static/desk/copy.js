/**
 * A button copies the line beside it.
 */

for (const button of document.querySelectorAll("[data-copy]")) {
  const field = document.getElementById(button.dataset.copy);
  button.hidden = false;
  field.addEventListener("focus", () => field.select());
  button.addEventListener("click", async () => {
    field.select(); // if the browser refuses, the owner can press Ctrl+C
    await navigator.clipboard.writeText(field.value);
    button.textContent = button.dataset.copied;
  });
}
