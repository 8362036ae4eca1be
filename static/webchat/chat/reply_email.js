// Whoever is entering an e-mail address goes on with it, until they save it or nobody is to answer any more.

document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  const { target, fragment } = detail;
  const isInUse = target.matches("#reply-email:not(.htmx-request)") && target.querySelector("details[open]");
  if (isInUse && !fragment.firstElementChild.hidden) detail.shouldSwap = false;
});
