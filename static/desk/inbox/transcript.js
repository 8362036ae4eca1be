// The transcript stays at its end for whoever reads there or writes, and where it is for everybody else.

const NEAR = 80; // px
const transcript = () => document.getElementById("inbox-transcript");
let isAtTheEnd = true;
let hasSent = false;
let shown = new Set(ids());

function ids() {
  return [...(transcript()?.children ?? [])].map((item) => item.id);
}

function atTheEnd() {
  const list = transcript();
  return !list || list.scrollHeight - list.scrollTop - list.clientHeight < NEAR;
}

const toTheEnd = () => transcript()?.scrollTo({ top: transcript().scrollHeight, behavior: "instant" });

document.addEventListener("inbox:sent", () => (hasSent = true));

let top = 0;
document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  if (detail.target.id !== "inbox-transcript") return;
  isAtTheEnd = hasSent || atTheEnd();
  hasSent = false;
  top = transcript().scrollTop;
});

document.addEventListener("htmx:oobAfterSwap", ({ detail }) => {
  if (detail.target.id !== "inbox-transcript") return;
  if (isAtTheEnd) toTheEnd();
  else transcript().scrollTop = top;
  for (const item of transcript().children) if (!shown.has(item.id)) announce(item);
  shown = new Set(ids());
});

/** Messages of visitors, and who comes and goes, are announced to screen readers. @param {Element} item */
function announce(item) {
  const inbox = document.querySelector("[data-inbox]");
  const words = item.querySelector("[data-message]") ?? (item.matches(".event") ? item : null);
  if (!words) return;
  const file = item.querySelector("[data-file]");
  const said = document.createElement("p");
  said.textContent = item.matches(".event") ? words.textContent : (file?.dataset.file ?? inbox.dataset.said.replace("#", () => words.textContent));
  const announcer = document.querySelector("[data-announcer]");
  announcer.append(said);
  setTimeout(() => said.remove(), 2000);
}

toTheEnd();
