// Each visit has its own frame, created in advance and removed at the end with everything in it.

const kiosk = document.querySelector("[data-kiosk]").dataset;
const host = document.querySelector("[data-screen=visit]");
const RETRY_AFTER = 3000; // ms
const TIMEOUT = 10_000; // ms, for one response
const ACTIVITY = ["pointerdown", "pointerup", "touchmove", "wheel", "scroll", "keydown", "input", "kiosk:active"];
let csrf = kiosk.csrf;
let frame = null;
let isReady = false; // the frame's page has loaded and has its listeners
let latest = 0;
let timer;
let chosen = null; // the question that was touched on the attract screen, or ""

const tell = (type, detail) => document.dispatchEvent(new CustomEvent(type, { detail }));

/** The frame can't leave the site: its sandbox forbids it, and this page's policy allows only our own pages in it. */
function createFrame() {
  isReady = false;
  frame = document.createElement("iframe");
  frame.title = kiosk.title;
  frame.setAttribute("sandbox", "allow-scripts allow-same-origin allow-forms");
  frame.allow = "microphone";
  frame.src = kiosk.pageUrl + location.search;
  frame.addEventListener("load", frameLoaded);
  host.append(frame);
}

function frameLoaded() {
  const page = frame?.contentDocument;
  if (!page?.querySelector("[data-composer]") || !("live" in page.documentElement.dataset)) return retryLater();
  for (const type of ACTIVITY) frame.contentWindow.addEventListener(type, () => tell("kiosk:active"), { capture: true, passive: true });
  page.addEventListener("click", ({ target }) => target.closest("[data-finish], [data-action=new]") && tell("kiosk:end"));
  // Is this still a kiosk? Not at the next heartbeat: the visitor waits.
  page.addEventListener("htmx:afterRequest", ({ detail }) => detail.xhr.status === 404 && tell("kiosk:refused"));
  isReady = true;
  tell("kiosk:cover", { unwell: false });
  if (chosen !== null) start();
}

function start() {
  const page = frame.contentDocument;
  const question = [...page.querySelectorAll("[data-suggestion]")].find((each) => chosen && each.value === chosen);
  chosen = null;
  tell("kiosk:active");
  tell("kiosk:show", "visit");
  if (question) question.click();
  else page.getElementById("message").focus({ preventScroll: true }); // keeps the greeting in view
}

/** The visitor's page is gone: begin the next visit. */
function retryLater() {
  removeFrame();
  clearStorage();
  tell("kiosk:cover", { unwell: true });
  tell("kiosk:show", "attract");
  clearTimeout(timer);
  timer = setTimeout(startNextVisit, RETRY_AFTER);
}

function removeFrame() {
  frame?.remove(); // with its document, its script's memory and its pending requests
  frame = null;
  isReady = false;
}

/** Let the site delete the last visit's data, then create the next visit's page. */
async function startNextVisit() {
  clearTimeout(timer);
  const number = ++latest; // of two concurrent calls only the later one counts
  try {
    const headers = { "X-CSRFToken": csrf };
    const answer = await fetch(kiosk.visitUrl, { method: "POST", headers, redirect: "error", signal: AbortSignal.timeout(TIMEOUT) });
    if (answer.status === 403) return void (timer = setTimeout(() => location.reload(), RETRY_AFTER)); // enrolment ended, or cookies lost
    const visit = await answer.json();
    csrf = visit.csrf;
    if (number !== latest) return;
    removeFrame();
    createFrame();
  } catch {
    if (number === latest) retryLater();
  }
}

function clearStorage() {
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
  chosen = null;
  removeFrame();
  clearStorage();
  tell("kiosk:show", "attract");
  if (location.search) tell("kiosk:go", location.pathname); // the next visitor starts in the default language
  startNextVisit();
});

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-start]");
  if (!button || target.closest("[data-language]")) return;
  chosen = button.value ?? "";
  if (isReady) start();
});

// A page from the back/forward cache would show an earlier visit.
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());

clearStorage();
startNextVisit();
