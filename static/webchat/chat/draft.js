// What stands in the composer survives a reload; the tab keeps it, not the site.

const box = document.getElementById("message");
const conversation = document.getElementById("composer-conversation")?.value ?? ""; // where there are several
const key = `draft ${new URL(box.form.action).pathname}${conversation && ` ${conversation}`}`; // a page may have two addresses

document.addEventListener("input", ({ target }) => {
  if (target.id !== "message") return;
  try {
    target.value ? sessionStorage.setItem(key, target.value) : sessionStorage.removeItem(key);
  } catch {
    // storage is refused: the draft lasts as long as the page
  }
});

/** What is in the transcript has been sent: its answer was lost, or the page was left with it, without htmx. */
const sent = (text) => [...document.querySelectorAll("[data-transcript] [data-message]")].at(-1)?.textContent.trim() === text.trim();

try {
  if (sent(sessionStorage.getItem(key) ?? "")) sessionStorage.removeItem(key);
  box.value ||= sessionStorage.getItem(key) ?? "";
} catch {
  // as above
}
if (box.value) box.dispatchEvent(new Event("input", { bubbles: true }));
