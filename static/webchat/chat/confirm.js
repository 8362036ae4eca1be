// "New conversation" asks on the page, instead of on one of its own.

const sheet = document.querySelector("[data-confirm-new]");

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-new-conversation], [data-cancel]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (link.matches("[data-cancel]")) sheet.close();
  else sheet.showModal();
});
