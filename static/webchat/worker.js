// The service worker of an installed page and of one with notifications: it shows the offline page and the
// notifications, and caches nothing else, least of all a conversation.
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

addEventListener("push", (event) => {
  const { title, url, ...more } = event.data.json();
  event.waitUntil(registration.showNotification(title, { ...more, tag: url, data: url }));
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(event.notification.data));
});

async function show(url) {
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find((each) => new URL(each.url).pathname === url);
  return page ? page.focus() : clients.openWindow(url);
}
