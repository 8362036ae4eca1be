// Inside another site's frame: the session's token, and what the page around and the launcher say to each other.

const HEADER = "Webchat-Session";
const asked = new URLSearchParams(location.search);
const around = asked.get("origin"); // the launcher's own page; nobody else is told anything
const bot = location.pathname.split("/")[2];
const key = `webchat session ${bot} ${around}`;
const transcript = document.querySelector("[data-transcript]");
const resume = document.querySelector("[data-resume]");
const field = document.querySelector("[data-session]");
let token = field.value;

/** The frame's own storage is partitioned by the browser; where it is refused the token lasts as long as the page. */
function stored(value) {
  try {
    if (value === undefined) return localStorage.getItem(key);
    localStorage.setItem(key, value);
  } catch {
    // refused
  }
  return null;
}

/** Forms that are sent without htmx carry it as a field. */
function fill() {
  for (const each of document.querySelectorAll("[data-session]")) each.value = token;
}

/** @param {string} type of what happened; never what was written */
function tell(type, more = {}) {
  if (around && parent !== window) parent.postMessage({ webchat: bot, type, ...more }, around);
}

document.addEventListener("htmx:configRequest", ({ detail }) => (detail.headers[HEADER] = token));
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  const fresh = detail.xhr.getResponseHeader(HEADER);
  if (!fresh) return;
  token = fresh;
  stored(token);
  fill();
});

document.addEventListener("htmx:load", ({ target }) => {
  fill();
  if (!target.matches("[data-turn]") || document.documentElement.hasAttribute("data-resuming")) return;
  const alert = target.querySelector("[data-alert]");
  if (alert) tell("error", { code: alert.dataset.code });
  else tell(target.querySelector("[data-reply]") ? "reply" : "message");
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !document.querySelector("dialog[open], details[open]")) tell("close");
});
document.addEventListener("click", ({ target }) => target.closest("[data-close]") && tell("close"));

addEventListener("message", ({ source, origin, data }) => {
  if (source !== parent || origin !== around || data?.webchat !== bot) return;
  const box = document.getElementById("message");
  if (data.type === "focus") box.focus();
  if (data.type === "new" && transcript.querySelector("[data-turn]")) document.querySelector("[data-begin]").requestSubmit();
  if (data.type === "send" && typeof data.text === "string") {
    box.value = data.text;
    box.dispatchEvent(new Event("input", { bubbles: true }));
    box.form.requestSubmit();
  }
});

document.querySelector("[data-close]").hidden = !asked.has("closable");

const kept = transcript.querySelector("[data-turn]") ? null : stored();
if (kept) {
  token = kept;
  fill();
  document.documentElement.toggleAttribute("data-resuming", true);
  resume.addEventListener("htmx:afterRequest", () => {
    document.documentElement.toggleAttribute("data-resuming", false);
    document.dispatchEvent(new Event("webchat:resumed"));
    tell("ready");
  });
  // htmx has looked at the page by then.
  document.addEventListener("DOMContentLoaded", () => htmx.trigger(resume, "resume"));
} else {
  if (transcript.querySelector("[data-turn]")) stored(token); // a form was sent without htmx
  tell("ready");
}
