// For a visitor who looks elsewhere: the title counts what has arrived, with a sound if wished; and the notice when offline.

const title = document.title;
const sound = document.querySelector("[data-preference=sound]");
const offline = document.querySelector("[data-offline]");
let arrived = 0;

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
  if (!document.hidden || !target.matches("[data-turn]") || target.querySelector("[data-waiting]")) return;
  arrived += 1;
  document.title = `(${arrived}) ${title}`;
  if (sound.checked) chime();
});

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  arrived = 0;
  document.title = title;
});

const show = () => (offline.hidden = navigator.onLine);
addEventListener("online", show);
addEventListener("offline", show);
show();
