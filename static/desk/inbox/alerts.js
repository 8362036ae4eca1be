// The number of unread messages is in the tab's title and the navigation; with a sound and a notification on request.

const title = document.title.replace(/^\(\d+\) /, "");
const unread = () => Number(document.getElementById("inbox-list").dataset.unread);
const words = document.querySelector("[data-inbox]").dataset;
const blocked = document.querySelector("[data-blocked]");
let before = unread();

/** The choice is stored in the browser; where storage is refused, it lasts for this page. */
const wanted = { sound: false, notifications: false };
for (const box of document.querySelectorAll("[data-preference]")) {
  const name = box.dataset.preference;
  try {
    box.checked = wanted[name] = localStorage.getItem(`inbox ${name}`) === "1";
  } catch {
    // as above
  }
  box.addEventListener("change", async () => {
    if (name === "notifications" && box.checked) {
      const may = "Notification" in window && (await Notification.requestPermission()) === "granted";
      box.checked = may;
      blocked.hidden = may;
    }
    wanted[name] = box.checked;
    try {
      localStorage.setItem(`inbox ${name}`, box.checked ? "1" : "0");
    } catch {
      // as above
    }
  });
}

/** Never the message's text: others may see the screen. */
function notify(count) {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  try {
    new Notification(words.inbox, { body: words.waiting.replace("#", count), tag: "inbox", renotify: true });
  } catch {
    // Chrome on Android shows only a service worker's, which the desk has none of
  }
}

/** Announce it to screen readers. */
function announce(count) {
  const said = document.createElement("p");
  said.textContent = words.unread.replace("#", count);
  document.querySelector("[data-announcer]").append(said);
  setTimeout(() => said.remove(), 2000);
}

function show() {
  const count = unread();
  document.title = count ? `(${count}) ${title}` : title;
  const badge = document.querySelector("[data-badge]");
  badge.hidden = !count;
  badge.querySelector("[data-count]").textContent = String(count);
  if (count > before) {
    announce(count);
    if (wanted.sound) document.dispatchEvent(new Event("webchat:chime"));
    if (wanted.notifications && !document.hasFocus()) notify(count);
  }
  before = count;
}

document.addEventListener("htmx:oobAfterSwap", ({ detail }) => detail.target.id === "inbox-list" && show());
show();
