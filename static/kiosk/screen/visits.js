// Each visit has its own frame, created in advance and removed at the end with everything in it.

const kiosk = document.querySelector("[data-kiosk]").dataset;
const host = document.querySelector("[data-stand=visit]");
const AGAIN = 3000; // ms
const PATIENCE = 10_000; // ms, for one response
const SIGNS = ["pointerdown", "pointerup", "touchmove", "wheel", "scroll", "keydown", "input", "kiosk:active"];
let csrf = kiosk.csrf;
let frame = null;
let isReady = false; // the frame's page has loaded and has its listeners
let begun = 0;
let waiting;
let wanted = null; // the question that was touched on the attract screen, or ""

const tell = (type, detail) => document.dispatchEvent(new CustomEvent(type, { detail }));

/** The frame can't leave the site: its sandbox forbids it, and this page's policy allows only our own pages in it. */
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
  page.addEventListener("click", ({ target }) => target.closest("[data-finish], [data-action=new]") && tell("kiosk:end"));
  // Is this still a kiosk? Not at the next heartbeat: the visitor waits.
  page.addEventListener("htmx:afterRequest", ({ detail }) => detail.xhr.status === 404 && tell("kiosk:refused"));
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
  else page.getElementById("message").focus({ preventScroll: true }); // keeps the greeting in view
}

/** The visitor's page is gone: begin the next visit. */
function later() {
  remove();
  forget();
  tell("kiosk:cover", { unwell: true });
  tell("kiosk:show", "attract");
  clearTimeout(waiting);
  waiting = setTimeout(next, AGAIN);
}

function remove() {
  frame?.remove(); // with its document, its script's memory and its pending requests
  frame = null;
  isReady = false;
}

/** Let the site delete the last visit's data, then create the next visit's page. */
async function next() {
  clearTimeout(waiting);
  const mine = ++begun; // of two concurrent calls only the later one counts
  try {
    const headers = { "X-CSRFToken": csrf };
    const answer = await fetch(kiosk.visitUrl, { method: "POST", headers, redirect: "error", signal: AbortSignal.timeout(PATIENCE) });
    if (answer.status === 403) return void (waiting = setTimeout(() => location.reload(), AGAIN)); // enrolment ended, or cookies lost
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
  if (location.search) tell("kiosk:go", location.pathname); // the next visitor starts in the default language
  next();
});

document.addEventListener("click", ({ target }) => {
  const pressed = target.closest("[data-start]");
  if (!pressed || target.closest("[data-language]")) return;
  wanted = pressed.value ?? "";
  if (isReady) start();
});

// A page from the back/forward cache would show an earlier visit.
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());

forget();
next();
