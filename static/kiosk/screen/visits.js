// One visit after the other, each in a frame of its own, which is made in advance and removed with everything in it.

const kiosk = document.querySelector("[data-kiosk]").dataset;
const host = document.querySelector("[data-stand=visit]");
const AGAIN = 3000; // ms
const PATIENCE = 10_000; // with one answer
const SIGNS = ["pointerdown", "pointerup", "touchmove", "wheel", "scroll", "keydown", "input", "kiosk:active"];
let csrf = kiosk.csrf;
let frame = null;
let isReady = false; // all of the page in it is there, and is listened to
let begun = 0;
let waiting;
let wanted = null; // what was touched on the attract screen: a question, or "" for none

const tell = (type, detail) => document.dispatchEvent(new CustomEvent(type, { detail }));

/** A frame can't lead anywhere: no sandbox that allows it, and the policy of this page lets none but our own into it. */
function make() {
  isReady = false;
  frame = document.createElement("iframe");
  frame.title = kiosk.title;
  frame.setAttribute("sandbox", "allow-scripts allow-same-origin allow-forms");
  frame.allow = "microphone";
  frame.src = kiosk.pageUrl + location.search;
  frame.addEventListener("load", loaded);
  host.append(frame);
}

function loaded() {
  const page = frame?.contentDocument;
  if (!page?.querySelector("[data-composer]") || !("live" in page.documentElement.dataset)) return later();
  for (const sign of SIGNS) frame.contentWindow.addEventListener(sign, () => tell("kiosk:active"), { capture: true, passive: true });
  page.addEventListener("click", ({ target }) => target.closest("[data-finish]") && tell("kiosk:end"));
  isReady = true;
  tell("kiosk:cover", { unwell: false });
  if (wanted !== null) start();
}

function start() {
  const page = frame.contentDocument;
  const question = [...page.querySelectorAll("[data-suggestion]")].find((each) => wanted && each.value === wanted);
  wanted = null;
  tell("kiosk:active");
  tell("kiosk:show", "visit");
  if (question) question.click();
  else page.getElementById("message").focus({ preventScroll: true }); // the greeting stays in view
}

/** The visitor has lost their page: the next visit begins. */
function later() {
  remove();
  forget();
  tell("kiosk:cover", { unwell: true });
  tell("kiosk:show", "attract");
  clearTimeout(waiting);
  waiting = setTimeout(next, AGAIN);
}

function remove() {
  frame?.remove(); // with its document, its script's memory and its requests that are under way
  frame = null;
  isReady = false;
}

/** The site forgets the visitor before, then the next one's page is made. */
async function next() {
  clearTimeout(waiting);
  const mine = ++begun; // of two at once only the later counts
  try {
    const headers = { "X-CSRFToken": csrf };
    const answer = await fetch(kiosk.visitUrl, { method: "POST", headers, redirect: "error", signal: AbortSignal.timeout(PATIENCE) });
    if (answer.status === 403) return void (waiting = setTimeout(() => location.reload(), AGAIN)); // dismissed, or without cookies
    const said = await answer.json();
    csrf = said.csrf;
    if (mine !== begun) return;
    remove();
    make();
  } catch {
    if (mine === begun) later();
  }
}

function forget() {
  for (const storage of ["sessionStorage", "localStorage"]) {
    try {
      window[storage].clear();
    } catch {
      // storage is refused: then nothing was kept
    }
  }
  window.speechSynthesis?.cancel();
}

document.addEventListener("kiosk:end", () => {
  wanted = null;
  remove();
  forget();
  tell("kiosk:show", "attract");
  if (location.search) tell("kiosk:go", location.pathname); // the visitor's language goes with them
  next();
});

document.addEventListener("click", ({ target }) => {
  const pressed = target.closest("[data-start]");
  if (!pressed || target.closest("[data-language]")) return;
  wanted = pressed.value ?? "";
  if (isReady) start();
});

// A page that comes out of the browser's memory shows what was there before.
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());

forget();
next();
