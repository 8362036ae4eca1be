// Unsent text survives a reload: in the tab's storage, not on the site, per account until it logs out.

const composer = document.getElementById("inbox-composer");
const own = composer && `inbox draft ${composer.dataset.account} `;
const key = own + composer?.dataset.conversation;
const sent = `${key} sent`; // what is on its way: the message's key and its text

/** Where storage is refused, the draft lasts as long as the page. */
function store(name, text) {
  try {
    text ? sessionStorage.setItem(name, text) : sessionStorage.removeItem(name);
  } catch {
    // as above
  }
}

/** Return the draft without a message that has arrived after all, as when the next conversation was opened too soon. */
function unsent() {
  const draft = sessionStorage.getItem(key) ?? "";
  const [, id, text] = /^(\S+) (.*)$/s.exec(sessionStorage.getItem(sent) ?? "") ?? [];
  return id && document.getElementById(`entry-${id}`) && draft.startsWith(text) ? draft.slice(text.length).trimStart() : draft;
}

if (composer) {
  const box = document.getElementById("inbox-text");
  try {
    for (const name of Object.keys(sessionStorage)) {
      if (name.startsWith("inbox draft ") && !name.startsWith(own)) sessionStorage.removeItem(name);
    }
    const draft = unsent();
    box.value ||= draft;
    store(key, draft);
    store(sent, "");
  } catch {
    // as above
  }
}

document.addEventListener("input", ({ target }) => target.id === "inbox-text" && store(key, target.value));
document.addEventListener("htmx:beforeRequest", ({ target, detail }) => {
  const { formData } = detail.requestConfig;
  if (composer && target === composer && formData.has("kind")) store(sent, `${formData.get("key")} ${formData.get("text")}`);
});
document.addEventListener("inbox:sent", () => store(sent, ""));
