// The form for a person closes again, and the focus returns to the message box.

document.addEventListener("click", ({ target }) => {
  if (!target.closest("[data-dismiss]")) return;
  document.getElementById("person").replaceChildren();
  document.getElementById("message").focus();
});
