// Shows one screen at a time: attract, visit, warning, or an error screen that covers them. The others are inert.

const root = document.documentElement;
const covers = { paused: "paused" in document.querySelector("[data-kiosk]").dataset, lost: false, unwell: false };
let base = "attract";
let focused = null; // the visit's element that had the focus

function draw() {
  const screen = covers.paused ? "paused" : covers.lost || covers.unwell ? "away" : base;
  const before = root.dataset.activeScreen;
  const frame = document.querySelector("iframe");
  if (before === "visit" && screen !== before) focused = frame?.contentDocument?.activeElement; // an inert frame loses the focus
  root.dataset.activeScreen = screen;
  const size = screen === "warning" && frame?.contentDocument?.documentElement.style.getPropertyValue("--text-size");
  root.style.setProperty("--text-size", size || "1");
  for (const each of document.querySelectorAll("[data-screen]")) {
    each.inert = each.dataset.screen !== screen;
    if (each.dataset.screen !== "visit") each.hidden = each.inert;
  }
  if (before !== screen) document.dispatchEvent(new CustomEvent("kiosk:shown", { detail: { screen, before } }));
}

document.addEventListener("kiosk:show", ({ detail }) => {
  base = detail;
  draw();
});

document.addEventListener("kiosk:cover", ({ detail }) => {
  Object.assign(covers, detail);
  draw();
});

// Moves the focus to where keyboard visitors can continue.
document.addEventListener("kiosk:shown", ({ detail }) => {
  if (detail.screen === "warning") document.querySelector("[data-still-here]").focus();
  if (detail.screen !== "visit") return;
  document.querySelector("iframe")?.contentWindow.focus();
  if (detail.before !== "attract" && focused?.isConnected) focused.focus({ preventScroll: true });
  focused = null;
});

draw();
