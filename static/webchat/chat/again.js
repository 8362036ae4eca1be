// "Try again" and "Show the reply": a waiting line replaces them at once, and the response is the finished turn. If the
// response gets lost, the page asks for the turn; if that fails, the alert comes back.

const ASK_EVERY = 4000; // ms
const ASK_TIMES = 3;
const FORM = "form[hx-post$='/again'], form[data-stopped]";
/** The waiting line, and how often the page has asked for the turn. @type {WeakMap<Element, { line: Element, times: number }>} */
const asked = new WeakMap();

const replaced = (form) => form.closest("[data-alert]") ?? form;

document.addEventListener("htmx:beforeSend", ({ target: form }) => {
  if (!form.matches(FORM) || asked.has(form)) return;
  const line = document.querySelector("template[data-sent]").content.querySelector(".waiting").cloneNode(true);
  line.dataset.waiting = "";
  asked.set(form, { line, times: 0 });
  replaced(form).hidden = true;
  form.closest("[data-turn]").append(line);
  document.dispatchEvent(new Event("webchat:again"));
});

// A refusal replaces only the alert: the line, and what it stands for, would stay.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const form = detail.requestConfig.elt;
  if (!asked.has(form) || !detail.xhr.getResponseHeader("Webchat-Fragment")) return;
  const { line } = asked.get(form);
  if (detail.target === line) detail.target = replaced(form);
  line.remove();
});

document.addEventListener("htmx:afterRequest", ({ target: form, detail }) => {
  const waiting = asked.get(form);
  if (!waiting || detail.xhr.getResponseHeader("Webchat-Fragment")) return;
  if (waiting.times === ASK_TIMES) return giveBack(form);
  setTimeout(ask, waiting.times++ ? ASK_EVERY : 0, form);
});

function ask(form) {
  if (!form.isConnected) return; // a team member has taken over, or another tab has continued
  const url = form.getAttribute("hx-post").replace(/again$/, "reply");
  htmx.ajax("POST", url, { source: form, target: form.closest("[data-turn]"), swap: "outerHTML" }).catch(() => {});
}

function giveBack(form) {
  asked.get(form).line.remove();
  asked.delete(form);
  replaced(form).hidden = false;
  document.dispatchEvent(new Event("webchat:returned"));
}
