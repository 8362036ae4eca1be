// A draft, or a message that may not have arrived, survives a reload: in the tab's storage, not on the site.

const box = document.getElementById("message");
const { pathname } = new URL(box.form.action); // a page may have two URLs
const field = () => document.getElementById("composer-conversation");
/** In the portal several people may use one tab, and a conversation gets its id with its first message. */
function keyOf(conversation) {
  return `draft ${pathname}${field() ? ` ${document.getElementById("composer-after").dataset.whose} ${conversation}` : ""}`;
}
const keyNow = () => keyOf(field()?.value);
let key = keyNow();
let onItsWay = "";

function store(name, text) {
  try {
    text ? sessionStorage.setItem(name, text) : sessionStorage.removeItem(name);
  } catch {
    // storage is refused: the draft lasts as long as the page
  }
}

function keep() {
  store(key, "");
  key = keyNow();
  store(key, [onItsWay, document.getElementById("message").value].filter(Boolean).join("\n"));
}

// In the portal a new conversation has a page of its own: the draft goes there.
document.addEventListener("click", ({ target }) => {
  const { value } = document.getElementById("message");
  if (!field()?.value || !value || !target.closest("[data-new-conversation], a[data-action=new]")) return;
  store(key, onItsWay);
  store(keyOf(""), value);
});

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
