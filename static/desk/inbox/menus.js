// Escape closes "Hand over" or "Options" and returns the focus to what opened it.

document.addEventListener("keydown", ({ key, target }) => {
  const menu = key === "Escape" && target.closest("details[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});
