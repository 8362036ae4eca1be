// Escape or a click elsewhere closes the passage that a source's chip shows.

const opened = () => document.querySelectorAll(".source[open]");

document.addEventListener("click", ({ target }) => opened().forEach((source) => (source.open = source.contains(target))));

document.addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  for (const source of opened()) {
    if (source.contains(document.activeElement)) source.querySelector("summary").focus();
    source.open = false;
  }
  document.querySelector(".source:hover")?.setAttribute("data-shut", ""); // until the pointer leaves it
});

document.addEventListener("pointerover", ({ target }) => {
  const shut = document.querySelector(".source[data-shut]");
  if (shut && !shut.contains(target)) shut.removeAttribute("data-shut");
});
