// Polls for updates: every 2 s while the inbox is visible, every 15 s while it is hidden.

const VISIBLE = 2000; // ms
const HIDDEN = 15000;
const TIMEOUT = 10_000; // ms, for one response
const pollData = () => document.getElementById("inbox-poll").dataset;
const stale = document.querySelector("[data-stale]");
let timer;
const MOST_FAILED = 3; // failed polls in a row; then the inbox says that it isn't up to date
let wasHidden = false; // then the next poll gets a whole response, even if nothing is new; it marks what came meanwhile as read
let failed = 0;
let hasWorked = false; // a poll since the page was loaded: otherwise a reload won't help

if (window.htmx) document.documentElement.dataset.live = "";

function schedule() {
  clearTimeout(timer);
  timer = setTimeout(poll, document.hidden ? HIDDEN : VISIBLE);
}

function poll() {
  clearTimeout(timer);
  if (!pollData().updates) return;
  wasHidden ||= document.hidden;
  const state = document.hidden ? "&hidden" : wasHidden ? "&visible" : "";
  htmx.ajax("GET", pollData().updates + state, { source: document.body, swap: "none" }).catch(() => {}).then(schedule);
}

const isUpdate = ({ requestConfig }) => requestConfig?.path.includes("/updates/");

document.addEventListener("htmx:configRequest", ({ detail }) => detail.path.includes("/updates/") && (detail.timeout = TIMEOUT));

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!isUpdate(detail)) return;
  const isOurs = detail.xhr.status === 204 || detail.xhr.getResponseHeader("Webchat-Fragment");
  failed = isOurs ? 0 : failed + 1;
  hasWorked ||= Boolean(isOurs);
  stale.hidden = failed < MOST_FAILED;
  if (isOurs && detail.requestConfig.path.endsWith("&visible")) wasHidden = false;
});

// A login page, or a proxy's error page, never replaces a part of the inbox.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.xhr.getResponseHeader("Webchat-Fragment")) return;
  detail.shouldSwap = false;
  const { responseURL, status } = detail.xhr;
  if ([403, 404].includes(status)) detail.isError = false;
  // A proxy may refuse only the polls: the page would reload every two seconds.
  if (isUpdate(detail) && !hasWorked) return;
  if (status === 404 && !isUpdate(detail)) {
    wasHidden = true; // the open conversation is gone: the poll brings why, even if nothing is new
    poll();
  }
  else if ([403, 404].includes(status) || responseURL.includes("/login/")) reload();
});

/** The account may no longer answer, or has logged out, or in again in another tab. A reload that would not show unsent text waits. */
async function reload() {
  const isWriting = document.getElementById("inbox-text")?.value;
  const page = isWriting ? await fetch(location.href, { method: "HEAD" }) : null;
  if (!page || (page.ok && !page.redirected)) return location.reload();
  delete pollData().updates;
  stale.textContent = page.redirected ? stale.dataset.loggedOut : stale.dataset.notAllowed;
  stale.hidden = false;
}

// Drop a response that is older than what the inbox shows, was asked for before something was sent, or comes while
// something is being sent or pressed: it would undo the press, or lose the click. The next poll brings the same.
let sent = 0;
document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  if (isUpdate(detail)) detail.requestConfig.sent = sent;
  else sent += 1;
});
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!isUpdate(detail)) return;
  const { path, sent: sentBefore } = detail.requestConfig;
  const isOld = sentBefore !== sent || !path.startsWith(pollData().updates);
  if (isOld || document.querySelector("form.htmx-request, a:active, button:active")) detail.shouldSwap = false;
});

/** Compare without CSRF tokens, which differ in each response. @param {Element} part */
function withoutTokens(part) {
  const copy = part.cloneNode(true);
  for (const token of copy.querySelectorAll("[name=csrfmiddlewaretoken]")) token.remove();
  return copy;
}

// Unchanged parts stay in place.
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  const { target, fragment } = event.detail;
  if (target.id === "inbox-key" || target.id === "inbox-text") return;
  if (withoutTokens(fragment.firstElementChild).isEqualNode(withoutTokens(target))) event.detail.shouldSwap = false;
});

// A form stays until its response has come: htmx can't place the response if the form is gone.
let answered;
document.addEventListener("htmx:beforeSwap", ({ detail }) => (answered = detail.requestConfig.elt));
document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  const waiting = detail.target.querySelector("form.htmx-request");
  if (waiting && waiting !== answered) detail.shouldSwap = false;
});

// The list is not replaced while it is being searched or a menu is open.
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  const { target } = event.detail;
  const isInUse = target.id === "inbox-list" && document.activeElement?.id === "inbox-search";
  const isOpen = target.id === "inbox-head" && target.querySelector("details[open]");
  if ((isInUse || isOpen) && !document.querySelector("form.htmx-request")) event.detail.shouldSwap = false;
});

document.addEventListener("visibilitychange", () => (document.hidden ? schedule() : poll()));
addEventListener("online", poll);
schedule();
