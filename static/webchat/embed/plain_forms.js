// A form without htmx leads to another page, a link to this one anew. The site is asked for this one first: while it is away,
// the browser's error page would take the chat's place.

const TIMEOUT = 10_000; // ms, for the response
let hasAnswered = false;

document.addEventListener(
  "submit",
  (event) => {
    if (hasAnswered || event.target.hasAttribute("hx-post")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    ifThere(() => {
      hasAnswered = true;
      event.target.requestSubmit(event.submitter);
      hasAnswered = false;
    });
  },
  { capture: true },
);

// Loaded by the link, this page would not know what surrounds it: that stands in its query.
document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.target.closest("a")?.getAttribute("href") !== location.pathname) return;
  event.preventDefault();
  ifThere(() => location.reload());
});

async function ifThere(go) {
  const answer = await fetch(location, { method: "HEAD", signal: AbortSignal.timeout(TIMEOUT) }).catch(() => null);
  if (!answer?.ok) {
    document.querySelector("[data-confirm-new]").hidePopover?.();
    const sentence = document.querySelector("[data-composer]").dataset.away;
    return document.dispatchEvent(new CustomEvent("webchat:refuse", { detail: sentence }));
  }
  go();
}
