// "Try again" and "Show the reply": a waiting line replaces them at once, and the response is the finished turn. If the
// response gets lost, the page asks for the turn; if that fails, the alert comes back.

const ASK_EVERY = 4000; // ms
const ASK_TIMES = 3;
const FORM = "form[hx-post$='/again'], form[data-stopped]";
/** How often the page has asked for the turn. @type {WeakMap<Element, number>} */
const asked = new WeakMap();

const replaced = (form) => form.closest("[data-alert]") ?? form;

document.addEventListener("htmx:beforeSend", ({ target: form }) => {
  if (!form.matches(FORM) || asked.has(form)) return;
  asked.set(form, 0);
  const line = document.querySelector("template[data-sent]").content.querySelector(".waiting").cloneNode(true);
  line.dataset.waiting = "";
  replaced(form).hidden = true;
  replaced(form).after(line);
  document.dispatchEvent(new Event("webchat:again"));
});

document.addEventListener("htmx:afterRequest", ({ target: form, detail }) => {
  if (!asked.has(form) || detail.xhr.getResponseHeader("Webchat-Fragment")) return;
  const times = asked.get(form);
  if (times === ASK_TIMES) return giveBack(form);
  asked.set(form, times + 1);
  setTimeout(ask, times ? ASK_EVERY : 0, form);
});

function ask(form) {
  if (!form.isConnected) return; // a team member has taken over, or another tab has continued
  const url = form.getAttribute("hx-post").replace(/again$/, "reply");
  htmx.ajax("POST", url, { source: form, target: form.closest("[data-turn]"), swap: "outerHTML" }).catch(() => {});
}

function giveBack(form) {
  asked.delete(form);
  replaced(form).parentElement.querySelector("[data-waiting]").remove();
  replaced(form).hidden = false;
  document.dispatchEvent(new Event("webchat:returned"));
}
