// The page's own URL, so that a reload stays there: in the portal each conversation has one from its first message on, and
// what was shared to the app came with a form that must not be sent again.

if (location.pathname.endsWith("/share")) history.replaceState(null, "", "./");

document.addEventListener("htmx:oobAfterSwap", () => {
  const { page } = document.getElementById("composer-conversation")?.dataset ?? {};
  if (page) history.replaceState(null, "", page);
});
