// Adds day separators in the visitor's time zone, which the server doesn't know.

const transcript = document.querySelector("[data-transcript]");
const template = document.querySelector("template[data-new-day]");
const DAY = 86_400_000; // ms

function dayOf(item) {
  const at = item?.dataset.at ?? item?.querySelector("time")?.dateTime;
  return at ? new Date(at) : new Date();
}

function inWords(day) {
  const daysAgo = Math.round((new Date().setHours(0, 0, 0, 0) - new Date(day).setHours(0, 0, 0, 0)) / DAY);
  if (daysAgo === 0) return template.content.textContent;
  if (daysAgo === 1) return template.dataset.yesterday;
  return day.toLocaleDateString(document.documentElement.lang, { dateStyle: "long" });
}

/** @param {Element} item of the transcript; the first one gets a separator only if it isn't from today */
function separate(item) {
  const above = item.previousElementSibling;
  const line = above?.matches("[data-day]") ? above : null;
  const day = dayOf(item);
  if (day.toDateString() === dayOf(line ? line.previousElementSibling : above).toDateString()) return line?.remove();
  const shown = line ?? template.content.firstElementChild.cloneNode(true);
  shown.textContent = inWords(day);
  if (!line) item.before(shown);
}

for (const item of transcript.querySelectorAll(":scope > :not([data-day])")) separate(item);
document.addEventListener("webchat:drawn", ({ detail }) => separate(detail.turn));
document.addEventListener("htmx:load", ({ target }) => {
  if (target.parentElement === transcript && !target.matches("[data-day]")) separate(target);
});
document.addEventListener("webchat:returned", () => {
  if (transcript.lastElementChild?.matches("[data-day]")) transcript.lastElementChild.remove();
});
