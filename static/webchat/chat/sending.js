// The message on its way: drawn at once and sent once. If its response gets lost the page asks what became of it, and the
// text returns to the composer only when it never arrived. Its key makes each further request the same message.

const ASK_EVERY = 4000; // ms
const ASK_TIMES = 3; // then the visitor sends again: with the same key it is no second message
const transcript = document.querySelector("[data-transcript]");
const composer = () => document.querySelector("[data-composer]");
const box = () => document.getElementById("message");

/** @type {null | { key: string, text: string, isSuggestion: boolean, fields: Object<string, string>, asked: number, isHeld: boolean, isStopped?: boolean }} */
let sent = null;
/** What the visitor has typed since, kept while the server's composer takes the place of this one. */
let draft = null;

const drawn = () => sent && transcript.querySelector("[data-turn][data-state=sending]");
const isSending = ({ requestConfig }) => requestConfig?.path.endsWith("/messages");
const isAsking = ({ requestConfig }) => requestConfig?.path.endsWith(`/turns/${sent?.key}/reply`);
const typed = () => ({ text: box().value, start: box().selectionStart, end: box().selectionEnd });

function put(text) {
  box().value = text;
  box().dispatchEvent(new Event("input", { bubbles: true }));
}

/** The turn as the visitor sees it until the server's own replaces it. */
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
  if (!isSending(detail) || drawn()) return;
  const fields = Object.fromEntries(detail.requestConfig.formData);
  const isSuggestion = Boolean(fields.suggestion);
  const text = fields.suggestion || fields.message;
  // The last refusal is over; if there is another, it is shown again.
  document.getElementById("composer-refusal").replaceChildren();
  for (const wrong of composer().querySelectorAll("[aria-invalid]")) wrong.removeAttribute("aria-invalid");
  if (!text.trim()) return;
  sent = { key: fields.key, text, isSuggestion, fields, asked: 0, isHeld: false };
  draw();
  if (!isSuggestion) put("");
});

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!drawn() || !(isSending(detail) || isAsking(detail))) return;
  draft = typed();
  if (isAsking(detail)) detail.shouldSwap = false;
  else if (detail.shouldSwap && detail.xhr.status === 200) Object.assign(detail, { target: drawn(), swapOverride: "outerHTML" });
});

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!sent || !(isSending(detail) || isAsking(detail))) return;
  const asks = isAsking(detail);
  if (!detail.xhr.getResponseHeader("Webchat-Fragment")) setTimeout(lost); // after htmx has finished the request
  else if (detail.xhr.status !== 200) giveBack(asks ? composer().dataset.notSent : "");
  else if (asks) setTimeout(send, 0); // for the composer that goes with it as well: a key for the next message
  else arrived();
});

addEventListener("online", () => sent?.isHeld && send());

function lost() {
  if (!sent) return;
  if (sent.isStopped) {
    sent.isStopped = false;
    return send({ stop: "1" });
  }
  sent.isHeld = !navigator.onLine;
  if (sent.isHeld) return document.dispatchEvent(new CustomEvent("webchat:offline", { detail: sent })); // until the connection is back
  if (sent.asked === ASK_TIMES) giveBack(composer().dataset.notSent);
  else setTimeout(ask, sent.asked++ ? ASK_EVERY : 0);
}

/** Sends the same request once more: if the first one arrived, the key leads to its turn. */
function send(more = {}) {
  sent.isHeld = false;
  htmx.ajax("POST", composer().getAttribute("hx-post"), { source: composer(), values: { ...sent.fields, ...more } }).catch(() => {});
}

// The visitor waits no more. The server goes on, and the same message sent once more leads to its turn: nothing is asked twice.
document.addEventListener("webchat:stop", () => {
  if (!drawn()) return stopWaitingLine();
  if (sent.isHeld) return giveBack(""); // without a connection it hasn't gone
  sent.isStopped = true;
  for (const source of [composer(), drawn()]) htmx.trigger(source, "htmx:abort");
});

/** Of a message that was sent before the page was loaded. */
function stopWaitingLine() {
  const line = transcript.querySelector("form[data-waiting]");
  htmx.trigger(line, "htmx:abort");
  const [target, values] = [line.closest("[data-turn]"), { ...Object.fromEntries(new FormData(line)), stop: "1" }];
  htmx.ajax("POST", line.getAttribute("hx-post"), { source: target, target, swap: "outerHTML", values }).catch(() => {});
}

function ask() {
  if (!drawn()) return;
  const url = composer().getAttribute("hx-post").replace(/messages$/, `turns/${sent.key}/reply`);
  const { csrfmiddlewaretoken = "", lang = "" } = sent.fields;
  htmx.ajax("POST", url, { source: drawn(), target: drawn(), values: { csrfmiddlewaretoken, lang } }).catch(() => {});
}

/** One that was held when its page was closed. `isOld`: it goes back into the message box, for the visitor to decide. */
document.addEventListener("webchat:resume", ({ detail: { message, isOld } }) => {
  sent = { ...message, asked: 0, isHeld: false };
  draw();
  if (isOld) giveBack("");
  else send();
});

function arrived() {
  sent = draft = null;
  document.dispatchEvent(new Event("webchat:arrived"));
}

/** @param {string} sentence why, unless the server's own composer says so */
function giveBack(sentence) {
  const { text, isSuggestion } = sent;
  const turn = drawn();
  const hadFocus = turn.contains(document.activeElement);
  turn.remove();
  draft ??= typed();
  const before = isSuggestion && draft.text ? "" : text;
  const shift = before && draft.text ? before.length + 1 : before.length;
  sent = null;
  document.dispatchEvent(new Event("webchat:returned"));
  put([before, draft.text].filter(Boolean).join("\n"));
  box().setSelectionRange(draft.start + shift, draft.end + shift);
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
