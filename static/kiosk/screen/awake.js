// Keeps the display from switching itself off; browsers take that back whenever the page was out of sight.

let lock = null;

async function take() {
  if (document.hidden || !navigator.wakeLock || (lock && !lock.released)) return;
  try {
    lock = await navigator.wakeLock.request("screen");
  } catch {
    lock = null; // refused, as when the battery is low: the next touch asks again
  }
}

for (const type of ["visibilitychange", "pointerdown"]) document.addEventListener(type, take);
take();
