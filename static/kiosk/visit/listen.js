// Dictation, where the browser supports it: the text goes into the message box, to be corrected or sent.

const Recognition = window.SpeechRecognition ?? window.webkitSpeechRecognition;
const button = document.querySelector("[data-listen]");
const line = document.querySelector("[data-listening]");
let listening = null;

function say(words) {
  button.setAttribute("aria-pressed", String(listening !== null));
  line.textContent = words;
}

function start() {
  const box = document.getElementById("message");
  const before = box.value.trimEnd();
  listening = Object.assign(new Recognition(), { interimResults: true, lang: document.documentElement.lang });
  listening.onresult = ({ results }) => {
    const heard = [...results].map(([best]) => best.transcript).join("");
    box.value = before ? `${before} ${heard.trimStart()}` : heard;
    box.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText" }));
  };
  listening.onspeechstart = () => dispatchEvent(new Event("kiosk:active"));
  listening.onerror = ({ error }) => (line.dataset.error = error);
  listening.onend = () => {
    listening = null;
    const { error } = line.dataset;
    delete line.dataset.error;
    say(error && error !== "no-speech" && error !== "aborted" ? button.dataset.refused : "");
  };
  window.speechSynthesis?.cancel(); // or the microphone would pick it up
  listening.start();
  say(line.dataset.words);
}

if (button && Recognition) {
  button.hidden = false;
  button.addEventListener("click", () => (listening ? listening.stop() : start()));
  document.addEventListener("htmx:beforeSend", () => listening?.abort());
  addEventListener("pagehide", () => listening?.abort());
}
