/**
 * The dashboard's own behaviour: a button that copies the new key.
 */

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  field.select(); // if the browser refuses, Ctrl+C is all that is left to do
  await navigator.clipboard.writeText(field.value);
  button.textContent = button.dataset.copied;
});
