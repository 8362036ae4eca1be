// The text box: Enter sends, F2 suggests an answer, and the visitor sees "is typing".

const TYPING_EVERY = 4000; // ms
const composer = () => document.getElementById("inbox-composer");
const sentences = document.querySelector("[data-inbox]").dataset;
const box = () => document.getElementById("inbox-text");
let lastTyped = 0;
let onItsWay = { text: "" };
let repeated = ""; // the key of a text that was sent once more
let next = ""; // what is sent as soon as the text before it has arrived, unless it is changed until then

/** Show a refusal where the server's are shown. @param {string} sentence */
function refuse(sentence) {
  const said = document.createElement("p");
  said.textContent = sentence;
  document.getElementById("inbox-refusal").replaceChildren(said);
}

document.addEventListener("keydown", (event) => {
  if (event.target !== box() || event.defaultPrevented || event.isComposing || event.keyCode === 229) return;
  if (event.key === "F2" && document.getElementById("inbox-suggest")) {
    event.preventDefault();
    composer().requestSubmit(document.getElementById("inbox-suggest"));
  } else if (event.key === "Enter" && !event.shiftKey && !event.altKey) {
    event.preventDefault();
    const send = document.getElementById("inbox-send");
    if (send && !event.repeat) composer().matches(".htmx-request") ? hold() : composer().requestSubmit(send);
    if (!send) refuse(document.getElementById("inbox-buttons").dataset.notLeading);
  }
});

/** Begin a new line, so that what is typed meanwhile isn't part of the same sentence. */
function hold() {
  next = box().value = `${box().value.trimEnd()}\n`;
}

// Ignore text set by scripts: after sending, nobody is typing.
document.addEventListener("input", ({ target, isTrusted }) => {
  const isReply = isTrusted && target === box() && document.getElementById("inbox-send") && !target.value.startsWith("/");
  if (!isReply || Date.now() - lastTyped < TYPING_EVERY) return;
  lastTyped = Date.now();
  const field = (name) => composer().querySelector(`[name=${name}]`).value;
  const values = { csrfmiddlewaretoken: field("csrfmiddlewaretoken"), key: field("key") };
  // Outside the form: its hx-sync would drop a message sent meanwhile.
  const source = document.querySelector("[data-announcer]");
  htmx.ajax("POST", composer().dataset.typingUrl, { source, swap: "none", values }).catch(() => {});
});

// htmx only knows clicked buttons, not the one that Enter or F2 stands for.
document.addEventListener("htmx:configRequest", ({ target, detail }) => {
  const pressed = target === composer() && detail.triggeringEvent?.submitter;
  if (!pressed) return;
  detail.formData.delete("kind");
  detail.formData.delete("put");
  detail.formData.set(pressed.name, pressed.value);
  if (pressed.name === "put") detail.formData.delete("file"); // a suggestion keeps the chosen file
});

document.addEventListener("htmx:beforeRequest", ({ target, detail }) => {
  if (target !== composer()) return;
  const { formData } = detail.requestConfig;
  onItsWay = formData.has("put") ? { text: "" } : { kind: formData.get("kind"), text: formData.get("text") };
});

// The server has stored the text: keep what was typed meanwhile.
document.addEventListener("inbox:sent", () => {
  if (document.getElementById("inbox-file")) document.getElementById("inbox-file").value = "";
  const isNext = next && next === box().value;
  next = "";
  if (box().value.startsWith(onItsWay.text)) box().value = box().value.slice(onItsWay.text.length).trimStart();
  box().dispatchEvent(new Event("input", { bubbles: true }));
  lastTyped = 0;
  if (isNext && box().value) setTimeout(() => composer().requestSubmit(document.getElementById("inbox-send"))); // after htmx has finished
});

document.addEventListener("htmx:oobAfterSwap", ({ detail }) => {
  if (detail.target.id === "inbox-text") {
    box().focus();
    box().setSelectionRange(box().value.length, box().value.length);
    box().dispatchEvent(new Event("input", { bubbles: true }));
  }
});

// Nobody has answered, or a proxy says that the site is down. What else comes in place of a fragment is for `live.js`.
const isUnanswered = ({ xhr }) => xhr.status === 0 || xhr.status >= 500;

document.addEventListener("htmx:afterRequest", ({ target, detail }) => {
  if (target === composer() && isUnanswered(detail)) return refuse(sentences.notSent);
  // It has arrived after all: sent once more, it is stored no second time and leaves the text box.
  const key = document.getElementById("inbox-key")?.value;
  if (key === repeated || !onItsWay.kind || !document.getElementById(`entry-${key}`)) return;
  repeated = key;
  htmx.ajax("POST", composer().getAttribute("hx-post"), { source: composer(), swap: "none", values: onItsWay }).catch(() => {});
});

// The pressed button may be gone: after a claim focus the text box, otherwise the next waiting conversation.
const ACTION = /\/(claim|take-over|hand-back|hand-over|close)\/$/;
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!ACTION.test(detail.pathInfo.requestPath.split("?")[0])) return;
  if (isUnanswered(detail)) document.querySelector("[data-stale]").hidden = false;
  else if (document.getElementById("inbox-send")) box().focus();
  else document.querySelector("#inbox-next, #inbox-transcript").focus({ preventScroll: true });
});
