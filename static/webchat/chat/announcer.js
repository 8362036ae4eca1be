// Announces everything to screen readers once; the transcript itself is not a live region.

const announcer = document.querySelector("[data-announcer]");
const states = document.querySelector("[data-states]");
const BEGUN = "webchat begun";
let clearing;

/** The text as one would read it aloud, line by line. @param {HTMLElement} reply */
const flat = (reply) => reply.innerText.trim().replace(/\n{2,}/g, "\n").replaceAll("\t", ", ");

/** @param {string} words */
function say(words) {
  const said = document.createElement("p");
  said.setAttribute("aria-atomic", "true");
  said.textContent = words;
  announcer.append(said);
  clearTimeout(clearing);
  clearing = setTimeout(() => announcer.replaceChildren(), 1000);
}

/** Set the status unless it is unchanged: a waiting line that is fetched again is not announced. */
function state(words) {
  if (states.textContent !== words) states.textContent = words;
}

document.addEventListener("htmx:beforeSend", ({ detail }) => {
  if (detail.requestConfig.path.includes("/send-file/")) state(states.dataset.sending);
  if (!detail.requestConfig.path.endsWith("/messages") || !detail.requestConfig.triggeringEvent) return; // sent again by itself
  state(states.dataset.sending);
  const leads = document.getElementById("leader")?.dataset.leader ?? "bot"; // "is answering" is announced for bots only
  if (leads === "bot") detail.xhr.upload.onload = () => state(states.dataset.waitingFor);
});

document.addEventListener("webchat:again", () => state(states.dataset.waitingFor));

document.addEventListener("htmx:load", ({ target }) => {
  if (!target.matches("[data-turn]") || document.documentElement.hasAttribute("data-resuming")) return;
  state(target.querySelector("[data-waiting]") ? states.dataset.waitingFor : (target.querySelector("[data-stopped] p")?.textContent ?? ""));
  const notice = target.querySelector("[data-notice]");
  const reply = target.querySelector("[data-reply]");
  const file = target.querySelector("[data-file]");
  if (file) say(file.dataset.file);
  if (notice) say(notice.textContent);
  // In the next frame, which computes the layout anyway.
  if (reply) requestAnimationFrame(() => say(`${announcer.dataset.said} ${flat(reply)}`));
});

// What a team member wrote is announced as theirs; joining and leaving are entries, too.
document.addEventListener("htmx:load", ({ target }) => {
  if (!target.matches("[data-entry]")) return;
  const [message, file] = ["[data-team-message]", "[data-file]"].map((part) => target.querySelector(part));
  requestAnimationFrame(() => {
    if (message) say(`${target.querySelector("h3 bdi").textContent}: ${flat(message)}`);
    if (file) say(file.dataset.file);
    // How long it usually takes stands elsewhere.
    const wait = target.dataset.kind === "queued" ? waiting() : "";
    if (!message && !file) say(`${flat(target)} ${wait}`.trim());
  });
});

/** What whoever waits in the queue reads above the message box. */
const waiting = () => document.querySelector("#leader[data-leader=queue] p")?.innerText.trim() ?? "";
let waited = waiting();
let typing = "";
document.addEventListener("htmx:oobAfterSwap", ({ detail }) => {
  if (detail.target?.id !== "leader") return;
  const before = waited;
  waited = waiting();
  if (before && waited && waited !== before) say(waited); // everyone is busy, or nobody is there any more
  const now = document.querySelector("#leader [data-typing]")?.textContent.trim() ?? "";
  if (now || states.textContent === typing) state(now);
  typing = now;
});

/** Clear the status after a refused or lost message; an alert says why. */
function clear() {
  const isAwaited = document.querySelector("[data-transcript] [data-waiting]");
  if (!isAwaited && [states.dataset.sending, states.dataset.waitingFor].includes(states.textContent)) state("");
}
document.addEventListener("htmx:afterRequest", clear);
document.addEventListener("webchat:returned", clear);

function sayAgain(words) {
  state("");
  setTimeout(() => state(words), 50); // the same words are announced again only after the region was empty
}
document.addEventListener("webchat:copied", ({ detail }) => sayAgain(detail));
document.addEventListener("webchat:held", () => sayAgain(document.querySelector("[data-composer]").dataset.waits));

addEventListener("offline", () => state(document.querySelector("[data-offline]").textContent));
addEventListener("online", () => {
  state(document.querySelector("[data-transcript] [data-waiting]") ? states.dataset.waitingFor : "");
});

/** Where storage is refused, a new conversation is not announced. */
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
