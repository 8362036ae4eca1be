// One motion: a sent message glides to the top of the view, and the reply appears below it, where room is kept for it. Nothing
// else scrolls, but for a reader at the end whom something would cover.

const NEAR = 40; // px that the end may lie below the message box and still count as in sight
const AIR = 16; // px between the end and the message box
const GLIDE = { duration: 180, easing: "ease-out" };
const transcript = document.querySelector("[data-transcript]");
const greeting = document.querySelector("[data-greeting]");
const latest = document.querySelector("[data-latest]");
const count = latest.querySelector("[data-count]");
const topics = document.querySelectorAll("[data-suggestions], [data-search], [data-continue]");
const [top, above, bottom] = [".top", ".above", ".bottom"].map((bar) => document.querySelector(bar));
const isCalm = matchMedia("(prefers-reduced-motion: reduce)");
const page = document.scrollingElement;
const isEmpty = () => !transcript.firstElementChild;
let isAtTheEnd = true;
let unseen = []; // what has come since the end was in sight

/** Pixels that the last words lie below the upper edge of what stands at the bottom; the room that is kept below them is no end. */
function hidden() {
  const last = transcript.lastElementChild?.lastElementChild;
  return last && !isGliding() ? last.getBoundingClientRect().bottom - above.getBoundingClientRect().top : 0;
}

let scrolling = null;
let gliding = null; // meanwhile things aren't where they look to be
const isGliding = () => gliding?.playState === "running";

/** Scrolls in the next frame, which lays out the page anyway, so that a request needn't wait for a layout of its own. */
function soon(scroll) {
  if (!scrolling) requestAnimationFrame(() => (scrolling(), (scrolling = null), look()));
  scrolling = scroll;
}

const toTheEnd = () => page.scrollBy({ top: hidden() + AIR, behavior: "instant" });

/** Keeps the end in sight for who reads there, but moves no last turn's beginning out of sight for it. */
function uncover() {
  if (!isAtTheEnd || !transcript.querySelector("[data-turn]") || hidden() <= 0) return;
  const way = transcript.lastElementChild.getBoundingClientRect().top - Math.max(top.getBoundingClientRect().bottom, 0);
  page.scrollBy({ top: Math.min(hidden() + AIR, way > 0 ? way : Infinity), behavior: "instant" });
}

/** Pixels from the window's edge to where a turn begins. Not the page's scroll-padding, which is none while the top has the focus. */
const start = () => (getComputedStyle(top).position === "sticky" ? top.offsetHeight : 0) + AIR;

/** So high that the turn can stand at the top of the view whatever becomes of it, and of what stands above the message box. */
function keepRoom() {
  const space = parseFloat(getComputedStyle(transcript).paddingBlockEnd);
  const box = bottom.getBoundingClientRect().bottom - bottom.querySelector(".box").getBoundingClientRect().top;
  transcript.style.setProperty("--room", `${Math.max(innerHeight - start() - box - space, 0)}px`);
}

/** The page is there at once, and only looks as if it came: it can be scrolled meanwhile. */
function glide(turn) {
  if (!turn) return;
  gliding?.finish(); // of the message before, whose turn would be looked for where it isn't
  const before = page.scrollTop;
  keepRoom();
  const day = turn.previousElementSibling;
  const first = day?.matches("[data-day]") ? day : turn;
  page.scrollBy({ top: first.getBoundingClientRect().top - start(), behavior: "instant" });
  const way = Math.min(page.scrollTop - before, innerHeight);
  if (isCalm.matches || way <= 0) return showTopics();
  for (const part of [greeting, transcript]) gliding = part.animate([{ translate: `0 ${way}px` }, { translate: "0" }], GLIDE);
  gliding.onfinish = () => (showTopics(), look());
}

document.addEventListener("webchat:drawn", ({ detail }) => {
  unseen = [];
  latest.dataset.quiet = ""; // at once: the box below it may move, as a kiosk's does when its keyboard goes
  soon(() => glide(document.getElementById(detail.turn.id))); // the server's own may have taken its place by then
});

// Until something is said the greeting stands in the middle. Neither a composer that grows nor the first turn may move it
// from there: it keeps its height, and glides away as it is.
function holdGreeting() {
  if ((isEmpty() && !greeting.style.minBlockSize) || transcript.hidden) greeting.style.minBlockSize = `${greeting.getBoundingClientRect().height}px`;
}
const letGreetingGo = () => isEmpty() && (greeting.style.minBlockSize = "");
for (const type of ["input", "htmx:beforeSend"]) document.addEventListener(type, holdGreeting, { capture: true });

/** Whether the end is in sight; if not, the way there is, with a count of what is new. */
function look() {
  isAtTheEnd = hidden() < NEAR;
  if (isAtTheEnd) unseen = [];
  latest.toggleAttribute("data-quiet", isAtTheEnd);
  latest.hidden = !transcript.querySelector("[data-reply], [data-alert], [data-team-message]");
  count.textContent = unseen.length || "";
}
document.addEventListener("scroll", look, { passive: true });

latest.onclick = () => {
  gliding?.finish();
  const next = unseen[0]?.isConnected ? unseen[0] : null;
  if (next) next.scrollIntoView({ block: "start", behavior: "instant" });
  else toTheEnd();
  const outcomes = (next ?? transcript).querySelectorAll("article.theirs, [data-alert]");
  outcomes[next ? 0 : outcomes.length - 1]?.focus({ preventScroll: true });
  unseen = [];
  look();
};

for (const type of ["arrived", "returned"]) document.addEventListener(`webchat:${type}`, showTopics);

// "Try again" disappears with its alert: the focus moves to the turn, which shows the outcome.
document.addEventListener("htmx:beforeRequest", ({ target }) => {
  if (target.closest("[data-alert], [data-stopped], form[hx-post$='/again']")) target.closest("[data-turn]").focus({ preventScroll: true });
});

/** They glide away with the greeting and leave their place there, so that nothing in it moves. */
function showTopics() {
  const areGone = !transcript.hidden && transcript.querySelector("[data-turn]");
  for (const each of topics) each.style.visibility = areGone ? "hidden" : "";
}

document.addEventListener("webchat:resumed", () => {
  showTopics();
  if (!isEmpty()) toTheEnd();
  look();
});

document.addEventListener("htmx:load", ({ target }) => {
  if (!target.matches("[data-entry], [data-turn]")) return;
  const isOutcome = target.querySelector("[data-reply], [data-alert], [data-team-message]") !== null;
  if (!isAtTheEnd && isOutcome) unseen.push(target);
  // What a person writes has no room of its own; nor has a message that another tab has sent.
  const follows = isAtTheEnd && (target.matches("[data-entry]") || ["pending", "person"].includes(target.dataset.state));
  const isFirst = transcript.firstElementChild === target;
  const follow = () => hidden() > 0 && (isFirst ? glide(target) : toTheEnd());
  if (follows) soon(() => (isGliding() ? gliding.finished.then(follow) : follow()));
  else requestAnimationFrame(look);
});

// A composer that grows, or a phone's keyboard, must not cover the end for those who read there.
const resized = new ResizeObserver(() => {
  // For the style sheet: what the keyboard brings into view must not end up behind them.
  page.style.setProperty("--top", `${top.offsetHeight}px`);
  page.style.setProperty("--bottom", `${above.offsetHeight + bottom.offsetHeight}px`);
  above.style.setProperty("--bar", `${bottom.offsetHeight}px`);
  uncover();
  look();
});
for (const bar of [top, above, bottom]) resized.observe(bar);
addEventListener("resize", () => {
  letGreetingGo();
  uncover();
  look();
});

// "What was wrong?" opens below a reply, which may be the last thing above the composer.
document.addEventListener("htmx:load", ({ target }) => target.matches("[data-feedback]") && soon(() => intoView(target)));
document.addEventListener("toggle", ({ target }) => target.closest("[data-feedback], [data-codes]") && soon(() => intoView(target)), true);
const intoView = (opened) => (opened.querySelector(".why") ?? opened).scrollIntoView({ block: "nearest", behavior: "instant" });

if (transcript.querySelector("[data-turn]")) {
  if (location.hash.startsWith("#turn-")) history.replaceState(null, "", location.pathname + location.search);
  toTheEnd();
  look();
}
