// Reads one reply at a time aloud in its own language, where the browser can.

const voices = window.speechSynthesis;

/** Split the reply into parts, because browsers cut off long ones. @param {Element} reply */
function parts(reply) {
  const copy = reply.cloneNode(true);
  copy.querySelectorAll("[data-copy], [data-codes]").forEach((inner) => inner.remove()); // not to be read aloud
  reply.after(copy); // innerText needs layout for its line breaks
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
