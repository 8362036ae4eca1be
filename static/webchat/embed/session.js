// Inside another site's frame: the session's token, and the messages between the chat and the launcher.

const HEADER = "Webchat-Session";
const LONGEST_WAIT = 3000; // ms, for the launcher to send what it has stored: its page may be busy
const LONGEST_IDENTIFYING = 8000; // ms, for the website to identify its visitor
const asked = new URLSearchParams(location.search);
const around = asked.get("origin"); // the launcher's page, the only one that gets messages
const bot = location.pathname.split("/")[2];
const identified = asked.has("identified"); // the website will identify its visitor
const nobodys = `webchat session ${bot} ${around}`;
const key = identified ? `${nobodys} person` : nobodys;
const transcript = document.querySelector("[data-transcript]");
const resume = document.querySelector("[data-resume]");
let page = location.hash.slice(1); // the website's page, shown to the team
let token = document.querySelector("[data-session]").value;

/** The frame's storage, which browsers partition by the surrounding site; null where they refuse it. */
let storage = null;
try {
  storage = localStorage;
} catch {
  // the owner's page keeps the token instead
}

/** Forms sent without htmx carry the token as a field, and the query tells the next page what surrounds it. */
function fill() {
  for (const each of document.querySelectorAll("[data-session]")) {
    each.value = token;
    each.form.action = `${each.form.action.split("?")[0].split("#")[0]}${location.search}#${page}`;
  }
  showPage();
}

// The text in the message box goes to the new conversation's page, also where the frame may store nothing.
document.addEventListener("formdata", ({ target, formData }) => {
  if (target.matches("[data-begin]")) formData.set("message", document.getElementById("message").value);
});

/** Show the page's URL that goes with the first message, if the owner wants it; the visitor may untick it. */
function showPage() {
  const label = document.querySelector("[data-tell-page]");
  if (!label || !page.startsWith(`${around}/`)) return;
  label.hidden = false;
  label.querySelector("input").value = page;
  label.querySelector("bdi").textContent = page.replace(/^https?:\/\//, "");
}

/** The text, if the bot's owner lets the website read it. @param {string | undefined} text */
const said = (text) => (document.querySelector("[data-shares-text]") && text ? { text } : {});

/** Send an event to the website's page. */
function tell(type, more = {}) {
  if (around && parent !== window) parent.postMessage({ webchat: bot, type, ...more }, around);
}

/** Where frames have no storage, the surrounding page keeps the token; otherwise each page would begin a new conversation. */
function keep() {
  if (storage) storage.setItem(key, token);
  else tell("keep", { token });
}

document.addEventListener("htmx:configRequest", ({ detail }) => {
  detail.headers[HEADER] = token;
  if (around && page.startsWith(`${around}/`) && /^[!-~]+$/.test(page)) detail.headers["Webchat-Page"] = page;
  if (detail.path.endsWith("/messages")) keep(); // for a reload while waiting for the reply
});
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  const fresh = detail.xhr.getResponseHeader(HEADER);
  if (!fresh || detail.pathInfo.requestPath.endsWith("/search")) return; // a search stores nothing
  token = fresh;
  keep();
  fill();
});

document.addEventListener("htmx:load", ({ target }) => {
  fill();
  if (target.matches("[data-kind=message]")) tell("reply", said(target.querySelector("[data-team-message]")?.innerText));
  if (!target.matches("[data-turn]") || document.documentElement.hasAttribute("data-resuming")) return;
  const alert = target.querySelector("[data-alert]");
  if (alert) tell("error", { code: alert.dataset.code });
  else if (target.querySelector("[data-reply]")) tell("reply", said(target.querySelector("[data-reply]").innerText));
});
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const { path, parameters } = detail.requestConfig;
  if (detail.shouldSwap && detail.xhr.status === 200 && path.endsWith("/messages"))
    tell("message", said(parameters.suggestion || parameters.message));
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !document.querySelector(":is(dialog[open], :popover-open, details[open])")) tell("close");
});
const closeButton = document.querySelector("[data-close]"); // shown where the window covers the website's own
closeButton.onclick = () => tell("close");

addEventListener("message", ({ source, origin, data }) => {
  if (source !== parent || origin !== around || data?.webchat !== bot) return;
  const box = document.getElementById("message");
  if (data.type === "kept") start(data.text);
  if (data.type === "identity") identify(data.text, ...(storage ? [storage.getItem(key), storage.getItem(nobodys)] : data.kept));
  if (data.type === "page") page = data.text;
  if (data.type === "closable") closeButton.hidden = !data.text;
  if (data.type === "focus") box.focus({ preventScroll: true }); // the greeting stays in sight
  if (data.type === "new" && transcript.querySelector("[data-turn]")) document.querySelector("[data-begin]").requestSubmit();
  if (data.type === "send" && typeof data.text === "string") sendFor(data.text);
});

/** Send the website's text as if it had been typed; keep a draft in the box. */
function sendFor(text) {
  const box = document.getElementById("message");
  const put = (words) => {
    box.value = words;
    box.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const draft = box.value;
  put(text);
  box.form.requestSubmit();
  if (draft) put([box.value.trimEnd(), draft].filter(Boolean).join("\n")); // and the text, if sending has to wait
}

let started, hurried; // hurried: a form submitted before the start, sent right after it

function hold(event) {
  if (event.target.id !== "composer" || !document.documentElement.hasAttribute("data-resuming")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  hurried = event;
}
document.addEventListener("submit", hold, { capture: true });

/** @param {string | null | undefined} kept the token of an earlier page */
function start(kept) {
  if (started) return;
  started = true;
  const end = () => {
    document.documentElement.removeAttribute("data-resuming");
    document.dispatchEvent(new Event("webchat:resumed"));
    tell("ready");
    if (hurried) document.getElementById("composer").requestSubmit(hurried.submitter);
  };
  if (!kept) return end();
  token = kept;
  fill();
  resume.addEventListener("htmx:afterRequest", end);
  htmx.trigger(resume, "resume");
}

/** An identified visitor gets their own session, anybody else an anonymous one. */
async function identify(identity, kept, before) {
  if (started) return;
  const answer = await fetch(`/embed/${bot}/identity`, {
    method: "POST",
    headers: { [HEADER]: kept || token },
    body: new URLSearchParams({ token: identity, before: before ?? "", lang: document.documentElement.lang }),
  }).catch(() => null);
  const fresh = answer?.ok && answer.headers.get(HEADER);
  if (!fresh) tell("error", { code: "IDENTITY_REFUSED" });
  const question = fresh && (await answer.text());
  start(fresh);
  if (fresh) keep();
  if (!question) return; // asks whether to add the anonymous conversation
  transcript.insertAdjacentHTML("afterend", question);
  htmx.process(transcript.nextElementSibling);
  transcript.nextElementSibling.addEventListener("htmx:afterRequest", () => (storage ? storage.removeItem(nobodys) : tell("forget")));
}

// Send nothing before it is known whether a conversation continues. By DOMContentLoaded htmx has processed the page.
document.documentElement.setAttribute("data-resuming", "");
document.addEventListener("DOMContentLoaded", () => {
  history.replaceState(null, "", `/embed/${bot}/${location.search}`); // not a form's URL
  if (transcript.querySelector("[data-turn]")) {
    keep(); // a form was sent without htmx
    start(null);
  } else if (identified) {
    tell("identity?");
    setTimeout(start, LONGEST_IDENTIFYING);
  } else if (storage) {
    storage.removeItem(`${key} person`); // the person has logged out of the website
    start(storage.getItem(key));
  } else {
    tell("kept?");
    setTimeout(start, around ? LONGEST_WAIT : 0);
  }
});
