// A message sent offline waits in this browser for the connection, even with no page open; its key makes it go only once.

const DAY = 24 * 60 * 60 * 1000; // ms; after that the visitor decides whether to send it
const OF_THE_PAGE = ["csrfmiddlewaretoken", "after", "shown"]; // fields that the next page has its own values for
const { action } = document.getElementById("composer");
const conversation = () => document.getElementById("composer-conversation")?.value; // in the portal, from the first message on
const key = () => `held ${new URL(action).pathname} ${conversation() ?? ""}`;
const whose = () => document.getElementById("composer-after").dataset.whose; // somebody else may use this computer next
// Not for a portal conversation without an id: the next person to sign in may be somebody else.
const isKept = () => conversation() !== "";

function forget() {
  try {
    localStorage.removeItem(key());
  } catch {
    // storage is refused: then nothing was kept
  }
}

document.addEventListener("webchat:offline", ({ detail: { key: name, text, isSuggestion, fields } }) => {
  if (!isKept()) return;
  const kept = Object.fromEntries(Object.entries(fields).filter(([field]) => !OF_THE_PAGE.includes(field)));
  try {
    localStorage.setItem(key(), JSON.stringify({ whose: whose(), at: Date.now(), message: { key: name, text, isSuggestion, fields: kept } }));
  } catch {
    // as above: it waits as long as the page
  }
});
for (const type of ["arrived", "returned"]) document.addEventListener(`webchat:${type}`, forget);

let held = null;
try {
  held = isKept() && JSON.parse(localStorage.getItem(key()));
} catch {
  // as above
}
if (held && (held.whose !== whose() || document.getElementById(`turn-${held.message.key}`))) forget(); // somebody else's, or it has arrived after all
else if (held) {
  const box = document.getElementById("message"); // a reloaded tab's draft may begin with the message
  if (`${box.value}\n`.startsWith(`${held.message.text.trim()}\n`)) box.value = box.value.slice(held.message.text.trim().length + 1);
  document.dispatchEvent(new CustomEvent("webchat:resume", { detail: { message: held.message, isOld: Date.now() - held.at > DAY } }));
}
