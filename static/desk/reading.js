/**
 * Marks the conversation that is open beside the list, and goes to the page itself if it can't be put there.
 */

const pane = document.getElementById("reading");

function markOpen() {
  document.querySelector("#result_list a[aria-current]")?.removeAttribute("aria-current");
  const read = pane?.querySelector("[data-read]")?.dataset.read;
  document.getElementById(read)?.setAttribute("aria-current", "true");
}

/** @param {{ detail: { pathInfo: { requestPath: string } } }} event */
const goThere = ({ detail }) => location.assign(detail.pathInfo.requestPath);

document.addEventListener("htmx:historyRestore", markOpen);
document.addEventListener("htmx:afterSwap", () => {
  markOpen();
  document.getElementById("reading-heading")?.focus();
});
for (const name of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) document.addEventListener(name, goThere);
/** Is it a page? Whoever has been logged out, for example, gets another one. @param {XMLHttpRequest} xhr */
const isPage = (xhr) => new URL(xhr.responseURL).pathname !== location.pathname;
document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr, pathInfo } = event.detail;
  if (!isPage(xhr)) return;
  event.preventDefault();
  location.assign(pathInfo.requestPath);
});

// A step back in the browser, whose URL has changed already.
const reload = () => location.reload();
document.addEventListener("htmx:historyCacheMiss", ({ detail }) => (detail.xhr.onerror = reload));
document.addEventListener("htmx:historyCacheMissLoadError", reload);
document.addEventListener("htmx:historyCacheMissLoad", ({ detail }) => {
  if (!isPage(detail.xhr)) return;
  detail.response = "";
  reload();
});
