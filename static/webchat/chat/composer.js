// The composer: Enter sends, the box grows, the text leaves it only once the server has it.

const composer = () => document.querySelector("[data-composer]");
const box = () => document.getElementById("message");

/** One message at a time: locked while one is on its way, while its reply is awaited, and while there is time to wait. */
const locked = () =>
  document.documentElement.hasAttribute("data-resuming") ||
  composer().hasAttribute("data-sending") ||
  composer().hasAttribute("data-wait") ||
  document.querySelector("[data-transcript] [data-turn]:not([data-state=sending]) [data-waiting]") !== null;

function showLock() {
  const isLocked = locked();
  // A message that has to wait may still be worked on.
  box().readOnly = isLocked && !composer().hasAttribute("data-wait");
  composer().querySelector(".send").setAttribute("aria-disabled", String(isLocked));
}

function grow() {
  if (CSS.supports("field-sizing", "content")) return; // the style sheet does it, and nothing jumps
  box().style.blockSize = "auto";
  box().style.blockSize = `${box().scrollHeight + 2}px`;
}

/** @param {string} text */
function put(text) {
  box().value = text;
  box().dispatchEvent(new Event("input", { bubbles: true }));
}

function refuse(sentence) {
  const alert = document.createElement("div");
  alert.className = "alert";
  alert.setAttribute("role", "alert");
  alert.dataset.alert = "";
  alert.dataset.code = "NOT_SENT";
  alert.append(Object.assign(document.createElement("p"), { textContent: sentence }));
  document.getElementById("composer-refusal").replaceChildren(alert);
}

document.addEventListener("keydown", (event) => {
  // keyCode 229: Safari ends a composition before it reports the Enter that ended it.
  if (event.target !== box() || event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
  event.preventDefault();
  if (!event.repeat) composer().requestSubmit();
});

// In an empty box these keys have nothing to move in: they scroll the transcript.
const SCROLLS = { Home: -Infinity, End: Infinity, PageUp: -0.85, PageDown: 0.85 };
document.addEventListener("keydown", (event) => {
  if (event.target !== box() || box().value || !(event.key in SCROLLS) || event.shiftKey || event.ctrlKey) return;
  event.preventDefault();
  const page = document.scrollingElement;
  const far = Math.min(Math.abs(SCROLLS[event.key]) * page.clientHeight, page.scrollHeight);
  page.scrollBy({ top: Math.sign(SCROLLS[event.key]) * far, behavior: "instant" });
});

document.addEventListener("input", (event) => event.target === box() && grow());

// htmx overlooks a button that stands outside the form, as suggested questions do, and remembers one of an earlier message.
document.addEventListener("htmx:configRequest", (event) => {
  if (event.target !== composer()) return;
  const pressed = event.detail.triggeringEvent?.submitter;
  event.detail.formData.delete("suggestion");
  if (pressed?.name) event.detail.formData.set(pressed.name, pressed.value);
});

document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.target !== composer()) return;
  if (locked()) return event.preventDefault();
  // What was wrong with the last one is over; if it is wrong again, it is said again.
  document.getElementById("composer-refusal").replaceChildren();
  box().removeAttribute("aria-invalid");
  composer().toggleAttribute("data-sending", true);
  showLock();
});

document.addEventListener("htmx:afterRequest", (event) => {
  const { xhr, requestConfig } = event.detail;
  if (!requestConfig.path.endsWith("/messages")) return;
  const ours = xhr.getResponseHeader("Webchat-Fragment");
  composer().toggleAttribute("data-sending", false);
  if (!ours) refuse(composer().dataset.notSent);
  else if (xhr.status === 200 && !requestConfig.formData.get("suggestion")) put("");
  showLock();
});

document.addEventListener("htmx:load", () => {
  showLock();
  grow();
});
document.addEventListener("webchat:waited", showLock);
document.addEventListener("webchat:resumed", showLock);
