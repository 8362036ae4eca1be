// The heartbeat: notices when the server or the network goes and comes back, and obeys the owner's commands.

const kiosk = document.querySelector("[data-kiosk]").dataset;
const EVERY = 10_000; // ms
const AGAIN = 3000;
const PATIENCE = 8000; // with one answer
const ENOUGH = 2; // failures in a row: one alone may be a restart
let failures = 0;
let timer;
let news = null; // what makes this page out of date: where to go, once nobody uses the screen

const tell = (type, detail) => document.dispatchEvent(new CustomEvent(type, { detail }));

/** Only right after an answer: without the site, the browser's own error page would load, and stay. */
function takeOver() {
  if (news && failures === 0 && ["attract", "paused"].includes(document.documentElement.dataset.stands)) location.replace(news);
}

function heed({ version, paused, address: url }) {
  if (version !== kiosk.version || url !== location.pathname) news = url;
  if (paused && !("paused" in kiosk)) tell("kiosk:end");
  paused ? (kiosk.paused = "") : delete kiosk.paused;
  tell("kiosk:cover", { paused, lost: false });
  takeOver();
}

/** @param {string} url to go to as soon as it is sure that the site answers */
function go(url) {
  news = url;
  beat();
}

document.addEventListener("kiosk:go", ({ detail }) => go(detail));
document.addEventListener("click", ({ target }) => {
  const chosen = target.closest("[data-language]");
  if (chosen) go(`?lang=${chosen.value}`);
});

async function beat() {
  clearTimeout(timer);
  try {
    const answer = await fetch(kiosk.pulseUrl, { cache: "no-store", redirect: "error", signal: AbortSignal.timeout(PATIENCE) });
    const said = await answer.json(); // a proxy's page, or a hotel's Wi-Fi's, is none
    if (answer.status === 403) return location.reload(); // the owner has dismissed this kiosk
    if (!answer.ok) throw new Error(answer.status);
    failures = 0;
    heed(said);
  } catch {
    failures += 1;
    if (failures >= ENOUGH || !navigator.onLine) tell("kiosk:cover", { lost: true });
  }
  clearTimeout(timer);
  timer = setTimeout(beat, failures ? AGAIN : EVERY);
}

addEventListener("online", beat);
addEventListener("offline", beat);
document.addEventListener("kiosk:shown", ({ detail }) => detail.stands === "attract" && news && beat());
document.addEventListener("visibilitychange", () => document.hidden || beat());
beat();
