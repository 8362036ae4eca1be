/**
 * Before a form with files, keys or longer texts is sent, asks whether the login is still there: on the way to the
 * login page they would be lost. If it isn't, the form stays as it is, and says beside its button what to do.
 */

const sentences = document.querySelector("[data-before-sending]");
const WORTH_KEEPING = "[type=file], [type=password], textarea, [data-unsaved]";
let asked; // the form about which the site is being asked
let ready; // the form that may go
let note;

/** @returns the name of the sentence that says why the form would not arrive; "" if it would */
async function prepare(form, url) {
  const answer = await fetch(`${sentences.dataset.beforeSending}?to=${encodeURIComponent(url.pathname)}`).catch(() => null);
  if (answer?.redirected) return "logged-out";
  const needed = answer?.ok ? await answer.json().catch(() => null) : null;
  if (!needed) return "not-reached";
  form.querySelector("[name=csrfmiddlewaretoken]").value = needed.token; // a login in another tab has replaced the old one
  return needed.confirms ? "confirm" : "";
}

async function send(form, button) {
  note?.remove();
  // The attributes: a button's `formAction` is this page's address where it has none, and a field may be named "action".
  const action = button?.getAttribute("formaction") ?? form.getAttribute("action") ?? "";
  asked = form;
  const reason = await prepare(form, new URL(action, location.href));
  asked = null;
  if (reason) {
    note = sentences.content.querySelector(`[data-reason=${reason}]`).cloneNode(true);
    (button ?? form.lastElementChild).after(note);
    return;
  }
  ready = form;
  form.requestSubmit(button);
  ready = null;
}

/** Only forms that the browser itself sends in place of the page: htmx has its own, and a preview is in a frame. */
function isOurs(form, button) {
  return form.method === "post" && !form.matches("[hx-post]") && !button?.formTarget && form.querySelector(WORTH_KEEPING);
}

document.addEventListener(
  "submit",
  (event) => {
    const { target: form, submitter: button } = event;
    if (!sentences || form === ready || !isOurs(form, button)) return;
    event.preventDefault();
    if (form !== asked) send(form, button); // a second press while the first one waits sends nothing twice
  },
  { capture: true },
);
