// The form for a person closes again, and the focus returns to the message box.

document.addEventListener("click", ({ target }) => {
  if (!target.closest("[data-dismiss]")) return;
  document.getElementById("person").replaceChildren();
  document.getElementById("message").focus();
});

// A press that doesn't arrive, as without a connection, says so until another one does. Typing is no press.
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  const away = document.querySelector("[data-composer]")?.dataset.away;
  const refusal = document.getElementById("composer-refusal");
  if (!away || !/\/person(\/(?!typing)|$)/.test(detail.requestConfig.path)) return;
  if (!detail.xhr.getResponseHeader("Webchat-Fragment")) document.dispatchEvent(new CustomEvent("webchat:refuse", { detail: away }));
  else if (refusal.textContent === away) refusal.replaceChildren();
});
