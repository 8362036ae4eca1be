// Shows one screen at a time: attract, visit, warning, or an error screen that covers them. The others are inert.

const root = document.documentElement;
const covers = { paused: "paused" in document.querySelector("[data-kiosk]").dataset, lost: false, unwell: false };
let base = "attract";
let focused = null;

function draw() {
  const stands = covers.paused ? "paused" : covers.lost || covers.unwell ? "away" : base;
  const before = root.dataset.stands;
  const frame = document.querySelector("iframe");
  if (before === "visit" && stands !== before) focused = frame?.contentDocument?.activeElement; // an inert frame loses the focus
  root.dataset.stands = stands;
  const size = stands === "warning" && frame?.contentDocument?.documentElement.style.getPropertyValue("--text-size");
  root.style.setProperty("--text-size", size || "1");
  for (const each of document.querySelectorAll("[data-stand]")) {
    each.inert = each.dataset.stand !== stands;
    if (each.dataset.stand !== "visit") each.hidden = each.inert;
  }
  if (before !== stands) document.dispatchEvent(new CustomEvent("kiosk:shown", { detail: { stands, before } }));
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
  if (detail.stands === "warning") document.querySelector("[data-still-here]").focus();
  if (detail.stands !== "visit") return;
  document.querySelector("iframe")?.contentWindow.focus();
  if (detail.before !== "attract" && focused?.isConnected) focused.focus({ preventScroll: true });
  focused = null;
});

draw();
