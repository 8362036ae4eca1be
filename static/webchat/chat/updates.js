// Polls for updates while the visitor waits for a person or talks to one; never while the bot leads.

const VISIBLE = 2000; // ms
const HIDDEN = 15000;
const TYPING_EVERY = 4000;
const leader = () => document.getElementById("leader");
let timer, lastTyped = 0;
let wasHidden = false; // the next response then marks what came meanwhile as read, even if nothing is new

function plan() {
  clearTimeout(timer);
  if (leader()) document.getElementById("message").placeholder = leader().dataset.placeholder;
  if (!leader()?.dataset.updates) return;
  document.getElementById("composer").hidden = false; // even if the bot is closed: people accept messages
  timer = setTimeout(ask, document.hidden ? HIDDEN : VISIBLE);
}

function ask() {
  const path = leader()?.dataset.updates;
  if (!path) return;
  wasHidden ||= document.hidden;
  const state = document.hidden ? "?hidden" : wasHidden ? "?visible" : "";
  htmx.ajax("GET", path + state, { source: "#transcript", target: "#transcript", swap: "beforeend" }).catch(() => {}).then(plan);
}

const isUpdate = ({ requestConfig }) => requestConfig?.path.includes("/updates/");

// The response to a message, or any form, brings all news: this response's items would be shown twice.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!isUpdate(detail)) return;
  const isOld = !detail.requestConfig.path.startsWith(leader().dataset.updates);
  if (isOld || document.querySelector("[data-state=sending]")) detail.shouldSwap = false;
});

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!isUpdate(detail) || !leader()) return;
  if (detail.successful && detail.requestConfig.path.endsWith("?visible")) wasHidden = false;
  const next = detail.xhr.getResponseHeader("Webchat-Updates");
  if (detail.xhr.status === 404) leave();
  else if (next && detail.requestConfig.path.startsWith(leader().dataset.updates)) leader().dataset.updates = next;
});

/** Another tab has begun a new conversation, or a phone has taken this one: reload. */
function leave() {
  delete leader().dataset.updates;
  if (!document.querySelector("dialog[open], [data-state=sending]")) location.reload(); // these notice by themselves
}

document.addEventListener("htmx:afterSettle", plan);
document.addEventListener("htmx:oobAfterSwap", ({ detail }) => detail.target?.id === "leader" && plan());
document.addEventListener("visibilitychange", () => (document.hidden ? plan() : ask()));
addEventListener("online", ask);
document.addEventListener("webchat:ask", ask);

document.addEventListener("input", ({ target }) => {
  const form = document.querySelector("[data-typing-form]");
  if (target.id !== "message" || !form || Date.now() - lastTyped < TYPING_EVERY) return;
  lastTyped = Date.now();
  htmx.trigger(form, "typing");
});

plan();
