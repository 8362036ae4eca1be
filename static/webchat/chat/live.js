// Says that htmx is here (what stands only for its absence is hidden), and keeps foreign answers out of the page.

if (window.htmx) document.documentElement.dataset.live = "";

// A proxy's error page or a hotel's Wi-Fi may answer in our place: only what the site marks as its fragment is swapped in.
document.addEventListener("htmx:beforeSwap", (event) => {
  if (!event.detail.xhr.getResponseHeader("Webchat-Fragment")) event.detail.shouldSwap = false;
});
