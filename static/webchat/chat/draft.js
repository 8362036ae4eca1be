// What stands in the composer survives a reload; the tab keeps it, not the site.

const box = document.getElementById("message");
const key = `draft ${new URL(box.form.action).pathname}`; // one bot's page may have two addresses

document.addEventListener("input", ({ target }) => {
  if (target.id !== "message") return;
  try {
    target.value ? sessionStorage.setItem(key, target.value) : sessionStorage.removeItem(key);
  } catch {
    // storage is refused: the draft lasts as long as the page
  }
});

try {
  box.value ||= sessionStorage.getItem(key) ?? "";
} catch {
  // as above
}
if (box.value) box.dispatchEvent(new Event("input", { bubbles: true }));
