// A draft, or a message that may not have arrived, survives a reload: in the tab's storage, not on the site.

const box = document.getElementById("message");
const conversation = document.getElementById("composer-conversation"); // in the portal, where several people may use one tab
const named = conversation ? ` ${document.getElementById("composer-after").dataset.whose} ${conversation.value}` : "";
const key = `draft ${new URL(box.form.action).pathname}${named}`; // a page may have two URLs
let onItsWay = "";

function keep() {
  const text = [onItsWay, document.getElementById("message").value].filter(Boolean).join("\n");
  try {
    text ? sessionStorage.setItem(key, text) : sessionStorage.removeItem(key);
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
