/**
 * The preview follows the form: shortly after a change, the shown surface is fetched again.
 */

const PAUSE = 500; // ms
const buttons = [...document.querySelectorAll("[data-preview]")];
const form = buttons[0]?.form;
const fold = document.querySelector("[data-preview-fold]");
let shown = buttons[0];
let waiting;

function show(button) {
  shown = button;
  for (const each of buttons) each.setAttribute("aria-pressed", String(each === button));
}

for (const button of buttons) button.addEventListener("click", () => show(button));
if (shown) shown.hidden = buttons.length === 1; // nothing to choose from

if (form && shown) {
  const later = (event) => {
    if (event.target.closest("[data-preview]")) return;
    clearTimeout(waiting);
    waiting = setTimeout(() => form.requestSubmit(shown), event.target.matches("[data-preview-option]") ? 0 : PAUSE);
  };
  // Also for controls outside the form that belong to it.
  document.addEventListener("input", (event) => event.target.form === form && later(event));
  form.addEventListener("submit", (event) => {
    if (!event.submitter?.matches("[data-preview]")) clearTimeout(waiting);
  });
  const note = document.querySelector("[data-unsaved]");
  const isUnsaved = document.querySelector("[data-problems]") || (note && note.textContent === note.dataset.unsaved);
  if (isUnsaved) form.requestSubmit(shown); // as soon as the page opens, what was entered or suggested
}

// A conversation is seen from its end, as by its visitor.
document.querySelector("iframe[name=preview]")?.addEventListener("load", ({ target }) => {
  const page = target.contentDocument?.scrollingElement;
  if (page?.querySelector("[data-turn]")) page.scrollTop = page.scrollHeight;
});

// Where there is no room for it beside the form, it is below, and whoever wants it unfolds it.
if (fold && matchMedia("(max-width: 1100px)").matches) fold.open = false;
