// In place of the service worker of a page that is no app any more: removes it, with what it has kept.
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(caches.delete(registration.scope).then(() => registration.unregister())));
