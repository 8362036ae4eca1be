// In a hidden tab the title counts arriving replies, with a sound if the visitor wants one. Also shows the offline notice.

const title = document.title;
const sound = document.querySelector("[data-preference=sound]");
const offline = document.querySelector("[data-offline]");
let unread = 0;

function chime() {
  const context = new AudioContext();
  const tone = context.createOscillator();
  const volume = context.createGain();
  volume.gain.setValueAtTime(0.08, context.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + 0.5);
  tone.frequency.value = 660;
  tone.connect(volume).connect(context.destination);
  tone.start();
  tone.stop(context.currentTime + 0.5);
  tone.onended = () => context.close();
}

document.addEventListener("htmx:load", ({ target }) => {
  if (!document.hidden || !target.matches("[data-turn], [data-entry]") || target.querySelector("[data-waiting]")) return;
  unread += 1;
  document.title = `(${unread}) ${title}`;
  if (sound.checked) chime();
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
