// A draft, or a message that may not have arrived, survives a reload: in the tab's storage, not on the site.

const box = document.getElementById("message");
const { pathname } = new URL(box.form.action); // a page may have two URLs
/** In the portal several people may use one tab, and a conversation gets its id with its first message. */
function keyNow() {
  const conversation = document.getElementById("composer-conversation");
  return `draft ${pathname}${conversation ? ` ${document.getElementById("composer-after").dataset.whose} ${conversation.value}` : ""}`;
}
let key = keyNow();
let onItsWay = "";

function keep() {
  const text = [onItsWay, document.getElementById("message").value].filter(Boolean).join("\n");
  try {
    sessionStorage.removeItem(key);
    key = keyNow();
    if (text) sessionStorage.setItem(key, text);
  } catch {
    // storage is refused: the draft lasts as long as the page
  }
}

document.addEventListener("input", ({ target }) => target.id === "message" && keep());
document.addEventListener("htmx:beforeSend", ({ detail: { requestConfig } }) => {
  const { formData, path } = requestConfig;
  if (path.endsWith("/messages") && !formData.get("suggestion")) onItsWay = formData.get("message").trim();
});
for (const type of ["arrived", "returned"]) {
  document.addEventListener(`webchat:${type}`, () => {
    onItsWay = "";
    keep();
  });
}

document.addEventListener("htmx:oobAfterSwap", ({ detail }) => detail.target.id === "composer-conversation" && keep());

/** Return the draft without a message that is in the transcript: that one has arrived after all. */
function unsent(text) {
  const last = [...document.querySelectorAll("[data-transcript] [data-message]")].at(-1)?.textContent.trim();
  if (last && text.trim() === last) return "";
  return last && text.startsWith(`${last}\n`) ? text.slice(last.length + 1) : text;
}

try {
  const kept = unsent(sessionStorage.getItem(key) ?? "");
  // Text that comes with the page, such as text shared to the app, goes after the draft.
  box.value = kept.includes(box.value) ? kept : [kept, box.value].filter(Boolean).join("\n");
  keep();
} catch {
  // as above
}
if (box.value) box.dispatchEvent(new Event("input", { bubbles: true }));
