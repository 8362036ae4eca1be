// Holding a letter shows its accents above it: slide to one, or release and tap it.

const board = document.querySelector("[data-keyboard]");
const bar = board.querySelector("[data-accent-bar]");

function show(key) {
  const template = key.cloneNode(false);
  template.removeAttribute("data-accents");
  template.removeAttribute("data-down");
  const buttons = [key.dataset.text, ...key.dataset.accents.split(" ")].map((text) => {
    const button = template.cloneNode(false);
    Object.assign(button.dataset, { text, does: "type", accent: "" });
    button.textContent = /^\p{M}/u.test(text) ? `◌${text}` : text;
    return button;
  });
  bar.replaceChildren(...buttons);
  bar.hidden = false;
  const at = key.getBoundingClientRect();
  const around = board.getBoundingClientRect();
  const left = Math.min(Math.max(at.left - around.left, 0), around.width - bar.offsetWidth);
  bar.style.left = `${left}px`;
  bar.style.bottom = `${around.bottom - at.top}px`;
}

board.addEventListener("keyboard:hold", (event) => {
  if (!event.target.dataset.accents) return;
  event.preventDefault();
  show(event.target);
});

const hide = () => (bar.hidden = true);
board.addEventListener("keyboard:press", hide);
addEventListener("pointerdown", ({ target }) => bar.contains(target) || hide());
addEventListener("pointermove", ({ clientX, clientY }) => {
  if (bar.hidden) return;
  const under = document.elementFromPoint(clientX, clientY);
  for (const each of bar.children) each.toggleAttribute("data-down", each === under);
});
