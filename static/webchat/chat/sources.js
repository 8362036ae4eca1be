// The passage that a source's chip shows: under the pointer, or pressed; Escape or a click elsewhere closes it.

const opened = () => document.querySelectorAll(".source[open]");
let pointed = null; // the source that the pointer has moved onto

document.addEventListener("click", ({ target }) => opened().forEach((source) => (source.open = source.contains(target))));

document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  for (const source of opened()) {
    if (source.contains(document.activeElement)) source.querySelector("summary").focus();
    source.open = false;
  }
  pointed?.removeAttribute("data-pointed"); // until the pointer has left it
});

// Not :hover alone: a chip that arrives, or is scrolled, under a pointer at rest would cover what is being read.
document.addEventListener("pointermove", ({ target }) => {
  const source = target.closest(".source");
  if (source === pointed) return;
  pointed?.removeAttribute("data-pointed");
  pointed = source;
  pointed?.setAttribute("data-pointed", "");
});
