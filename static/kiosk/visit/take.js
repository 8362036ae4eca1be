// "Take it with you": shows the code, counts its time down, and ends the visit once a phone has taken the conversation.

const dialog = document.querySelector("[data-take-dialog]");
const FAREWELL = 3000; // ms in which "It’s on your phone now" can be read

document.addEventListener("htmx:load", ({ target }) => {
  if (!target.matches("[data-transfer-code]")) return;
  if (target.matches("[data-taken]")) {
    target.querySelector("h2").focus();
    return setTimeout(() => document.querySelector("[data-finish]").click(), FAREWELL);
  }
  dialog.showModal();
  const line = target.querySelector("[data-seconds-left]");
  const end = performance.now() + Number(line?.dataset.secondsLeft) * 1000;
  const tick = () => {
    if (!line?.isConnected || !dialog.open) return clearInterval(timer);
    const left = Math.ceil((end - performance.now()) / 1000);
    if (left <= 0) return dialog.close();
    line.textContent = line.dataset.sentence.replace("#", String(left));
    dispatchEvent(new Event("kiosk:active")); // a visitor busy with their phone doesn't touch the screen
  };
  const timer = setInterval(tick, 1000);
  tick();
});

// Stop polling when the code is no longer shown.
dialog.addEventListener("close", () => dialog.querySelector("[data-transfer-code]").replaceChildren());
