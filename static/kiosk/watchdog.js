// Watches over the screen's script from outside of it: when that never starts, or stops, the page is loaded anew.
(() => {
  const LOOKS_EVERY = 5000; // ms
  const PATIENCE = 30_000;
  let heard;
  let since = performance.now();

  async function reload() {
    try {
      const answer = await fetch(location.href, { cache: "no-store", signal: AbortSignal.timeout(LOOKS_EVERY) });
      if (answer.ok) location.reload();
    } catch {
      // the site is gone as well: this page, though it is dead, is better than the browser's own
    }
  }

  setInterval(() => {
    const now = performance.now();
    if (window.beat !== heard) [heard, since] = [window.beat, now];
    else if (now - since > PATIENCE) reload();
  }, LOOKS_EVERY);
})();
