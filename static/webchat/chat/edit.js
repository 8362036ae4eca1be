// "Edit and send again": the last message's words go into the message box, before what stands there. It is sent as a new one.

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
