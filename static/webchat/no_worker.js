// Replaces the service worker of a page that is no longer an app: removes it and its cache.
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(caches.delete(registration.scope).then(() => registration.unregister())));
