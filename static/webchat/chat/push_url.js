// In the portal each conversation has its own URL: the first message changes the page's, so that a reload stays there.

document.addEventListener("htmx:oobAfterSwap", () => {
  const { page } = document.getElementById("composer-conversation")?.dataset ?? {};
  if (page) history.replaceState(null, "", page);
});
