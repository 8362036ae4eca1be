// Sets the page's URL, so that a reload stays there: a portal conversation has one from its first message on, and text
// shared to the app came by a form that must not be sent again.

if (location.pathname.endsWith("/share")) history.replaceState(null, "", "./");

document.addEventListener("htmx:oobAfterSwap", () => {
  const { page } = document.getElementById("composer-conversation")?.dataset ?? {};
  if (page) history.replaceState(null, "", page);
});
