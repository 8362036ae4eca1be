// Polls for updates while the visitor waits for a person or talks to one. While the bot leads it asks only when the visitor comes
// back to the page or starts to type: a team member may have joined, or another tab may have sent a message.

const VISIBLE_INTERVAL = 2000; // ms
const HIDDEN_INTERVAL = 15000;
const TIMEOUT = 10_000; // ms, for one response
const TYPING_INTERVAL = 4000;
const leader = () => document.getElementById("leader");
// A widget whose window is closed has no boxes, while its website's page is visible. It polls as often, for the count on its button.
const isHidden = () => document.hidden || !document.documentElement.getClientRects().length;
let timer, lastTyped = 0;
let isWriting = false;
let wasHidden = false; // the next response then marks what came meanwhile as read, even if nothing is new

function schedule() {
  clearTimeout(timer);
  if (leader()) document.getElementById("message").placeholder = leader().dataset.placeholder;
  if (!leader()?.dataset.updates || leader().dataset.leader === "bot") return;
  document.getElementById("composer").hidden = false; // even if the bot is closed: people accept messages
  timer = setTimeout(poll, document.hidden ? HIDDEN_INTERVAL : VISIBLE_INTERVAL);
}

function poll() {
  const path = leader()?.dataset.updates;
  if (!path) return;
  wasHidden ||= isHidden();
  const state = isHidden() ? "?hidden" : wasHidden ? "?visible" : "";
  htmx.ajax("GET", path + state, { source: "#transcript", target: "#transcript", swap: "beforeend" }).catch(() => {}).then(schedule);
}

const isUpdate = ({ requestConfig }) => requestConfig?.path.includes("/updates/");

document.addEventListener("htmx:configRequest", ({ detail }) => detail.path.includes("/updates/") && (detail.timeout = TIMEOUT));

// The response to a message, or to any form, contains all updates: these items would be shown twice. And htmx can't
// place the response to a button that is gone.
const SENDING = ":is(form, button).htmx-request:not([data-typing-form])";
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!isUpdate(detail)) return;
  const isOld = !detail.requestConfig.path.startsWith(leader().dataset.updates);
  if (isOld || document.querySelector(SENDING)) detail.shouldSwap = false;
});

// The responses to a message and to a form submitted meanwhile contain both the message and what the form has added.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const isMessage = detail.requestConfig.path.endsWith("/messages");
  const isNews = detail.xhr.getResponseHeader("HX-Reswap") === "beforeend";
  if (!leader() || !(isMessage || isNews)) return;
  const isShown = ({ id }) => ![null, detail.target].includes(document.getElementById(id));
  const fragment = document.createElement("template");
  fragment.innerHTML = detail.serverResponse;
  const duplicates = [...fragment.content.querySelectorAll("li:is([data-turn], [data-entry]):not([hx-swap-oob])")].filter(isShown);
  for (const item of duplicates) item.remove();
  if (duplicates.length) detail.serverResponse = fragment.innerHTML;
});

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!isUpdate(detail) || !leader()) return;
  if (detail.successful && detail.requestConfig.path.endsWith("?visible")) wasHidden = false;
  const next = detail.xhr.getResponseHeader("Webchat-Updates");
  if (detail.xhr.status === 404) showEnded();
  else if (next && detail.requestConfig.path.startsWith(leader().dataset.updates)) leader().dataset.updates = next;
});

/**
 * Another tab has begun a new conversation, a phone has taken this one, or it was deleted: reload. In the portal the page of a
 * conversation ends with it, so the server shows the text that was being written.
 */
function showEnded() {
  delete leader().dataset.updates;
  if (document.querySelector(":is(dialog[open], :popover-open, [data-state=sending])")) return; // these notice by themselves
  const form = document.querySelector("[data-composer]");
  if (!document.getElementById("composer-conversation") || !document.getElementById("message").value) return location.reload();
  form.action = form.action.replace(/messages.*/, "back");
  form.submit();
}

document.addEventListener("htmx:afterSettle", schedule);
document.addEventListener("htmx:oobAfterSwap", ({ detail }) => detail.target?.id === "leader" && schedule());
document.addEventListener("visibilitychange", () => {
  wasHidden ||= document.hidden;
  document.hidden ? schedule() : poll();
});
addEventListener("online", poll);
document.addEventListener("webchat:ask", poll);

document.addEventListener("input", ({ target }) => {
  if (target.id !== "message") return;
  if (target.value && !isWriting && leader()?.dataset.leader === "bot") setTimeout(poll); // after the letter is shown
  isWriting = Boolean(target.value);
  if (!isWriting) lastTyped = 0; // sent or deleted
  const form = document.querySelector("[data-typing-form]");
  if (!form || !isWriting || Date.now() - lastTyped < TYPING_INTERVAL) return;
  lastTyped = Date.now();
  htmx.trigger(form, "typing");
});

schedule();
