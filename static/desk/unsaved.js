/**
 * Shows unsaved changes beside "Save", and asks before the page is left.
 */

const note = document.querySelector("[data-unsaved]");
const form = note?.closest("form");

const ask = (event) => event.preventDefault();

function mark() {
  note.textContent = note.dataset.unsaved;
  addEventListener("beforeunload", ask);
}

if (form) {
  form.addEventListener("input", (event) => event.target.matches("[data-preview-option], [data-not-stored]") || mark());
  form.addEventListener("submit", (event) => {
    const leaves = !event.defaultPrevented && !event.submitter?.matches("[data-preview]");
    if (leaves) removeEventListener("beforeunload", ask);
  });
  if (document.querySelector("[data-problems]") || note.textContent === note.dataset.unsaved) mark();
}
