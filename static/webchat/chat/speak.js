// The button that reads a reply aloud, and stops when pressed again.

let pressed = null;

function stop() {
  pressed?.setAttribute("aria-pressed", "false");
  pressed = null;
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-speak]");
  if (!button) return;
  const isNew = button !== pressed;
  stop();
  document.dispatchEvent(new Event("webchat:hush"));
  if (!isNew) return;
  pressed = button;
  button.setAttribute("aria-pressed", "true");
  button.closest("article").querySelector("[data-reply]").dispatchEvent(new Event("webchat:say", { bubbles: true }));
});

document.addEventListener("webchat:said", ({ target }) => pressed?.closest("article").contains(target) && stop());
document.documentElement.toggleAttribute("data-speaks", Boolean(window.speechSynthesis));
