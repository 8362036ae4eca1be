// The list stays where its reader has scrolled it: when something changes in it, and on the page of the next conversation.

const KEY = "inbox list";
const rows = () => document.getElementById("inbox-rows");
let top = 0;

document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => detail.target.id === "inbox-list" && (top = rows().scrollTop));
document.addEventListener("htmx:oobAfterSwap", ({ detail }) => detail.target.id === "inbox-list" && (rows().scrollTop = top));

try {
  rows().scrollTop = Number(sessionStorage.getItem(KEY));
  addEventListener("pagehide", () => sessionStorage.setItem(KEY, String(rows().scrollTop)));
} catch {
  // storage is refused: then the next page shows the list's beginning
}
rows().querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
