// The inbox asks what is new: every 2 s while it is visible, every 15 s while it is hidden.

const VISIBLE = 2000; // ms
const HIDDEN = 15000;
const poll = () => document.getElementById("inbox-poll");
let timer;
let wasHidden = false; // then what came meanwhile counts as read with the next answer, even if nothing is new

if (window.htmx) document.documentElement.dataset.live = "";

function plan() {
  clearTimeout(timer);
  timer = setTimeout(ask, document.hidden ? HIDDEN : VISIBLE);
}

function ask() {
  clearTimeout(timer);
  wasHidden ||= document.hidden;
  const state = document.hidden ? "&hidden" : wasHidden ? "&visible" : "";
  htmx.ajax("GET", poll().dataset.updates + state, { source: document.body, swap: "none" }).catch(() => {}).then(plan);
}

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (detail.successful && detail.requestConfig.path.endsWith("&visible")) wasHidden = false;
});

// A login page, or a proxy's error page, never replaces a part of the inbox; whoever was logged out is told so.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.xhr.getResponseHeader("Webchat-Fragment")) return;
  detail.shouldSwap = false;
  if (detail.xhr.responseURL.includes("/login/")) location.reload();
  // The open conversation was deleted or is another bot's team's now: the list goes on without it. Or the account may no longer
  // answer, or somebody has logged in anew in another tab: the page says so, or is good again. What was typed is kept.
  if ([403, 404].includes(detail.xhr.status)) detail.isError = false;
  if (detail.xhr.status === 403) location.reload();
  if (detail.xhr.status === 404) location.assign(document.getElementById("inbox-back")?.href ?? location.href);
});

// An answer is dropped when the inbox shows more by now, and while something is being sent, which comes back with all that is new.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const path = detail.requestConfig?.path;
  const isUpdate = path?.includes("/updates/");
  const isOld = isUpdate && !path.startsWith(poll().dataset.updates);
  if (isOld || (isUpdate && document.querySelector("form.htmx-request"))) detail.shouldSwap = false;
});

/** Tokens differ in each answer, and mean the same. @param {Element} part */
function withoutTokens(part) {
  const copy = part.cloneNode(true);
  for (const token of copy.querySelectorAll("[name=csrfmiddlewaretoken]")) token.remove();
  return copy;
}

// What is the same stays in place: a button that is replaced while it is pressed loses the click.
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  const { target, fragment } = event.detail;
  if (target.id === "inbox-key" || target.id === "inbox-text") return;
  if (withoutTokens(fragment.firstElementChild).isEqualNode(withoutTokens(target))) event.detail.shouldSwap = false;
});

// A form that waits for its answer stays until then: htmx can't place the answer to one that is gone.
let answered;
document.addEventListener("htmx:beforeSwap", ({ detail }) => (answered = detail.requestConfig.elt));
document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  const waiting = detail.target.querySelector("form.htmx-request");
  if (waiting && waiting !== answered) detail.shouldSwap = false;
});

// The list stays where it is while somebody searches it or opens a menu of it.
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  const { target } = event.detail;
  const isInUse = target.id === "inbox-list" && document.activeElement?.id === "inbox-search";
  const isOpen = target.id === "inbox-head" && target.querySelector("details[open]");
  if ((isInUse || isOpen) && !document.querySelector("form.htmx-request")) event.detail.shouldSwap = false;
});

document.addEventListener("visibilitychange", () => (document.hidden ? plan() : ask()));
addEventListener("online", ask);
plan();
