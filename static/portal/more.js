// The next rows of the list: only the site's own are taken in, and the focus goes on with the first of them.

document.addEventListener("htmx:beforeSwap", (event) => {
  if (!event.detail.xhr.getResponseHeader("Webchat-Fragment")) event.detail.shouldSwap = false;
});

let shown = 0;
document.addEventListener("htmx:beforeRequest", () => (shown = document.querySelectorAll("[data-conversation]").length));
document.addEventListener("htmx:afterSettle", () => document.querySelectorAll("[data-conversation]")[shown]?.querySelector("a").focus());
