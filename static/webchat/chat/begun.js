// Where each conversation has an address of its own, the page takes it on with the first message: a reload stays there.

document.addEventListener("htmx:oobAfterSwap", () => {
  const { page } = document.getElementById("composer-conversation")?.dataset ?? {};
  if (page) history.replaceState(null, "", page);
});
