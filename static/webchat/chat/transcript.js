// The transcript scrolls to what is new, but only for a reader who is at its end.

const NEAR = 120; // px from the end of the page that still count as being at its end
const transcript = document.querySelector("[data-transcript]");
const latest = document.querySelector("[data-latest]");
const suggestions = document.querySelector("[data-suggestions]");
let wasAtTheEnd = true;

const page = document.scrollingElement;
const atTheEnd = () => page.scrollHeight - page.scrollTop - page.clientHeight < NEAR;
const toTheEnd = () => page.scrollTo({ top: page.scrollHeight, behavior: "instant" });
let scrolling = null;

/** Scrolls in the next frame, which lays out the page anyway, so that a request needn't wait for a layout of its own. */
function soon(scroll) {
  if (!scrolling) requestAnimationFrame(() => (scrolling(), (scrolling = null)));
  scrolling = scroll;
}

document.addEventListener("webchat:drawn", () => {
  suggestions?.setAttribute("hidden", "");
  latest.hidden = true;
  soon(toTheEnd);
});

document.addEventListener("htmx:beforeSwap", () => (wasAtTheEnd = scrolling !== null || atTheEnd()));
for (const type of ["arrived", "returned"]) document.addEventListener(`webchat:${type}`, showStarted);

// "Try again" disappears with its alert: the focus moves to the turn, which shows the outcome.
document.addEventListener("htmx:beforeRequest", ({ target }) => {
  if (target.closest("[data-alert], form[hx-post$='/again']")) target.closest("[data-turn]").focus({ preventScroll: true });
});

function showStarted() {
  const started = transcript.querySelector("[data-turn]") !== null;
  document.querySelector(".top [data-new-conversation]")?.toggleAttribute("hidden", !started);
  suggestions?.toggleAttribute("hidden", started);
}

document.addEventListener("webchat:resumed", () => {
  showStarted();
  toTheEnd();
});

document.addEventListener("htmx:load", (event) => {
  const turn = event.target;
  if (turn.matches("[data-entry]") && wasAtTheEnd) soon(toTheEnd);
  if (!turn.matches("[data-turn]")) return;
  const outcome = turn.querySelector("[data-reply], [data-alert]");
  if (!outcome) {
    if (["pending", "person"].includes(turn.dataset.state) && wasAtTheEnd) soon(toTheEnd);
  } else {
    turn.dataset.arrived = "";
    if (wasAtTheEnd) soon(() => turn.scrollIntoView({ block: "start", behavior: "instant" }));
    // Visible only to those who read further up; reachable by everybody with the keyboard.
    latest.toggleAttribute("data-quiet", wasAtTheEnd);
    latest.hidden = false;
    latest.onclick = () => {
      latest.hidden = true;
      turn.scrollIntoView({ block: "start" });
      (turn.querySelector("article.theirs") ?? outcome).focus({ preventScroll: true });
    };
  }
});

// A composer that grows must not cover the end of the transcript for those who read there.
let stayAtTheEnd = true;
document.addEventListener("scroll", () => (stayAtTheEnd = atTheEnd()), { passive: true });
const bars = [document.querySelector(".top"), document.querySelector(".bottom")];
const resized = new ResizeObserver(() => {
  // For the style sheet: what the keyboard brings into view must not end up behind them.
  bars.forEach((bar, n) => page.style.setProperty(["--top", "--bottom"][n], `${bar.offsetHeight}px`));
  if (stayAtTheEnd && transcript.querySelector("[data-turn]")) toTheEnd();
});
bars.forEach((bar) => resized.observe(bar));
// A phone's keyboard that opens, or a phone that is turned.
addEventListener("resize", () => stayAtTheEnd && transcript.querySelector("[data-turn]") && toTheEnd());

// "What was wrong?" opens below a reply, which may be the last thing above the composer.
document.addEventListener("htmx:load", ({ target }) => target.matches("[data-feedback]") && soon(() => intoView(target)));
document.addEventListener("toggle", ({ target }) => target.closest("[data-feedback]") && soon(() => intoView(target)), true);
const intoView = (opened) => (opened.querySelector(".why") ?? opened).scrollIntoView({ block: "nearest", behavior: "instant" });

document.addEventListener("scroll", () => atTheEnd() && latest.toggleAttribute("data-quiet", true), { passive: true });

if (transcript.querySelector("[data-turn]")) {
  if (location.hash.startsWith("#turn-")) history.replaceState(null, "", location.pathname + location.search);
  toTheEnd();
}
