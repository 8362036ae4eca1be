// Another tab has begun a new conversation, or this one was deleted: load again, as updates.js does for bots with people.

document.addEventListener("htmx:afterRequest", ({ target, detail }) => {
  if (target.id !== "leader" || detail.xhr.status !== 404) return;
  if (!document.querySelector("[data-state=sending]")) location.reload(); // a message notices by itself
});
