// Moves the focus to what a form's response brings, and on when "Talk to a person" or the way back disappears while focused.

// Not by `autofocus`, which frames may not use.
document.addEventListener("htmx:load", ({ target }) => {
  (target.matches("[data-focus]") ? target : target.querySelector("[data-focus]"))?.focus();
});

// Only with a mouse or a key: a touch screen would open its keyboard over the page.
const typesAtOnce = matchMedia("(hover: hover) and (pointer: fine)").matches;

document.addEventListener("htmx:beforeRequest", ({ target }) => {
  if (target.matches("[data-person], #leave-queue")) typesAtOnce || document.querySelector(":focus-visible") ? document.getElementById("message").focus({ preventScroll: true }) : target.blur();
});
