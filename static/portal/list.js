// The list of conversations: results appear while typing, and one key opens the search.

const list = () => document.getElementById("conversations");

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!detail.xhr.getResponseHeader("Webchat-Fragment")) detail.shouldSwap = false;
});

// After “Show earlier conversations” focus the first of them.
let shown = 0;
document.addEventListener("htmx:beforeRequest", () => (shown = list().querySelectorAll("[data-conversation]").length));
document.addEventListener("htmx:afterSettle", ({ detail }) => {
  if (!detail.requestConfig?.elt.closest("[data-more]")) return;
  list().querySelectorAll("[data-conversation]")[shown]?.querySelector("a").focus();
});

// A fetched list doesn't know which conversation the page shows; of one that has just begun, the menu doesn't either.
document.addEventListener("htmx:afterSettle", () => {
  const shown = list().querySelector(`a[href="${location.pathname}"]`);
  const menu = document.querySelector("[data-manage]");
  shown?.setAttribute("aria-current", "page");
  if (!shown || !menu) return;
  const links = shown.closest("[data-conversation]").querySelectorAll(".do a");
  for (const [number, link] of links.entries()) menu.children[number].href = link.href;
  menu.hidden = false;
});

document.addEventListener("keydown", (event) => {
  const search = document.getElementById("search");
  if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || !search?.checkVisibility({ visibilityProperty: true })) return;
  event.preventDefault();
  search.focus();
  search.select();
});

// The first message begins a conversation: add it to the list.
let page = location.pathname;
document.addEventListener("htmx:afterRequest", () => {
  if (location.pathname === page) return;
  page = location.pathname;
  htmx.ajax("GET", document.querySelector("[data-side] form").action, { target: "#conversations" });
});
