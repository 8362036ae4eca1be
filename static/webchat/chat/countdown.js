// Counts down how long to wait. When it is over, the composer or the alert's button works again, without a reload.

/** @param {Element} waiting */
function start(waiting) {
  // Not performance.now(): in some browsers it stands still while the computer sleeps.
  const end = Date.now() + Number(waiting.dataset.wait) * 1000;
  const line = waiting.querySelector("[data-countdown]");
  const timer = setInterval(() => {
    const left = Math.ceil((end - Date.now()) / 1000);
    if (!waiting.isConnected) return clearInterval(timer);
    if (left > 0) {
      if (line) line.textContent = words(line.dataset, left);
      return;
    }
    clearInterval(timer);
    waiting.removeAttribute("data-wait");
    if (waiting.matches("[data-composer]")) document.getElementById("composer-refusal").replaceChildren();
    else line?.remove();
    waiting.querySelector("[data-later]")?.remove();
    waiting.querySelectorAll("[data-after-waiting]").forEach((form) => (form.hidden = false));
    document.dispatchEvent(new Event("webchat:waited"));
  }, 1000);
}

function words({ countdown, minutes }, left) {
  return minutes && left > 60 ? minutes.split("|")[Math.ceil(left / 60) - 1] : countdown.replace("#", String(left));
}

document.addEventListener("htmx:load", ({ target }) => {
  if (target.matches("[data-wait]")) start(target);
  target.querySelectorAll("[data-wait]").forEach(start);
});
