// Unsent text survives a reload: in the tab's storage, not on the site, per account until it logs out.

const composer = document.getElementById("inbox-composer");
const own = composer && `inbox draft ${composer.dataset.account} `;
const key = own + composer?.dataset.conversation;

if (composer) {
  const box = document.getElementById("inbox-text");
  try {
    for (const name of Object.keys(sessionStorage)) {
      if (name.startsWith("inbox draft ") && !name.startsWith(own)) sessionStorage.removeItem(name);
    }
    box.value ||= sessionStorage.getItem(key) ?? "";
  } catch {
    // storage is refused: the draft lasts as long as the page
  }
}

document.addEventListener("input", ({ target }) => {
  if (target.id !== "inbox-text") return;
  try {
    target.value ? sessionStorage.setItem(key, target.value) : sessionStorage.removeItem(key);
  } catch {
    // as above
  }
});
