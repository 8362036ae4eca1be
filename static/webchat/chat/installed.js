// Registers the service worker only in an installed app, so that other visitors load and store nothing.
const app = document.querySelector("link[rel=manifest]")?.dataset;

if (app && matchMedia("(display-mode: standalone)").matches) {
  addEventListener("load", () => navigator.serviceWorker?.register(app.worker).catch(() => {}));
}
