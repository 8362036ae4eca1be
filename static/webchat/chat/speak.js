// Reads a reply aloud, where the browser can; pressed once more the button stops it.

const voices = window.speechSynthesis;
let pressed = null;

/** One part after the other: browsers break long ones off. @param {Element} reply */
function words(reply) {
  const copy = reply.cloneNode(true);
  copy.querySelectorAll("[data-copy]").forEach((inner) => inner.remove());
  reply.after(copy); // innerText, with its line breaks, is known only of what is laid out
  const text = copy.innerText;
  copy.remove();
  return text.split(/\n+/).filter((part) => part.trim());
}

function stop() {
  voices.cancel();
  pressed?.setAttribute("aria-pressed", "false");
  pressed = null;
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-speak]");
  if (!button) return;
  const isNew = button !== pressed;
  stop();
  if (!isNew) return;
  pressed = button;
  button.setAttribute("aria-pressed", "true");
  const parts = words(button.closest("article").querySelector("[data-reply]")).map((part) => new SpeechSynthesisUtterance(part));
  for (const part of parts) {
    part.lang = document.documentElement.lang;
    voices.speak(part);
  }
  parts.at(-1).onend = () => pressed === button && stop();
});

if (voices) addEventListener("pagehide", stop);
document.documentElement.toggleAttribute("data-speaks", Boolean(voices));
