// Keeps the transcript's end in view while the team member reads there or writes; otherwise nothing scrolls.

const NEAR = 80; // px
const transcript = () => document.getElementById("inbox-transcript");
let isAtTheEnd = true; // until the team member scrolls up
let hasSent = false;
let isOwn = false; // the current swap brings something written here
let shown = new Set(ids());

function ids() {
  return [...(transcript()?.children ?? [])].map((item) => item.id);
}

function atTheEnd() {
  const list = transcript();
  return !list || list.scrollHeight - list.scrollTop - list.clientHeight < NEAR;
}

const toTheEnd = () => transcript()?.scrollTo({ top: transcript().scrollHeight, behavior: "instant" });

// The growing text box takes space from it.
const resized = new ResizeObserver(() => isAtTheEnd && toTheEnd());
if (transcript()) resized.observe(transcript());
let top = 0;
const look = ({ target }) => {
  if (target !== transcript()) return;
  isAtTheEnd = atTheEnd() || (isAtTheEnd && target.scrollTop >= top);
  top = target.scrollTop;
};
document.addEventListener("scroll", look, { capture: true, passive: true });

document.addEventListener("inbox:sent", () => (hasSent = true));

document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  if (detail.target.id !== "inbox-transcript") return;
  isOwn = hasSent;
  isAtTheEnd ||= hasSent;
  hasSent = false;
  top = transcript().scrollTop;
});

document.addEventListener("htmx:oobAfterSwap", ({ detail }) => {
  if (detail.target.id !== "inbox-transcript") return;
  if (isAtTheEnd) toTheEnd();
  else transcript().scrollTop = top;
  resized.observe(transcript());
  for (const item of transcript().children) if (!shown.has(item.id)) announce(item);
  shown = new Set(ids());
});

/** The announcement for screen readers; none for the bot's replies. @param {Element} item */
function words(item) {
  if (item.matches(".event")) return item.textContent;
  const sentences = document.querySelector("[data-inbox]").dataset;
  const team = item.querySelector("[data-team-message], [data-note]");
  if (team) return isOwn && !team.matches("[data-note]") ? sentences.sent : `${item.querySelector(".by bdi, .by").textContent}: ${team.textContent}`;
  const message = item.querySelector("[data-message]");
  return item.querySelector("[data-file]")?.dataset.file ?? (message && sentences.said.replace("#", () => message.textContent));
}

/** @param {Element} item */
function announce(item) {
  const told = words(item);
  if (!told) return;
  const said = document.createElement("p");
  said.textContent = told;
  document.querySelector("[data-announcer]").append(said);
  setTimeout(() => said.remove(), 2000);
}
