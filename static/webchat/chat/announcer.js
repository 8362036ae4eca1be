// Tells screen readers what happens, each thing once; the transcript itself stays silent.

const log = document.querySelector("[data-announcer]");
const states = document.querySelector("[data-states]");
const BEGUN = "webchat begun";
let clearing;

/** @param {HTMLElement} reply its text as one would read it out, line after line */
const flat = (reply) => reply.innerText.trim().replace(/\n{2,}/g, "\n").replaceAll("\t", ", ");

/** @param {string} words */
function say(words) {
  const said = document.createElement("p");
  said.setAttribute("aria-atomic", "true");
  said.textContent = words;
  log.append(said);
  clearTimeout(clearing);
  clearing = setTimeout(() => log.replaceChildren(), 1000);
}

/** The same words again are no news: a waiting line that was fetched anew changes nothing. */
function state(words) {
  if (states.textContent !== words) states.textContent = words;
}

document.addEventListener("htmx:beforeSend", ({ detail }) => {
  if (detail.requestConfig.path.endsWith("/messages")) state(states.dataset.sending);
});

document.addEventListener("htmx:load", ({ target }) => {
  if (!target.matches("[data-turn]") || document.documentElement.hasAttribute("data-resuming")) return;
  state(target.querySelector("[data-waiting]") ? states.dataset.waitingFor : "");
  const notice = target.querySelector("[data-notice]");
  const reply = target.querySelector("[data-reply]");
  if (notice) say(notice.textContent);
  // In the next frame, which lays the page out anyhow, and before the reply's words are hidden to appear one by one.
  if (reply) requestAnimationFrame(() => say(`${log.dataset.said} ${flat(reply)}`));
});

document.addEventListener("htmx:afterRequest", () => {
  if (states.textContent === states.dataset.sending) state(""); // it wasn't taken, and an alert says why
});

document.addEventListener("webchat:copied", () => {
  state("");
  setTimeout(() => state(states.dataset.copied), 50); // emptied first: copied once more, it is said once more
});

addEventListener("offline", () => state(document.querySelector("[data-offline]").textContent));
addEventListener("online", () => {
  state(document.querySelector("[data-transcript] [data-waiting]") ? states.dataset.waitingFor : "");
});

/** Where storage is refused a new conversation is seen, but not said. */
function kept(use) {
  try {
    return use(sessionStorage);
  } catch {
    return null;
  }
}

document.addEventListener("submit", ({ target }) => {
  if (target.matches("[data-begin]")) kept((storage) => storage.setItem(BEGUN, "1"));
});
if (kept((storage) => storage.getItem(BEGUN))) {
  kept((storage) => storage.removeItem(BEGUN));
  document.getElementById("message").focus();
  setTimeout(() => state(states.dataset.begun), 300);
}
