// The heartbeat: notices when the server or the network fails and recovers, and carries out the owner's commands.

const kiosk = document.querySelector("[data-kiosk]").dataset;
const INTERVAL = 10_000; // ms
const RETRY_AFTER = 3000;
const TIMEOUT = 8000; // ms, for one response
const MAX_FAILURES = 2; // failures in a row; a single one may be a restart
let failures = 0;
let timer;
let pendingUrl = null; // the URL to load once nobody uses the screen, when this page is out of date

const tell = (type, detail) => document.dispatchEvent(new CustomEvent(type, { detail }));

/** Called only right after a response: if the site were down, the browser's error page would load and stay. */
function loadIfIdle() {
  if (pendingUrl && failures === 0 && ["attract", "paused"].includes(document.documentElement.dataset.activeScreen)) location.replace(pendingUrl);
}

function apply({ version, paused, address: url }) {
  if (version !== kiosk.version || url !== location.pathname) pendingUrl = url;
  if (paused && !("paused" in kiosk)) tell("kiosk:end");
  paused ? (kiosk.paused = "") : delete kiosk.paused;
  tell("kiosk:cover", { paused, lost: false });
  loadIfIdle();
}

/** @param {string} url to load as soon as the site is known to answer */
function loadOnceOnline(url) {
  pendingUrl = url;
  beat();
}

document.addEventListener("kiosk:go", ({ detail }) => loadOnceOnline(detail));
document.addEventListener("click", ({ target }) => {
  const chosen = target.closest("[data-language]");
  if (chosen) loadOnceOnline(`?lang=${chosen.value}`);
});

async function beat() {
  clearTimeout(timer);
  try {
    const answer = await fetch(kiosk.pulseUrl, { cache: "no-store", redirect: "error", signal: AbortSignal.timeout(TIMEOUT) });
    const status = await answer.json(); // fails for a proxy's or a Wi-Fi log-in page
    if (answer.status === 403) return location.reload(); // the owner has ended this kiosk's enrolment
    if (!answer.ok) throw new Error(answer.status);
    failures = 0;
    apply(status);
  } catch {
    failures += 1;
    if (failures >= MAX_FAILURES || !navigator.onLine) tell("kiosk:cover", { lost: true });
  }
  clearTimeout(timer);
  timer = setTimeout(beat, failures ? RETRY_AFTER : INTERVAL);
}

document.addEventListener("kiosk:refused", beat);
addEventListener("online", beat);
addEventListener("offline", beat);
document.addEventListener("kiosk:shown", ({ detail }) => detail.screen === "attract" && pendingUrl && beat());
document.addEventListener("visibilitychange", () => document.hidden || beat());
beat();
