// The warning's sound: two quiet tones when it appears and every ten seconds.

const INTERVAL = 10_000; // ms
const TONES = [660, 880]; // Hz
const isWanted = "sound" in document.querySelector("[data-kiosk]").dataset;
let context;
let timer;

function tone(frequency, at) {
  const oscillator = context.createOscillator();
  const volume = context.createGain();
  volume.gain.setValueAtTime(0.0001, at);
  volume.gain.exponentialRampToValueAtTime(0.2, at + 0.03);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.7);
  oscillator.frequency.value = frequency;
  oscillator.connect(volume).connect(context.destination);
  oscillator.start(at);
  oscillator.stop(at + 0.75);
}

function chime() {
  context ??= new AudioContext(); // only one: each one holds the sound card
  context.resume();
  TONES.forEach((frequency, n) => tone(frequency, context.currentTime + n * 0.25));
}

document.addEventListener("kiosk:shown", ({ detail }) => {
  clearInterval(timer);
  if (detail.screen !== "warning" || !isWanted || !("AudioContext" in window)) return;
  chime();
  timer = setInterval(chime, INTERVAL);
});
