// A message sent without a connection waits for it, in this browser and also while no page is open, and goes once: by its key.

const DAY = 24 * 60 * 60 * 1000; // ms; later the visitor decides whether it still goes
const OF_THE_PAGE = ["csrfmiddlewaretoken", "after", "shown"]; // fields that the next page has anew
const { action } = document.getElementById("composer");
const conversation = document.getElementById("composer-conversation");
const key = `held ${new URL(action).pathname} ${conversation?.value ?? ""}`;
// Not in a widget's frame, whose session comes later, nor for a conversation that has no name yet: the next person to
// sign in at the portal may be another one.
const whose = () => document.getElementById("composer-after").dataset.whose; // the next person at this computer is another one
const isKept = document.documentElement.dataset.frame === undefined && conversation?.value !== "";

function forget() {
  try {
    localStorage.removeItem(key);
  } catch {
    // storage is refused: then nothing was kept
  }
}

document.addEventListener("webchat:offline", ({ detail: { key: name, text, isSuggestion, fields } }) => {
  if (!isKept) return;
  const kept = Object.fromEntries(Object.entries(fields).filter(([field]) => !OF_THE_PAGE.includes(field)));
  try {
    localStorage.setItem(key, JSON.stringify({ whose: whose(), at: Date.now(), message: { key: name, text, isSuggestion, fields: kept } }));
  } catch {
    // as above: it waits as long as the page
  }
});
for (const type of ["arrived", "returned"]) document.addEventListener(`webchat:${type}`, forget);

let held = null;
try {
  held = isKept && JSON.parse(localStorage.getItem(key));
} catch {
  // as above
}
if (held && (held.whose !== whose() || document.getElementById(`turn-${held.message.key}`))) forget(); // another's, or it has arrived after all
else if (held) {
  const box = document.getElementById("message"); // where the draft of a reloaded tab begins with it
  if (`${box.value}\n`.startsWith(`${held.message.text.trim()}\n`)) box.value = box.value.slice(held.message.text.trim().length + 1);
  document.dispatchEvent(new CustomEvent("webchat:resume", { detail: { message: held.message, isOld: Date.now() - held.at > DAY } }));
}
