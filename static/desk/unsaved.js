/**
 * Shows unsaved changes beside "Save", and asks before the page is left.
 *
 * Before saving it asks whether the login is still there: what was typed would be lost on the way to the login page.
 */

const note = document.querySelector("[data-unsaved]");
const form = note?.closest("form");
let isReady = false; // the site has just answered: the form may go

const ask = (event) => event.preventDefault();

function mark() {
  note.textContent = note.dataset.unsaved;
  addEventListener("beforeunload", ask);
}

async function save(button) {
  const page = await fetch(location.href).catch(() => null);
  if (!page?.ok || page.redirected) {
    note.textContent = page?.redirected ? note.dataset.loggedOut : note.dataset.notReached;
    return;
  }
  // Whoever has logged in again in another tab has another token.
  const token = "[name=csrfmiddlewaretoken]";
  form.querySelector(token).value = new DOMParser().parseFromString(await page.text(), "text/html").querySelector(token).value;
  isReady = true;
  form.requestSubmit(button);
}

if (form) {
  form.addEventListener("input", (event) => event.target.matches("[data-preview-option]") || mark());
  form.addEventListener("submit", (event) => {
    if (event.submitter?.matches("[data-preview]")) return;
    if (isReady) return removeEventListener("beforeunload", ask);
    event.preventDefault();
    save(event.submitter);
  });
  if (document.querySelector("[data-problems]")) mark();
}
