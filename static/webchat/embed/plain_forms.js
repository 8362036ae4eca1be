// A form without htmx leads to another page. The site is asked for this one first: while it is away, the browser's error page
// would take the chat's place.

const PATIENCE = 10_000; // ms, for the response
let hasAnswered = false;

document.addEventListener(
  "submit",
  (event) => {
    if (hasAnswered || event.target.hasAttribute("hx-post")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    send(event.target, event.submitter);
  },
  { capture: true },
);

async function send(form, submitter) {
  const answer = await fetch(location, { method: "HEAD", signal: AbortSignal.timeout(PATIENCE) }).catch(() => null);
  if (!answer?.ok) {
    document.querySelector("[data-confirm-new]").hidePopover?.();
    const sentence = document.querySelector("[data-composer]").dataset.away;
    return document.dispatchEvent(new CustomEvent("webchat:refuse", { detail: sentence }));
  }
  hasAnswered = true;
  form.requestSubmit(submitter);
  hasAnswered = false;
}
