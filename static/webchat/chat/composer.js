// The message box: Enter sends, the box grows, keys in an empty one scroll. Typing is always possible; only sending waits.

const composer = () => document.querySelector("[data-composer]");
const box = () => document.getElementById("message");

// Only with a mouse, and so a keyboard: a touch screen would open its keyboard over the page.
const typesAtOnce = matchMedia("(hover: hover) and (pointer: fine)").matches;

const isAwaited = () => document.querySelector("[data-transcript] [data-waiting]") !== null;
const isLocked = () =>
  isAwaited() || document.documentElement.hasAttribute("data-resuming") || composer().hasAttribute("data-wait");

const canStop = () => document.querySelector("[data-state=sending] [data-waiting], form[data-waiting]") !== null;
const STOPS_AFTER = 700; // ms: most replies have come by then, so the button doesn't change
let stopping = null;

/** The button's title, its description, says why it waits. After a moment it becomes "Stop waiting". */
function showLock() {
  const send = composer().querySelector(".send");
  send.dataset.send ??= send.getAttribute("aria-label");
  if (!canStop()) stopping = clearTimeout(stopping);
  else stopping ??= setTimeout(() => ((stopping = 0), showLock()), STOPS_AFTER);
  const stops = stopping === 0;
  send.toggleAttribute("data-stops", stops);
  send.setAttribute("aria-label", stops ? send.dataset.stop : send.dataset.send);
  send.setAttribute("aria-disabled", String(isLocked() && !stops));
  send.title = isAwaited() && !stops ? composer().dataset.waits : send.getAttribute("aria-label");
}

document.addEventListener("click", (event) => {
  if (!event.target.closest(".send[data-stops]")) return;
  event.preventDefault();
  document.dispatchEvent(new Event("webchat:stop"));
});

function grow() {
  if (CSS.supports("field-sizing", "content")) return; // then the style sheet does it
  box().style.blockSize = "auto";
  box().style.blockSize = `${box().scrollHeight + 2}px`;
}

const TWICE = 1000; // ms: a second Enter right after sending must not count as sending an empty message
let drawnAt = -Infinity;

document.addEventListener("keydown", (event) => {
  // keyCode 229: Safari ends a composition before it reports the Enter that ended it.
  if (event.target !== box() || event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
  event.preventDefault();
  const isSecond = !box().value && event.timeStamp - drawnAt < TWICE;
  if (!event.repeat && !isSecond) composer().requestSubmit();
});

// In the composer's other fields Enter presses the button beside them, or moves on to the message.
document.addEventListener("keydown", (event) => {
  const fields = event.target.matches("input, textarea") && event.target.closest("[data-own-enter]");
  if (event.key !== "Enter" || event.isComposing || event.keyCode === 229 || !fields) return;
  event.preventDefault();
  const button = fields.querySelector("button");
  button ? button.click() : box().focus();
});

// In an empty box these keys scroll the transcript.
const SCROLLS = { Home: -Infinity, End: Infinity, PageUp: -0.85, PageDown: 0.85 };
document.addEventListener("keydown", (event) => {
  if (event.target !== box() || box().value || !(event.key in SCROLLS) || event.shiftKey || event.ctrlKey) return;
  event.preventDefault();
  const page = document.scrollingElement;
  const far = Math.min(Math.abs(SCROLLS[event.key]) * page.clientHeight, page.scrollHeight);
  page.scrollBy(0, Math.sign(SCROLLS[event.key]) * far);
});

document.addEventListener("input", ({ target }) => {
  if (target !== box()) return;
  grow();
  // A refusal of the message goes as soon as what it says is no longer true.
  const refusal = document.querySelector("#composer-refusal :is([data-code=MESSAGE_REQUIRED], [data-code=MESSAGE_TOO_LONG])");
  const length = [...box().value.trim()].length;
  const isTrue = refusal?.dataset.code === "MESSAGE_REQUIRED" ? !length : length > Number(composer().dataset.limit);
  if (!refusal || isTrue) return;
  refusal.remove();
  box().removeAttribute("aria-invalid");
});

const LOADS_FOR = 10_000; // ms: by then the page of the new conversation is there, or its loading was stopped
let leavingUntil = 0;
const isLeaving = () => performance.now() < leavingUntil;

// Sent while a new conversation is loading, a message would land in the one that ends: it stays in the box, for the new one.
addEventListener("submit", ({ target }) => target.matches("[data-begin]") && (leavingUntil = performance.now() + LOADS_FOR), { capture: true });
document.addEventListener("webchat:refuse", () => (leavingUntil = 0));

let next = null; // what is sent as soon as the message before it has arrived, unless it is changed until then

// Capturing: a message that has to wait must reach neither htmx nor, as a plain form, the server.
document.addEventListener(
  "submit",
  (event) => {
    if (event.target !== composer() || !(isLocked() || isLeaving()) || !("live" in document.documentElement.dataset)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!box().value || isLeaving()) return;
    // What is typed after it begins a new line.
    if (box().selectionStart === box().value.length) box().value = `${box().value.trimEnd()}\n`;
    // Nobody waits for a person's answer before they write on.
    if ((document.getElementById("leader")?.dataset.leader ?? "bot") !== "bot") next = box().value;
    else document.dispatchEvent(new Event("webchat:held"));
  },
  { capture: true },
);

document.addEventListener("webchat:arrived", () => {
  if (next && next === box().value) setTimeout(() => composer().requestSubmit()); // after htmx has finished the request
  next = null;
});

// htmx ignores a button outside the form, such as a suggested question, and remembers an earlier one.
document.addEventListener("htmx:configRequest", ({ target, detail }) => {
  if (target !== composer() || !detail.triggeringEvent) return;
  const pressed = detail.triggeringEvent.submitter;
  detail.formData.delete("suggestion");
  if (pressed?.name) detail.formData.set(pressed.name, pressed.value);
});

document.addEventListener("webchat:drawn", ({ detail }) => {
  drawnAt = performance.now();
  showLock();
  // The pressed suggestion disappears, so the focus moves to the message box.
  if (detail.hadFocus) (typesAtOnce ? box() : detail.turn).focus({ preventScroll: true });
});
document.addEventListener("htmx:load", () => {
  showLock();
  grow();
});
for (const type of ["again", "returned", "waited", "resumed"]) document.addEventListener(`webchat:${type}`, showLock);

if (typesAtOnce && window.top === window && document.activeElement === document.body) box().focus({ preventScroll: true });
