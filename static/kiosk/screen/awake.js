// Keeps the display on; browsers release the lock whenever the page is hidden.

let lock = null;

async function take() {
  if (document.hidden || !navigator.wakeLock || (lock && !lock.released)) return;
  try {
    lock = await navigator.wakeLock.request("screen");
  } catch {
    lock = null; // refused, for example on low battery: the next touch tries again
  }
}

for (const type of ["visibilitychange", "pointerdown"]) document.addEventListener(type, take);
take();
