// A file for the person who answers is sent as soon as it is chosen. The text in the message box stays.

const attach = () => document.getElementById("attach");
const isSendingFile = ({ requestConfig }) => requestConfig?.path.includes("/send-file/");

/** Shows that the file is being sent, which can take a while. @param {boolean} isSending */
function show(isSending) {
  attach().querySelector("[data-sending-file]").hidden = !isSending;
  document.querySelector("[data-attach]").setAttribute("aria-disabled", String(isSending));
}

document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-attach]:not([aria-disabled=true])")) document.getElementById("file").click();
});

document.addEventListener("change", ({ target }) => {
  if (target.id !== "file" || !target.files.length || !("live" in document.documentElement.dataset)) return;
  const url = document.getElementById("leader")?.dataset.sendFile;
  document.getElementById("composer-refusal").replaceChildren();
  if (target.files[0].size > Number(attach().dataset.limit)) refuse(attach().dataset.tooLarge);
  else if (url) htmx.ajax("POST", url, { source: attach(), target: "#transcript", swap: "none" }).catch(() => {});
  target.value = ""; // htmx has read it
});

document.addEventListener("htmx:beforeSend", ({ detail }) => isSendingFile(detail) && show(true));
document.addEventListener("htmx:afterRequest", ({ detail }) => {
  if (!isSendingFile(detail)) return;
  show(false);
  if (!detail.xhr.getResponseHeader("Webchat-Fragment")) refuse(attach().dataset.notSent);
  else if (detail.xhr.status === 200) document.dispatchEvent(new Event("webchat:ask"));
});

/** @param {string} sentence */
function refuse(sentence) {
  document.dispatchEvent(new CustomEvent("webchat:refuse", { detail: sentence }));
}
