// The transcript: the visitor's message stands there at once; the scroll follows only a reader who is at its end.

const NEAR = 120; // px from the end of the page that still count as being at its end
const transcript = document.querySelector("[data-transcript]");
const latest = document.querySelector("[data-latest]");
const suggestions = document.querySelector("[data-suggestions]");
let wasAtTheEnd = true;

const page = document.scrollingElement;
const atTheEnd = () => page.scrollHeight - page.scrollTop - page.clientHeight < NEAR;
const toTheEnd = () => page.scrollTo({ top: page.scrollHeight, behavior: "instant" });
let scrolling = null;

/** In the next frame, which lays the page out anyhow: what is asked of the server meanwhile needn't wait for that. */
function soon(scroll) {
  if (!scrolling) requestAnimationFrame(() => (scrolling(), (scrolling = null)));
  scrolling = scroll;
}

/** The turn as the visitor sees it until the server's own takes its place. */
function draw(key, text) {
  const id = `turn-${key}`;
  if (!document.getElementById(id)) {
    const turn = document.querySelector("template[data-sent]").content.firstElementChild.cloneNode(true);
    turn.id = id;
    Object.assign(turn.dataset, { turn: "", state: "sending" });
    turn.querySelector(".waiting").dataset.waiting = "";
    const message = turn.querySelector(".text");
    message.dataset.message = "";
    message.textContent = text;
    transcript.append(turn);
    // The suggestion that was pressed goes away: the focus goes on with what came of it.
    if (suggestions?.contains(document.activeElement)) turn.focus({ preventScroll: true });
  }
  suggestions?.setAttribute("hidden", "");
  latest.hidden = true;
  soon(toTheEnd);
}

const drawn = () => transcript.querySelector("[data-turn][data-state=sending]");
const isSending = (event) => event.detail.requestConfig?.path.endsWith("/messages");

document.addEventListener("htmx:beforeSend", (event) => {
  if (!isSending(event)) return;
  const form = event.detail.requestConfig.formData;
  const text = (form.get("suggestion") || form.get("message")).trim();
  if (text) draw(form.get("key"), text);
});

document.addEventListener("htmx:beforeSwap", (event) => {
  wasAtTheEnd = scrolling !== null || atTheEnd();
  if (!isSending(event) || !event.detail.shouldSwap || event.detail.xhr.status !== 200) return;
  const turn = document.getElementById(`turn-${event.detail.requestConfig.formData.get("key")}`);
  if (!turn) return;
  event.detail.target = turn;
  event.detail.swapOverride = "outerHTML";
});

document.addEventListener("htmx:afterRequest", (event) => {
  if (!isSending(event)) return;
  const refused = drawn(); // the text is in the composer still
  if (refused?.contains(document.activeElement)) document.getElementById("message").focus();
  refused?.remove();
  showStarted();
});

// "Try again" goes away with its alert: the focus stays with the turn, and so with what comes of it.
document.addEventListener("htmx:beforeRequest", ({ target }) => {
  if (target.closest("[data-alert]")) target.closest("[data-turn]").focus({ preventScroll: true });
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
  if (!turn.matches("[data-turn]")) return;
  const outcome = turn.querySelector("[data-reply], [data-alert]");
  if (!outcome) {
    if (turn.dataset.state === "pending" && wasAtTheEnd) soon(toTheEnd);
  } else {
    if (wasAtTheEnd) soon(() => turn.scrollIntoView({ block: "start", behavior: "instant" }));
    // Seen only by who reads further up; there for everybody who goes through the page with the keyboard.
    latest.toggleAttribute("data-quiet", wasAtTheEnd);
    latest.hidden = false;
    latest.onclick = () => {
      latest.hidden = true;
      turn.scrollIntoView({ block: "start" });
      (turn.querySelector("article.theirs") ?? outcome).focus({ preventScroll: true });
    };
  }
});

// A composer that grows, or says something, must not hide the end of the transcript from who reads there.
let stayAtTheEnd = true;
document.addEventListener("scroll", () => (stayAtTheEnd = atTheEnd()), { passive: true });
const bars = [document.querySelector(".top"), document.querySelector(".bottom")];
const resized = new ResizeObserver(() => {
  // What the keyboard brings into view must not end up behind them.
  bars.forEach((bar, n) => page.style.setProperty(["--top", "--bottom"][n], `${bar.offsetHeight}px`));
  if (stayAtTheEnd && transcript.querySelector("[data-turn]")) toTheEnd();
});
bars.forEach((bar) => resized.observe(bar));

document.addEventListener("scroll", () => atTheEnd() && latest.toggleAttribute("data-quiet", true), { passive: true });

if (transcript.querySelector("[data-turn]")) {
  if (location.hash.startsWith("#turn-")) history.replaceState(null, "", location.pathname + location.search);
  toTheEnd();
}
