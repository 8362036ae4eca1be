/**
 * A button copies the line beside it.
 */

for (const button of document.querySelectorAll("[data-copy]")) {
  const field = document.getElementById(button.dataset.copy);
  button.hidden = false;
  field.addEventListener("focus", () => field.select());
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = button.dataset.copied;
    } catch {
      field.focus(); // the browser refuses, or the page came without HTTPS and has no clipboard
      button.textContent = button.dataset.refused;
    }
  });
}
