// "Edit and send again" puts the last message's text before the draft in the message box; it is sent as a new message.

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-edit]");
  if (!button) return;
  const box = document.getElementById("message");
  const text = button.closest("article").querySelector("[data-message]").textContent;
  box.value = [text, box.value].filter(Boolean).join("\n");
  box.dispatchEvent(new Event("input", { bubbles: true }));
  box.focus({ preventScroll: true });
  box.setSelectionRange(text.length, text.length);
});
