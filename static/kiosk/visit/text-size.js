// Enlarges the text in steps by a button. Not by pinching: the next visitor would inherit that zoom.

const button = document.querySelector("[data-text-size]");
const SIZES = [100, 125, 150, 200]; // %
let now = 0;

button.addEventListener("click", () => {
  now = (now + 1) % SIZES.length;
  document.documentElement.style.setProperty("--text-size", String(SIZES[now] / 100));
  document.documentElement.toggleAttribute("data-large", SIZES[now] >= 150);
  const words = button.dataset.percent.replace("#", SIZES[now]);
  button.querySelector("[data-text-size-now]").textContent = words;
  document.querySelector("[data-tools-said]").textContent = button.dataset.said.replace("#", words);
});
