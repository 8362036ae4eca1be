// Ends an idle visit after a warning with a countdown. Activity is: touch, keys, scrolling, speech, waiting for a reply.

const kiosk = document.querySelector("[data-kiosk]").dataset;
const [IDLE, WARNING] = [Number(kiosk.idle) * 1000, Number(kiosk.warning) * 1000];
const MAX_WAIT = 15 * 60 * 1000; // a reply that takes longer won't come
const ANNOUNCE_EVERY = 10; // seconds
const count = document.querySelector("[data-count]");
const announcement = document.querySelector("[data-count-said]");
const screen = () => document.documentElement.dataset.activeScreen;
let lastActivity = performance.now();
let awaitedSince = null;

const tell = (type, detail) => document.dispatchEvent(new CustomEvent(type, { detail }));
const visit = () => document.querySelector("[data-screen=visit] iframe")?.contentDocument;

function isBusy(now) {
  if (window.speechSynthesis?.speaking) return true;
  if (!visit()?.querySelector("[data-transcript] [data-waiting], [data-typing]")) awaitedSince = null;
  else awaitedSince ??= now;
  return awaitedSince !== null && now - awaitedSince < MAX_WAIT;
}

function show(left) {
  count.textContent = String(left);
  count.closest("p").style.setProperty("--left", String((left * 1000) / WARNING));
  if (left % ANNOUNCE_EVERY === 0 && left > 0) announcement.textContent = announcement.dataset.left.replace("#", String(left));
}

function tick() {
  const now = performance.now();
  if (screen() === "visit" && isBusy(now)) lastActivity = now;
  const quiet = now - lastActivity;
  const left = Math.max(0, Math.ceil((IDLE + WARNING - quiet) / 1000));
  if (screen() === "attract") {
    if (!location.search) lastActivity = now;
    else if (quiet >= IDLE) tell("kiosk:go", location.pathname); // only a language was chosen
  } else if (left === 0 && visit()) tell("kiosk:end");
  else if (screen() === "visit" && quiet >= IDLE) {
    show(left);
    tell("kiosk:show", "warning");
  } else if (screen() === "warning") {
    if (quiet < IDLE) tell("kiosk:show", "visit");
    else show(left);
  }
  window.beat = now; // read by the watchdog
}

document.addEventListener("kiosk:active", () => (lastActivity = performance.now()));

// On the warning, a touch counts when the finger comes down; the chat below gets only what follows its lifting.
for (const type of ["pointerup", "wheel"]) addEventListener(type, () => (lastActivity = performance.now()), { passive: true });
for (const type of ["click", "keydown"]) {
  addEventListener(type, (event) => {
    lastActivity = performance.now();
    if (screen() !== "warning") return;
    event.preventDefault(); // the key answered the warning
    tell("kiosk:show", "visit");
  });
}

setInterval(tick, 1000);
