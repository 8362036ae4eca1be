// Reads a reply aloud in its own language, where the browser can; one at a time. Who presses what is told elsewhere.

const voices = window.speechSynthesis;

/** One part after the other: browsers break long ones off. @param {Element} reply */
function parts(reply) {
  const copy = reply.cloneNode(true);
  copy.querySelectorAll("[data-copy], [data-codes]").forEach((inner) => inner.remove()); // these are for the eye
  reply.after(copy); // innerText, with its line breaks, is known only of what is laid out
  const text = copy.innerText;
  copy.remove();
  return text.split(/\n+/).filter((part) => part.trim());
}

document.addEventListener("webchat:say", ({ target: reply }) => {
  voices.cancel();
  const said = parts(reply).map((part) => new SpeechSynthesisUtterance(part));
  for (const part of said) {
    part.lang = reply.closest("[lang]").lang;
    voices.speak(part);
  }
  const last = said.at(-1);
  if (last) last.onend = () => reply.dispatchEvent(new Event("webchat:said", { bubbles: true }));
});
document.addEventListener("webchat:hush", () => voices.cancel());
if (voices) addEventListener("pagehide", () => voices.cancel());
