// Marks the field that the keyboard types into: the last focused one, or the message box once that is gone.

const FIELD = "textarea, input[type=text]";

function mark(field) {
  document.querySelector("[data-written]")?.removeAttribute("data-written");
  field.dataset.written = "";
}

document.addEventListener("focusin", ({ target }) => target.matches(FIELD) && mark(target));
document.addEventListener("htmx:load", ({ target }) => {
  if (target.matches("form.handover") && !target.querySelector("[data-written]")) mark(target.querySelector(FIELD));
});
