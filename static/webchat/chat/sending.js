// Draws a sent message at once. If no response comes, as while the site restarts, it is sent again: its key makes every
// repeated request the same message. After half a minute its text returns to the composer.

const RETRY_INTERVAL = 4000; // ms
const MAX_RETRIES = 7; // then the text returns to the message box
const transcript = document.querySelector("[data-transcript]");
const composer = () => document.querySelector("[data-composer]");
const box = () => document.getElementById("message");

/** @type {null | { key: string, text: string, isSuggestion: boolean, fields: Object<string, string>, retriesLeft: number, wait: number, isHeld: boolean }} */
let sent = null;
/** What the visitor has typed since, while the server's composer replaces this one. */
let draft = null;
/** The message whose text is back in the message box; it may still have arrived. @type {typeof sent} */
let returned = null;
let timer;

const drawnTurn = () => sent && transcript.querySelector("[data-turn][data-state=sending]");
const isSending = ({ requestConfig }) => requestConfig?.path.endsWith("/messages");
const typed = () => ({ text: box().value, start: box().selectionStart, end: box().selectionEnd });

function setText(text) {
  box().value = text;
  box().dispatchEvent(new Event("input", { bubbles: true }));
}

/** Draw the turn; the server's own replaces it later. */
function draw() {
  const hadFocus = document.activeElement.matches("[data-suggestion]");
  const turn = document.querySelector("template[data-sent]").content.firstElementChild.cloneNode(true);
  turn.id = `turn-${sent.key}`;
  Object.assign(turn.dataset, { turn: "", state: "sending" });
  turn.querySelector(".waiting").dataset.waiting = "";
  const message = turn.querySelector(".text");
  message.dataset.message = "";
  message.textContent = sent.text.trim();
  const page = turn.querySelector("[data-told-page]");
  if (sent.fields.page && !sent.fields.after) page?.append(composer().querySelector("[data-tell-page] bdi").textContent);
  else page?.remove();
  transcript.append(turn);
  document.dispatchEvent(new CustomEvent("webchat:drawn", { detail: { turn, hadFocus } }));
}

document.addEventListener("htmx:beforeSend", ({ detail }) => {
  if (!isSending(detail) || drawnTurn()) return;
  const fields = Object.fromEntries(detail.requestConfig.formData);
  const isSuggestion = Boolean(fields.suggestion);
  const text = fields.suggestion || fields.message;
  // Remove the last refusal; a new one is shown again.
  document.getElementById("composer-refusal").replaceChildren();
  for (const wrong of composer().querySelectorAll("[aria-invalid]")) wrong.removeAttribute("aria-invalid");
  if (!text.trim()) return;
  start({ key: fields.key, text, isSuggestion, fields });
  if (!isSuggestion) setText("");
});

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!drawnTurn() || !isSending(detail) || !detail.shouldSwap) return;
  draft = typed();
  if (detail.xhr.status === 200) Object.assign(detail, { target: drawnTurn(), swapOverride: "outerHTML" });
});

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!sent || !isSending(detail)) return;
  if (!detail.xhr.getResponseHeader("Webchat-Fragment")) setTimeout(retry); // after htmx has finished the request
  else if (detail.xhr.status !== 200) returnText("");
  else arrived();
});

addEventListener("online", () => sent?.isHeld && send());

function retry() {
  if (!sent) return;
  sent.isHeld = !navigator.onLine;
  if (sent.isHeld) return document.dispatchEvent(new CustomEvent("webchat:offline", { detail: sent })); // until the connection is back
  if (!sent.retriesLeft--) return returnText(composer().dataset.notSent);
  timer = setTimeout(send, sent.wait);
  sent.wait = RETRY_INTERVAL;
}

function send() {
  if (!drawnTurn()) return;
  sent.isHeld = false;
  htmx.ajax("POST", composer().getAttribute("hx-post"), { source: composer(), values: sent.fields }).catch(() => {});
}

// The visitor stops waiting. The server goes on; sending the same message again leads to its turn and asks nothing twice.
document.addEventListener("webchat:stop", () => {
  if (!drawnTurn()) return stopWaitingLine();
  if (sent.isHeld) return returnText(""); // offline, so it was never sent
  clearTimeout(timer);
  Object.assign(sent, { retriesLeft: sent.fields.stop ? 0 : 1, wait: 0 });
  sent.fields.stop = "1";
  composer().matches(".htmx-request") ? htmx.trigger(composer(), "htmx:abort") : retry();
});

// A request that is stopped ends like one that got no answer; htmx would write an aborted one to the console as an error.
document.addEventListener("htmx:beforeSend", ({ detail: { xhr } }) => (xhr.onabort = xhr.onload));

/** For a message that was sent before the page was loaded. */
function stopWaitingLine() {
  const line = transcript.querySelector("form[data-waiting]");
  htmx.trigger(line, "htmx:abort");
  const [target, values] = [line.closest("[data-turn]"), { ...Object.fromEntries(new FormData(line)), stop: "1" }];
  htmx.ajax("POST", line.getAttribute("hx-post"), { source: target, target, swap: "outerHTML", values }).catch(() => {});
}

/** Send a message held since an earlier page; if `isOld`, put it into the message box for the visitor to decide. */
document.addEventListener("webchat:resume", ({ detail: { message, isOld } }) => {
  start(message);
  if (isOld) returnText("");
  else send();
});

function start(message) {
  sent = { ...message, retriesLeft: MAX_RETRIES, wait: 0, isHeld: false };
  draw();
  if (!navigator.onLine) retry(); // is kept at once: the tab may be closed before the request has failed
}

// It had arrived: take it out of the message box, and send it again to get its turn and a key for the next message.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (sent || !returned || !detail.serverResponse.includes(`id="turn-${returned.key}"`)) return;
  detail.shouldSwap = false;
  const { text } = returned;
  const { value } = box();
  if (value.trim() === text.trim() || value.startsWith(`${text}\n`)) setText(value.slice(text.length + 1));
  document.getElementById("composer-refusal").replaceChildren();
  start(returned);
  send();
});

function arrived() {
  sent = draft = returned = null;
  document.dispatchEvent(new Event("webchat:arrived"));
}

/** @param {string} sentence the reason, unless the server's composer gives it */
function returnText(sentence) {
  const { text, isSuggestion } = (returned = sent);
  const turn = drawnTurn();
  const hadFocus = turn.contains(document.activeElement);
  turn.remove();
  draft ??= typed();
  const before = isSuggestion && draft.text ? "" : text;
  const shift = before && draft.text ? before.length + 1 : before.length;
  sent = null;
  document.dispatchEvent(new Event("webchat:returned"));
  setText([before, draft.text].filter(Boolean).join("\n"));
  box().setSelectionRange(draft.start + shift, draft.end + shift);
  box().scrollTop = box().scrollHeight; // to the caret: of a long text browsers show the beginning
  draft = null;
  if (hadFocus) box().focus();
  if (sentence) refuse(sentence);
}

document.addEventListener("webchat:refuse", ({ detail }) => refuse(detail));

function refuse(sentence) {
  const alert = document.createElement("div");
  alert.className = "alert";
  alert.setAttribute("role", "alert");
  Object.assign(alert.dataset, { alert: "", code: "NOT_SENT" });
  alert.append(Object.assign(document.createElement("p"), { textContent: sentence }));
  document.getElementById("composer-refusal").replaceChildren(alert);
}
