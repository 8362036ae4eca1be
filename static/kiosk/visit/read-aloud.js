// Reads replies aloud on request, if the browser has a voice for the page's language.

const button = document.querySelector("[data-read-aloud]");
const voices = window.speechSynthesis;
let isOn = false;

const fits = ({ lang }) => lang.slice(0, 2).toLowerCase() === document.documentElement.lang.slice(0, 2);
const offer = () => (button.hidden = !voices.getVoices().some(fits));

/** @param {Element} reply its codes are for the eye */
function words(reply) {
  const copy = reply.cloneNode(true);
  copy.querySelectorAll("[data-codes]").forEach((codes) => codes.remove());
  reply.after(copy); // innerText, with its line breaks, is known only of what is laid out
  const text = copy.innerText;
  copy.remove();
  return text.split(/\n+/).filter((part) => part.trim()); // one after the other: browsers break long ones off
}

function read(reply) {
  voices.cancel();
  for (const part of words(reply)) {
    const said = new SpeechSynthesisUtterance(part);
    said.lang = document.documentElement.lang;
    voices.speak(said);
  }
}

if (button && voices) {
  offer();
  voices.addEventListener?.("voiceschanged", offer);
  button.addEventListener("click", () => {
    isOn = !isOn;
    button.setAttribute("aria-pressed", String(isOn));
    const last = [...document.querySelectorAll("[data-transcript] [data-reply]")].at(-1);
    if (isOn && last) read(last);
    else voices.cancel();
  });
  document.addEventListener("htmx:load", ({ target }) => {
    const reply = target.matches("[data-turn]") && target.querySelector("[data-reply]");
    if (isOn && reply) read(reply);
  });
  addEventListener("pagehide", () => voices.cancel());
}
