/**
 * Shows unsaved changes beside a form's button, and asks before the page is left.
 */

const problems = document.querySelector("[data-problems]");

/** @param {HTMLOutputElement} note */
function watch(note) {
  const { form } = note;
  const ask = (event) => event.preventDefault();
  const mark = () => {
    note.textContent = note.dataset.unsaved;
    addEventListener("beforeunload", ask);
  };

  form.addEventListener("input", (event) => event.target.matches("[data-not-stored]") || mark());
  form.addEventListener("submit", (event) => {
    const leaves = !event.defaultPrevented && !event.submitter?.matches("[data-preview]");
    if (leaves) removeEventListener("beforeunload", ask);
  });
  const isRefused = problems && (problems.closest("form") ?? form) === form;
  if (isRefused || note.textContent === note.dataset.unsaved) mark();
}

for (const note of document.querySelectorAll("[data-unsaved]")) watch(note);
