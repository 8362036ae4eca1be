// Tells screen readers what happens, each thing once; the transcript itself stays silent.

const log = document.querySelector("[data-announcer]");
const states = document.querySelector("[data-states]");
const BEGUN = "webchat begun";
let clearing;

/** @param {Element} reply its text as one would read it out, block after block */
function flat(reply) {
  const blocks = [...reply.querySelectorAll("p, li, h3, h4, h5, h6, pre, td, th")].filter(
    (block) => !block.querySelector("p, li, pre"),
  );
  return (blocks.length ? blocks : [reply]).map((block) => block.textContent.trim()).join("\n");
}

function say(reply) {
  const said = document.createElement("p");
  said.setAttribute("aria-atomic", "true");
  said.textContent = `${log.dataset.said} ${flat(reply)}`;
  log.append(said);
  clearTimeout(clearing);
  clearing = setTimeout(() => log.replaceChildren(), 1000);
}

const state = (words) => (states.textContent = words);

document.addEventListener("htmx:beforeSend", ({ detail }) => {
  if (detail.requestConfig.path.endsWith("/messages")) state(states.dataset.sending);
});

document.addEventListener("htmx:load", ({ target }) => {
  if (!target.matches("[data-turn]") || document.documentElement.hasAttribute("data-resuming")) return;
  const waiting = target.querySelector("[data-waiting]");
  state(waiting ? states.dataset.waitingFor : "");
  const reply = target.querySelector("[data-reply]");
  if (reply) say(reply);
});

document.addEventListener("webchat:copied", () => state(states.dataset.copied));

document.addEventListener("submit", ({ target }) => {
  if (target.matches("[data-begin]")) sessionStorage.setItem(BEGUN, "1");
});
if (sessionStorage.getItem(BEGUN)) {
  sessionStorage.removeItem(BEGUN);
  setTimeout(() => state(states.dataset.begun), 300);
}
