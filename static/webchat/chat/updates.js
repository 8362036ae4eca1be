// Polls for updates while the visitor waits for a person or talks to one. While the bot leads it asks only when the visitor comes
// back to the page or starts to type, and once for a reply that takes long: a team member may have joined, or another tab may
// have sent a message.

const VISIBLE_INTERVAL = 2000; // ms
const HIDDEN_INTERVAL = 15000;
const TIMEOUT = 10_000; // ms, for one response
const TYPING_INTERVAL = 4000;
const LONG_REPLY = 5000; // ms
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

// The response to a message, or to any form, contains all updates, and htmx can't place the response to a button that is gone.
// But a reply may take a minute: a team member who has joined is shown, and ends the wait for it.
const SENDING = ":is(form, button).htmx-request:not([data-typing-form])";
const drawnTurn = () => document.querySelector("[data-turn][data-state=sending]");
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!isUpdate(detail)) return;
  const isOld = !detail.requestConfig.path.startsWith(leader().dataset.updates);
  const sending = [...document.querySelectorAll(SENDING)];
  const hasJoined = leader().dataset.leader !== "person" && detail.serverResponse.includes('data-leader="person"');
  const endsWait = !isOld && hasJoined && drawnTurn() && sending.every(({ id }) => id === "composer");
  if (isOld || (sending.length && !endsWait)) detail.shouldSwap = false;
  else if (endsWait && sending.length) document.dispatchEvent(new Event("webchat:stop"));
});

let asking;
document.addEventListener("webchat:drawn", () => {
  clearTimeout(asking);
  asking = setTimeout(() => drawnTurn() && leader()?.dataset.leader === "bot" && poll(), LONG_REPLY);
});

// The responses to a message and to a form submitted meanwhile contain both the message and what the form has added. A message
// on its way stands where it will stand after a reload: where a response has it, until then below everything else.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const isMessage = detail.requestConfig.path.endsWith("/messages");
  const isNews = detail.xhr.getResponseHeader("HX-Reswap") === "beforeend";
  if (!detail.shouldSwap || !leader() || !(isMessage || isNews)) return;
  const fragment = document.createElement("template");
  fragment.innerHTML = detail.serverResponse;
  const items = [...fragment.content.querySelectorAll("li:is([data-turn], [data-entry]):not([hx-swap-oob])")];
  const drawn = drawnTurn() !== detail.target && !drawnTurn()?.hasAttribute("data-stored") ? drawnTurn() : null;
  const isShown = ({ id }) => ![null, drawn, detail.target].includes(document.getElementById(id));
  const duplicates = items.filter(isShown);
  for (const item of duplicates) item.remove();
  const moves = drawn && duplicates.length < items.length;
  if (moves) {
    const stored = items.find(({ id }) => id === drawn.id);
    drawn.toggleAttribute("data-stored", Boolean(stored));
    stored ? stored.replaceWith(drawn) : fragment.content.append(drawn);
  }
  // While a form beside who leads is being sent, that part stays: the response to the form brings the newest.
  if (isMessage && leader().querySelector(SENDING)) fragment.content.querySelector("#leader")?.remove();
  detail.serverResponse = fragment.innerHTML;
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
