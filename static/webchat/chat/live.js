// Marks the page as live, which hides what is only needed without htmx, and keeps foreign responses out of it.

if (window.htmx) document.documentElement.dataset.live = "";

// A proxy or a Wi-Fi log-in page may answer in the site's place: only responses marked as our fragments are swapped in.
document.addEventListener("htmx:beforeSwap", (event) => {
  if (!event.detail.xhr.getResponseHeader("Webchat-Fragment")) event.detail.shouldSwap = false;
});
