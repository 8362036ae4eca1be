// Watches the screen's script from outside: if it never starts, or stops, the page is reloaded.
(() => {
  const LOOKS_EVERY = 5000; // ms
  const ENOUGH = 6; // failed checks: counted, because after a computer's sleep much time seems to have passed
  let heard;
  let inVain = 0;

  async function reload() {
    try {
      const answer = await fetch(location.href, { cache: "no-store", signal: AbortSignal.timeout(LOOKS_EVERY) });
      if (answer.ok) location.reload();
    } catch {
      // the site is down, too: keep this page rather than show the browser's error page
    }
  }

  setInterval(() => {
    inVain = window.beat === heard ? inVain + 1 : 0;
    heard = window.beat;
    if (inVain >= ENOUGH) reload();
  }, LOOKS_EVERY);
})();
