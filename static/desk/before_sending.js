/**
 * Before a form in which something was entered is sent, asks whether the login is still there: on the way to the login
 * page it would be lost. If it isn't, the form stays as it is, and says beside its button what to do. Where the
 * password is needed first, a dialog asks for it.
 */

const sentences = document.querySelector("[data-before-sending]");
const WORTH_KEEPING = "input:not([type=hidden], [type=submit]), textarea, select";
let asked; // the form about which the site is being asked
let ready; // the form that may go
let note;

/** Does the form change something for which the password is needed, on a page that is open without it? */
const changesSecret = (form, button) =>
  (form.matches("[data-secret]") && button?.name !== "test") || // a test e-mail changes nothing
  [...form.querySelectorAll("[data-secret], [name^=forget_], [type=hidden][name^=kept_]")].some(
    ({ type, checked, value }) => (type === "checkbox" ? checked : value),
  );

/** @returns the name of the sentence that says why the form would not arrive; "" if it would */
async function prepare(form, url, button) {
  const about = new URLSearchParams({ to: url.pathname, secret: changesSecret(form, button) ? "1" : "" });
  const answer = await fetch(`${sentences.dataset.beforeSending}?${about}`).catch(() => null);
  if (answer?.redirected) return "logged-out";
  const needed = answer?.ok ? await answer.json().catch(() => null) : null;
  if (!needed) return "not-reached";
  form.querySelector("[name=csrfmiddlewaretoken]").value = needed.token; // a login in another tab has replaced the old one
  return needed.confirms ? "confirm" : "";
}

/** Asks for the password. @returns whether it was right; false, too, for those who have none and for "Cancel" */
function confirmPassword(token) {
  const dialog = sentences.content.querySelector("dialog")?.cloneNode(true);
  if (!dialog) return false;
  const form = dialog.querySelector("form");
  form.addEventListener("submit", async (event) => {
    if (event.submitter?.value === "cancel") return;
    event.preventDefault();
    const body = new FormData(form);
    body.set("csrfmiddlewaretoken", token);
    const answer = await fetch(form.action, { method: "POST", body, redirect: "manual" }).catch(() => null);
    if (!answer?.ok) return dialog.close(answer?.type === "opaqueredirect" ? "confirmed" : "");
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    dialog.querySelector("[role=alert]").textContent = page.querySelector(".errorlist")?.textContent ?? "";
    form.reset();
    form.elements.password.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((closed) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      closed(dialog.returnValue === "confirmed");
    });
  });
}

async function send(form, button) {
  note?.remove();
  // The attributes: a button's `formAction` is this page's address where it has none, and a field may be named "action".
  const action = button?.getAttribute("formaction") ?? form.getAttribute("action") ?? "";
  asked = form;
  let reason = await prepare(form, new URL(action, location.href), button);
  const isConfirmed = reason === "confirm" && (await confirmPassword(form.querySelector("[name=csrfmiddlewaretoken]").value));
  if (isConfirmed) reason = await prepare(form, new URL(action, location.href), button);
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

/** Only forms that the browser itself sends in place of the page: htmx and passkeys have a script, a preview a frame. */
function isOurs(form, button) {
  if (form.method !== "post" || form.matches("[hx-post], dialog form, :has([data-passkey])") || button?.formTarget) return false;
  return Boolean(form.querySelector(WORTH_KEEPING));
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
