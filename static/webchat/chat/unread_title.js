// Counts new replies in a hidden tab's title, with a sound if the visitor wants one. Also shows the offline notice.

const title = document.title;
const sound = document.querySelector("[data-preference=sound]");
const offline = document.querySelector("[data-offline]");
let unread = 0;

document.addEventListener("htmx:load", ({ target }) => {
  if (!document.hidden || !target.matches("[data-turn], [data-entry]") || target.querySelector("[data-waiting]")) return;
  unread += 1;
  document.title = `(${unread}) ${title}`;
  if (sound.checked) document.dispatchEvent(new Event("webchat:chime"));
});

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  unread = 0;
  document.title = title;
});

const showOffline = () => (offline.hidden = navigator.onLine);
addEventListener("online", showOffline);
addEventListener("offline", showOffline);
showOffline();
