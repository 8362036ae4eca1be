// Larger text at the press of a button, in steps and round again: in place of a pinch, which the next visitor would find.

const button = document.querySelector("[data-text-size]");
const sizes = button.dataset.sizes.split(" ");
let now = 0;

button.addEventListener("click", () => {
  now = (now + 1) % sizes.length;
  document.documentElement.style.setProperty("--text-size", String(Number(sizes[now]) / 100));
  document.documentElement.toggleAttribute("data-large", Number(sizes[now]) >= 150);
  const words = `${sizes[now]} %`;
  button.querySelector("[data-text-size-now]").textContent = words;
  document.querySelector("[data-tools-said]").textContent = button.dataset.said.replace("#", words);
});
