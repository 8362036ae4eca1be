// A message sent offline waits in this browser for the connection, even with no page open; its key makes it go only once.

const DAY = 24 * 60 * 60 * 1000; // ms; after that the visitor decides whether to send it
const PAGE_FIELDS = ["csrfmiddlewaretoken", "after", "shown"]; // fields that the next page has its own values for
const { action } = document.getElementById("composer");
const conversation = () => document.getElementById("composer-conversation")?.value; // in the portal, from the first message on
const key = () => `held ${new URL(action).pathname} ${conversation() ?? ""}`;
const visitorMark = () => document.getElementById("composer-after").dataset.whose; // another visitor may use this computer next
// Not for a portal conversation without an id: another person may sign in next.
const isKept = () => conversation() !== "";

function discard() {
  try {
    localStorage.removeItem(key());
  } catch {
    // storage is refused: then nothing was kept
  }
}

document.addEventListener("webchat:offline", ({ detail: { key: name, text, isSuggestion, fields } }) => {
  if (!isKept()) return;
  const kept = Object.fromEntries(Object.entries(fields).filter(([field]) => !PAGE_FIELDS.includes(field)));
  try {
    localStorage.setItem(key(), JSON.stringify({ whose: visitorMark(), at: Date.now(), message: { key: name, text, isSuggestion, fields: kept } }));
  } catch {
    // as above: it waits as long as the page
  }
});
for (const type of ["arrived", "returned"]) document.addEventListener(`webchat:${type}`, discard);

let held = null;
try {
  held = isKept() && JSON.parse(localStorage.getItem(key()));
} catch {
  // as above
}
if (held && (held.whose !== visitorMark() || document.getElementById(`turn-${held.message.key}`))) discard(); // another visitor's, or it has arrived
else if (held) {
  const box = document.getElementById("message"); // a reloaded tab's draft may begin with the message
  if (`${box.value}\n`.startsWith(`${held.message.text.trim()}\n`)) box.value = box.value.slice(held.message.text.trim().length + 1);
  document.dispatchEvent(new CustomEvent("webchat:resume", { detail: { message: held.message, isOld: Date.now() - held.at > DAY } }));
}
