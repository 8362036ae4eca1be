// Ends an idle visit after a warning with a countdown. Activity is: touch, keys, scrolling, speech, waiting for a reply.

const kiosk = document.querySelector("[data-kiosk]").dataset;
const [IDLE, WARNING] = [Number(kiosk.idle) * 1000, Number(kiosk.warning) * 1000];
const LONGEST_REPLY = 15 * 60 * 1000; // a reply that takes longer won't come
const SAID_EVERY = 10; // seconds
const count = document.querySelector("[data-count]");
const said = document.querySelector("[data-count-said]");
const stands = () => document.documentElement.dataset.stands;
let last = performance.now();
let awaitedSince = null;

const tell = (type, detail) => document.dispatchEvent(new CustomEvent(type, { detail }));
const visit = () => document.querySelector("[data-stand=visit] iframe")?.contentDocument;

function isAwaited(now) {
  if (window.speechSynthesis?.speaking) return true;
  if (!visit()?.querySelector("[data-transcript] [data-waiting]")) awaitedSince = null;
  else awaitedSince ??= now;
  return awaitedSince !== null && now - awaitedSince < LONGEST_REPLY;
}

function show(left) {
  count.textContent = String(left);
  count.closest("p").style.setProperty("--left", String((left * 1000) / WARNING));
  if (left % SAID_EVERY === 0 && left > 0) said.textContent = said.dataset.left.replace("#", String(left));
}

function tick() {
  const now = performance.now();
  if (stands() === "visit" && isAwaited(now)) last = now;
  const quiet = now - last;
  const left = Math.max(0, Math.ceil((IDLE + WARNING - quiet) / 1000));
  if (stands() === "attract") {
    if (!location.search) last = now;
    else if (quiet >= IDLE) tell("kiosk:go", location.pathname); // only a language was chosen
  } else if (left === 0 && visit()) tell("kiosk:end");
  else if (stands() === "visit" && quiet >= IDLE) {
    show(left);
    tell("kiosk:show", "warning");
  } else if (stands() === "warning") {
    if (quiet < IDLE) tell("kiosk:show", "visit");
    else show(left);
  }
  window.beat = now; // read by the watchdog
}

document.addEventListener("kiosk:active", () => (last = performance.now()));

// On the warning, a touch counts when the finger comes down; the chat below gets only what follows its lifting.
for (const type of ["pointerup", "wheel"]) addEventListener(type, () => (last = performance.now()), { passive: true });
for (const type of ["click", "keydown"]) {
  addEventListener(type, (event) => {
    last = performance.now();
    if (stands() !== "warning") return;
    event.preventDefault(); // the key answered the warning
    tell("kiosk:show", "visit");
  });
}

setInterval(tick, 1000);
