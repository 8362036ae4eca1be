/* Joins a page's button with django-allauth's passkey scripts, which talk to the browser and send the form. */

const button = document.querySelector("[data-passkey]");
const { passkey, credential } = button.dataset;

window.allauth.webauthn.forms[passkey]({
  ids: { add: button.id, authenticate: button.id, credential, data: "passkey-options" },
});
