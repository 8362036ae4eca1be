/* Connects the page's button with django-allauth's passkey scripts, which talk to the browser and send the form. */

const problems = [...document.querySelectorAll("[data-passkey-problem] [data-name]")];

// An IP address can't have a passkey; any other error is treated like a dialog that was closed.
document.addEventListener("allauth.error", (event) => {
  event.preventDefault();
  const is = (problem) => problem.dataset.name === event.detail.exception.name;
  const said = problems.find(is) ?? problems.at(-1);
  for (const problem of problems) problem.hidden = problem !== said;
});

const button = document.querySelector("[data-passkey]");
const { passkey, credential, passwordless } = button.dataset;

window.allauth.webauthn.forms[passkey]({
  ids: { add: button.id, authenticate: button.id, login: button.id, credential, passwordless, data: "passkey-options" },
});
// Sent without a credential the form would be refused: the browser doesn't send it while its button is disabled.
button.addEventListener("click", (event) => event.preventDefault());
button.hidden = button.disabled = false;
