// Watches the screen's script from outside: if it never starts, or stops, the page is reloaded.
(() => {
  const INTERVAL = 5000; // ms
  const MAX_MISSED = 6; // failed checks: counted, because after a computer's sleep much time seems to have passed
  let lastBeat;
  let missed = 0;

  async function reload() {
    try {
      const answer = await fetch(location.href, { cache: "no-store", signal: AbortSignal.timeout(INTERVAL) });
      if (answer.ok) location.reload();
    } catch {
      // the site is down, too: keep this page rather than show the browser's error page
    }
  }

  setInterval(() => {
    missed = window.beat === lastBeat ? missed + 1 : 0;
    lastBeat = window.beat;
    if (missed >= MAX_MISSED) reload();
  }, INTERVAL);
})();
