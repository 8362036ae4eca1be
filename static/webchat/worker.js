// The service worker of an installed page: one page for when there is no connection. It keeps nothing else, least of
// all a conversation.
const OFFLINE = `${registration.scope}offline`;

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(caches.open(registration.scope).then((cache) => cache.add(new Request(OFFLINE, { cache: "reload" }))));
});

addEventListener("activate", (event) => event.waitUntil(registration.navigationPreload?.enable()));

addEventListener("fetch", (event) => {
  if (event.request.mode === "navigate" && event.request.method === "GET") event.respondWith(answer(event));
});

async function answer({ request, preloadResponse }) {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch {
    return (await caches.match(OFFLINE)) ?? Response.error();
  }
}
