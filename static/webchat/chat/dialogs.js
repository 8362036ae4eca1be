// "New conversation" asks on the page, instead of on one of its own; "?" opens the keyboard help; the menu closes.

const confirmNew = document.querySelector("[data-confirm-new]");
const help = document.querySelector("[data-help]");
const menu = document.querySelector("[data-menu]");

document.addEventListener("click", (event) => {
  const { target } = event;
  if (menu.open && (!menu.contains(target) || target.closest("a, button"))) menu.open = false;
  if (target.closest("[data-print]")) print();
  if (target.closest("[data-open-help]")) help.showModal();
  if (target.matches("dialog")) target.close(); // the backdrop
  const link = target.closest("[data-new-conversation], [data-cancel]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (link.matches("[data-cancel]")) confirmNew.close();
  else confirmNew.showModal();
});

const writing = (element) => element.closest("input, textarea, select, [contenteditable]");

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && menu.open) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
  const switchedOff = document.querySelector("[data-preference=no-key]").checked;
  if (/^[?؟]$/.test(event.key) && !writing(event.target) && !switchedOff) help.showModal();
});
