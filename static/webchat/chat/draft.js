// A draft survives a reload, and so does a message that may not have arrived; the tab's storage keeps them, not the site.

const box = document.getElementById("message");
const conversation = document.getElementById("composer-conversation"); // in the portal, where a tab may have several people
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

/** Without a message that is in the transcript: it has arrived after all. */
function unsent(text) {
  const last = [...document.querySelectorAll("[data-transcript] [data-message]")].at(-1)?.textContent.trim();
  if (last && text.trim() === last) return "";
  return last && text.startsWith(`${last}\n`) ? text.slice(last.length + 1) : text;
}

try {
  const kept = unsent(sessionStorage.getItem(key) ?? "");
  // What comes with the page, as what was shared to the app, follows what was typed before.
  box.value = kept.includes(box.value) ? kept : [kept, box.value].filter(Boolean).join("\n");
  keep();
} catch {
  // as above
}
if (box.value) box.dispatchEvent(new Event("input", { bubbles: true }));
