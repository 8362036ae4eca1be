// The passage that a source's chip shows: under the pointer, or pressed; Escape or a click elsewhere closes it.

const AIR = 20; // px, as in html's scroll-padding

const opened = () => document.querySelectorAll(".source[open]");
let pointed = null; // the source that the pointer has moved onto

/** Below the chips if there is too little room above them. */
function place(source) {
  const passage = source.querySelector(".passage");
  const chips = source.parentElement.parentElement.getBoundingClientRect();
  const room = chips.top - Math.max(document.querySelector(".top").getBoundingClientRect().bottom, 0) - AIR;
  passage.toggleAttribute("data-below", room < passage.offsetHeight && room < innerHeight - chips.bottom);
}

document.addEventListener("click", ({ target }) => opened().forEach((source) => (source.open = source.contains(target))));

document.addEventListener("toggle", ({ target }) => target.matches(".source[open]") && place(target), true);

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
  if (source === pointed || target.matches(".sources")) return; // on the way to its passage
  pointed?.removeAttribute("data-pointed");
  pointed = source;
  if (!source) return;
  source.setAttribute("data-pointed", "");
  place(source);
});
