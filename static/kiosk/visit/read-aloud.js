// Reads replies aloud on request, if the browser has a voice for the page's language.

const button = document.querySelector("[data-read-aloud]");
const voices = window.speechSynthesis;
let isOn = false;

const fits = ({ lang }) => lang.slice(0, 2).toLowerCase() === document.documentElement.lang.slice(0, 2);
const offer = () => (button.hidden = !voices.getVoices().some(fits));
const read = (reply) => reply.dispatchEvent(new Event("webchat:say", { bubbles: true }));

if (button && voices) {
  offer();
  voices.addEventListener?.("voiceschanged", offer);
  button.addEventListener("click", () => {
    isOn = !isOn;
    button.setAttribute("aria-pressed", String(isOn));
    const last = [...document.querySelectorAll("[data-transcript] [data-reply]")].at(-1);
    if (isOn && last) read(last);
    else document.dispatchEvent(new Event("webchat:hush"));
  });
  document.addEventListener("htmx:load", ({ target }) => {
    const reply = target.matches("[data-turn]") && target.querySelector("[data-reply]");
    if (isOn && reply) read(reply);
  });
}
