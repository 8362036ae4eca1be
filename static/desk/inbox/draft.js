// What was typed survives a reload; the tab's storage keeps it, not the site.

const composer = document.getElementById("inbox-composer");
const key = composer && `inbox draft ${composer.dataset.conversation}`;

if (composer) {
  const box = document.getElementById("inbox-text");
  try {
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
