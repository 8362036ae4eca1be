// Only a page that was installed as an app needs its service worker: other visitors load and keep nothing of it.
const app = document.querySelector("link[rel=manifest]")?.dataset;

if (app && matchMedia("(display-mode: standalone)").matches) {
  addEventListener("load", () => navigator.serviceWorker?.register(app.worker).catch(() => {}));
}
