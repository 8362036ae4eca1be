// "New conversation" asks on the page, instead of on one of its own; "?" opens the keyboard help; the menu closes.

const confirmNew = document.querySelector("[data-confirm-new]"); // not where nothing has to make way for it
const help = document.querySelector("[data-help]");
const menu = document.querySelector("[data-menu]");

/** Whoever is in the menu finds back to its button: the focus must not vanish with it. */
function shut() {
  if (menu.contains(document.activeElement)) menu.querySelector("summary").focus();
  menu.open = false;
}

document.addEventListener("click", (event) => {
  const { target } = event;
  if (menu.open && (!menu.contains(target) || target.closest("a, button"))) shut();
  if (target.closest("[data-print]")) print();
  if (target.closest("[data-open-help]")) help.showModal();
  const link = target.closest("[data-new-conversation], [data-cancel]");
  if (!link || !confirmNew || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (link.matches("[data-cancel]")) confirmNew.close();
  else confirmNew.showModal();
});

// It lies over the page: whoever goes on with Tab must see where.
menu.addEventListener("focusout", ({ relatedTarget }) => {
  if (relatedTarget && !menu.contains(relatedTarget)) menu.open = false;
});

const writing = (element) => element.closest("input, textarea, select, [contenteditable]");

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && menu.open) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
  // On some keyboards AltGr makes the sign, which Windows reports as both of its keys.
  if (!/^[?؟]$/.test(event.key) || event.ctrlKey !== event.altKey || event.metaKey || writing(event.target)) return;
  const switchedOff = document.querySelector("[data-preference=no-key]").checked;
  if (!switchedOff && !document.querySelector("dialog[open]")) help.showModal();
});
