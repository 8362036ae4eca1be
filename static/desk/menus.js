/**
 * Escape closes a menu, such as a filter, "Hand over" or "Options", and returns the focus to what opened it.
 */

document.addEventListener("keydown", ({ key, target }) => {
  const menu = key === "Escape" && target.closest("details:is([name=filter], .inbox-options, .hand-over)[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});
