// Counts down how long to wait; when it is over, the way is free again without anything to press.

/** @param {Element} waiting */
function start(waiting) {
  const end = performance.now() + Number(waiting.dataset.wait) * 1000;
  const line = waiting.querySelector("[data-countdown]");
  const timer = setInterval(() => {
    const left = Math.ceil((end - performance.now()) / 1000);
    if (!waiting.isConnected) return clearInterval(timer);
    if (left > 0) {
      if (line) line.textContent = line.dataset.countdown.replace("#", String(left));
      return;
    }
    clearInterval(timer);
    waiting.removeAttribute("data-wait");
    if (waiting.matches("[data-composer]")) document.getElementById("composer-refusal").replaceChildren();
    else line?.remove();
    document.dispatchEvent(new Event("webchat:waited"));
  }, 1000);
}

document.addEventListener("htmx:load", ({ target }) => {
  if (target.matches("[data-wait]")) start(target);
  target.querySelectorAll("[data-wait]").forEach(start);
});
