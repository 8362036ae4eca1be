// One motion: a sent message glides to the top of the view, and the reply appears below it, in reserved space. Nothing else
// scrolls, except to keep the end in view for a reader there.

const NEAR = 40; // px that the end may lie below the message box and still count as in view
const AIR = 16; // px between the end and the message box
// Backwards: a frame may be older than the start of the animation, and would show the end of it.
const GLIDE = { duration: 180, easing: "ease-out", fill: "backwards" };
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
let scrolledTo = 0; // where the page was scrolled to last
let unseen = []; // items that came since the end was in view
let sentFrom = 0; // where the page was scrolled to when a message was sent

/** Pixels by which the last words lie below the upper edge of the bottom bar, not counting the reserved space. */
function hidden() {
  const last = transcript.lastElementChild?.lastElementChild;
  return last && !isGliding() ? last.getBoundingClientRect().bottom - above.getBoundingClientRect().top : 0;
}

let scrolling = null;
let glides = []; // the running animations, the greeting's first: elements aren't where they appear to be
const isGliding = () => ["paused", "running"].includes(glides[0]?.playState);
const land = () => glides.forEach((each) => each.finish());

/** Scroll in the next frame, which computes the layout anyway, so that no request waits for a layout. */
function soon(scroll) {
  if (!scrolling) requestAnimationFrame(() => (scrolling(), (scrolling = null), look()));
  scrolling = scroll;
}

const toTheEnd = () => page.scrollBy(0, hidden() + AIR);

/** Keep the end in view for a reader there, unless that moves the start of the last turn out of view. */
function uncover() {
  if (!isAtTheEnd || !transcript.querySelector("[data-turn]") || hidden() <= 0) return;
  const way = transcript.lastElementChild.getBoundingClientRect().top - Math.max(top.getBoundingClientRect().bottom, 0);
  page.scrollBy(0, Math.min(hidden() + AIR, way > 0 ? way : Infinity));
}

/** Pixels from the window's top to a turn's position. Not scroll-padding, which is 0 while the top bar has the focus. */
const start = () => (getComputedStyle(top).position === "sticky" ? top.offsetHeight : 0) + 12;

let glided = null; // the id of what glided last: the server replaces the turn

/** Reserve enough space for what glided last to stay at the top of the view, whatever its height and that of the bars below. */
function keepRoom() {
  const last = transcript.lastElementChild;
  const first = document.getElementById(glided) ?? last;
  const space = parseFloat(getComputedStyle(transcript).paddingBlockEnd);
  const box = bottom.getBoundingClientRect().bottom - bottom.querySelector(".box").getBoundingClientRect().top;
  let taken = last.offsetTop - first.offsetTop; // by what came after it; where things are, not where they appear to be
  for (const each of above.querySelectorAll("#leader, #reply-email summary")) taken += each.offsetHeight;
  transcript.style.setProperty("--room", `${Math.max(innerHeight - start() - box - space - taken, 0)}px`);
}

/** When the bar above the message box goes, as when a person hands back, the page ends later instead of moving. */
function keepPosition() {
  const lost = scrolledTo - page.scrollTop;
  if (lost <= 0) return;
  transcript.style.setProperty("--room", `${transcript.lastElementChild.offsetHeight + lost + 1}px`); // + 1: the height is rounded
  page.scrollTop = scrolledTo;
}

/** What goes to the top with a message: its day, and what has just been said with a person, which it answers. */
function beginning(turn) {
  let first = turn;
  const isNear = (above) => turn.getBoundingClientRect().top - above.getBoundingClientRect().top < innerHeight / 2;
  for (let above; (above = first.previousElementSibling)?.matches("[data-day], [data-kind=message], [data-state=person]") && isNear(above); ) first = above;
  return first;
}

function glide(turn) {
  if (!turn) return;
  land(); // the last message's turn would be measured in the wrong place
  const before = page.scrollTop;
  const first = beginning(turn);
  glided = first.id || turn.id;
  keepRoom();
  page.scrollBy(0, first.getBoundingClientRect().top - start());
  glideFrom(before);
}

/** The page has been scrolled at once: animate only the appearance, so that the visitor can scroll meanwhile. */
function glideFrom(before) {
  const way = Math.min(page.scrollTop - before, innerHeight);
  if (isCalm.matches || way <= 0) return showTopics();
  const from = [{ translate: `0 ${way}px` }, { translate: "0" }];
  // Only what is in view meanwhile: of a whole transcript, browsers would paint parts far out of view as well. All are measured
  // before the first one moves, which would have the browser compute the layout anew for each.
  const parts = [greeting];
  let part = transcript.lastElementChild;
  for (; part?.getBoundingClientRect().bottom > -way; part = part.previousElementSibling) parts.push(part);
  glides = parts.map((each) => each.animate(from, GLIDE));
  for (const each of glides) each.pause();
  requestAnimationFrame((now) => glides.forEach((each) => each.playState === "paused" && (each.startTime = now)));
  glides[0].onfinish = () => (showTopics(), look());
}

// The server's turn goes on from where the drawn one is. By the time of the start: how far it has come, a busy page knows too late.
document.addEventListener("htmx:load", ({ target }) => {
  if (!isGliding() || !target.matches("[data-turn]")) return;
  const glide = target.animate(glides[0].effect.getKeyframes(), GLIDE);
  if (glides[0].playState === "paused") glide.pause();
  else glide.startTime = glides[0].startTime;
  glides.push(glide);
});

document.addEventListener("webchat:drawn", ({ detail }) => {
  unseen = [];
  sentFrom = scrolledTo; // without a layout before the frame's own
  latest.dataset.quiet = ""; // at once: the message box may move, as when a kiosk's keyboard closes
  soon(() => glide(document.getElementById(detail.turn.id))); // the server's turn may have replaced it by then
});

// Before the first message the greeting stands in the middle. Neither a growing composer nor the first turn may move it:
// it keeps its height and glides away unchanged.
function holdGreeting() {
  if ((isEmpty() && !greeting.style.minBlockSize) || transcript.hidden) greeting.style.minBlockSize = `${greeting.getBoundingClientRect().height}px`;
}
const letGreetingGo = () => isEmpty() && (greeting.style.minBlockSize = "");
for (const type of ["input", "htmx:beforeSend"]) document.addEventListener(type, holdGreeting, { capture: true });

/** Show the button to the end, with a count of what is new, while the end is out of view. */
function look() {
  isAtTheEnd = hidden() < NEAR;
  if (isAtTheEnd) unseen = [];
  latest.toggleAttribute("data-quiet", isAtTheEnd);
  latest.hidden = !transcript.querySelector("[data-reply], [data-alert], [data-team-message]");
  count.textContent = unseen.length || "";
}
document.addEventListener("scroll", () => ((scrolledTo = page.scrollTop), look()));

latest.onclick = () => {
  land();
  const next = unseen[0]?.isConnected ? unseen[0] : null;
  if (next) next.scrollIntoView();
  else toTheEnd();
  const outcomes = (next ?? transcript).querySelectorAll("article.theirs, [data-alert]");
  outcomes[next ? 0 : outcomes.length - 1]?.focus({ preventScroll: true });
  unseen = [];
  look();
};

for (const type of ["arrived", "returned"]) document.addEventListener(`webchat:${type}`, showTopics);
// Without the message the page is where it was: before a refusal makes it longer, which would leave it further down.
document.addEventListener("webchat:returned", () => (page.scrollTop = Math.min(page.scrollTop, sentFrom)));

// "Try again" disappears with its alert: the focus moves to the turn, which shows the outcome.
document.addEventListener("htmx:beforeRequest", ({ target }) => {
  if (target.closest("[data-alert], [data-stopped], form[hx-post$='/again']")) target.closest("[data-turn]").focus({ preventScroll: true });
});

/** The suggestions glide away with the greeting; their space stays, so that nothing in it moves. */
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
  if (glided && transcript.lastElementChild.id !== glided) keepRoom(); // what comes after it shares its space
  keepPosition();
  // No space is reserved for a person's messages, nor for a message from another tab.
  const follows = isAtTheEnd && (target.matches("[data-entry]") || ["pending", "person"].includes(target.dataset.state));
  const isFirst = transcript.firstElementChild === target;
  const follow = () => {
    if (hidden() <= 0) return;
    if (isFirst) return glide(target);
    const before = page.scrollTop;
    toTheEnd();
    glideFrom(before);
  };
  if (follows) soon(() => (isGliding() ? glides[0].finished.then(follow) : follow()));
  else requestAnimationFrame(look);
});

// A file that the visitor has sent is followed as well, wherever they are reading.
document.addEventListener("webchat:ask", () => {
  if (hidden() > 0) toTheEnd();
  look();
});

// A growing composer, or a phone's keyboard, must not cover the end for a reader there.
const resized = new ResizeObserver(() => {
  // For the style sheet: what scrolls into view must not end up behind the bars.
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

// "What was wrong?" opens below a reply, possibly right above the composer.
document.addEventListener("htmx:load", ({ target }) => target.matches("[data-feedback]") && soon(() => intoView(target)));
document.addEventListener("toggle", ({ target }) => target.closest("[data-feedback], [data-codes], .source[open]") && soon(() => intoView(target)), true);
const intoView = (opened) => (opened.querySelector(".why, .passage") ?? opened).scrollIntoView({ block: "nearest" });

if (transcript.querySelector("[data-turn]")) {
  if (location.hash.startsWith("#turn-")) history.replaceState(null, "", location.pathname + location.search);
  toTheEnd();
  look();
}
