// Where the focus goes when a form brings something, and when "Talk to a person" vanishes while it has it.

// Not by `autofocus`, which no website lets a frame have.
document.addEventListener("htmx:load", ({ target }) => {
  (target.matches("[data-focus]") ? target : target.querySelector("[data-focus]"))?.focus();
});

// With a mouse there is a keyboard; a touch screen would open its own over the page.
const typesAtOnce = matchMedia("(hover: hover) and (pointer: fine)").matches;

document.addEventListener("htmx:beforeRequest", ({ target }) => {
  if (target.matches("[data-person]")) typesAtOnce ? document.getElementById("message").focus({ preventScroll: true }) : target.blur();
});
