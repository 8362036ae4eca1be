// Enlarges the text in steps by a button. Not by pinching: the next visitor would inherit that zoom.

const button = document.querySelector("[data-text-size]");
const root = document.documentElement;
const bar = document.querySelector(".top");
const SIZES = [100, 125, 150, 200]; // %
const NARROW = 52; // rem, in which the tools' words have no room
let now = 0;

button.addEventListener("click", () => {
  const inView = [...document.querySelectorAll("[data-turn]")].find((turn) => turn.getBoundingClientRect().bottom > innerHeight / 4);
  const below = () => inView.getBoundingClientRect().top - Math.max(bar.getBoundingClientRect().bottom, 0);
  const before = inView && below();
  now = (now + 1) % SIZES.length;
  root.style.setProperty("--text-size", String(SIZES[now] / 100));
  root.toggleAttribute("data-large", now > 0 && innerWidth < NARROW * parseFloat(getComputedStyle(root).fontSize));
  const words = button.dataset.percent.replace("#", SIZES[now]);
  button.querySelector("[data-text-size-now]").textContent = words;
  document.querySelector("[data-tools-said]").textContent = button.dataset.said.replace("#", words);
  if (inView && scrollY > 0) scrollBy(0, below() - before);
});
