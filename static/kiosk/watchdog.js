// Watches over the screen's script from outside of it: when that never starts, or stops, the page is loaded anew.
(() => {
  const LOOKS_EVERY = 5000; // ms
  const ENOUGH = 6; // looks in vain: counted, for a computer that has slept thinks that much time has passed
  let heard;
  let inVain = 0;

  async function reload() {
    try {
      const answer = await fetch(location.href, { cache: "no-store", signal: AbortSignal.timeout(LOOKS_EVERY) });
      if (answer.ok) location.reload();
    } catch {
      // the site is gone as well: this page, though it is dead, is better than the browser's own
    }
  }

  setInterval(() => {
    inVain = window.beat === heard ? inVain + 1 : 0;
    heard = window.beat;
    if (inVain >= ENOUGH) reload();
  }, LOOKS_EVERY);
})();
