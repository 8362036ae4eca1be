// “Notify me when somebody answers”: the rest is loaded when it is pressed.
const app = document.querySelector("link[rel=manifest]")?.dataset;

if (app && window.PushManager && window.Notification && Notification.permission !== "denied") {
  document.documentElement.dataset.mayNotify = "";
}

document.addEventListener("click", ({ target }) => {
  if (!target.matches("[data-tell-me]")) return;
  const permission = Notification.requestPermission(); // at once: Safari requires it in the click handler itself
  const { notify, refused } = target.form.dataset;
  import(notify)
    .then(({ subscribe }) => subscribe(app.worker, permission))
    .catch(() => document.dispatchEvent(new CustomEvent("webchat:refuse", { detail: refused })));
});
