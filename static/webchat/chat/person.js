// The form for a person goes away again, and who had it open goes on where one types.

document.addEventListener("click", ({ target }) => {
  if (!target.closest("[data-dismiss]")) return;
  document.getElementById("person").replaceChildren();
  document.getElementById("message").focus();
});
