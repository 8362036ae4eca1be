// Marks the field that is written in, which had the focus last; once it is gone, that is the message box again.

const FIELD = "textarea, input[type=text]";

function mark(field) {
  document.querySelector("[data-written]")?.removeAttribute("data-written");
  field.dataset.written = "";
}

document.addEventListener("focusin", ({ target }) => target.matches(FIELD) && mark(target));
document.addEventListener("htmx:load", ({ target }) => {
  if (target.matches("form.handover") && !target.querySelector("[data-written]")) mark(target.querySelector(FIELD));
});
