// "New conversation" asks above the page instead of on a page of its own; Ctrl + / opens the keyboard help; the menu closes.

const confirmNew = document.querySelector("[data-confirm-new]"); // absent in the portal, which keeps each conversation
const help = document.querySelector("[data-help]");
const menu = document.querySelector("[data-menu]");
const covers = [help, confirmNew].filter(Boolean);

/** Not by `autofocus`: the page would apply it at loading, and frames may not use it. */
function showHelp() {
  help.showPopover();
  help.querySelector("h2").focus();
}

/** Return the focus to the button, so that it isn't lost with the menu. */
function shut() {
  if (menu.contains(document.activeElement)) menu.querySelector("summary").focus();
  menu.open = false;
}

document.addEventListener("click", (event) => {
  const { target } = event;
  if (menu.open && (!menu.contains(target) || target.closest("a, button"))) shut();
  if (target.closest("[data-print]")) print();
  if (target.closest("[data-open-help]")) showHelp();
  if (covers.includes(target)) target.hidePopover(); // beside its sheet
  const button = target.closest("button:is([data-new-conversation], [data-cancel])");
  if (!button) return;
  event.preventDefault();
  if (!document.querySelector("[data-turn], [data-entry]")) return document.getElementById("message").focus(); // it is new
  if (!confirmNew?.showPopover) return location.assign(button.formAction); // in an older browser, without popovers, and in the portal
  if (button.matches("[data-cancel]")) return confirmNew.hidePopover();
  confirmNew.showPopover();
  const leaves = confirmNew.querySelector("[data-leaves-person]");
  if (leaves) leaves.hidden = document.getElementById("leader").dataset.leader === "bot";
  confirmNew.querySelector("[data-confirm]").focus();
});

// They cover the page, so they close when Tab leaves them.
menu.addEventListener("focusout", ({ relatedTarget }) => {
  if (relatedTarget && !menu.contains(relatedTarget)) menu.open = false;
});
for (const cover of covers) {
  cover.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget && !cover.contains(relatedTarget)) cover.hidePopover();
  });
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && menu.open) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
  // Not ⌘ + /, which toggles Safari's status bar. With Shift where a layout has "/" above a digit.
  if (event.key !== "/" || !event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  if (!document.querySelector(":popover-open")) showHelp();
});
