// Marks the field that is written in, which had the focus last; once it is gone, that is the message box again.

document.addEventListener("focusin", ({ target }) => {
  if (!target.matches("textarea, input[type=text]")) return;
  document.querySelector("[data-written]")?.removeAttribute("data-written");
  target.dataset.written = "";
});
