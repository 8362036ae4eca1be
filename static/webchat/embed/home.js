// The widget's home: greeting, topics, and the last conversation, which waits there to be continued.

const PAGE = /^https?:\/\/\S+\n\n/; // the line that may precede a first message
const QUIET = 3600_000; // ms without a message, after which the widget opens on its home
const transcript = document.querySelector("[data-transcript]");
const topics = document.querySelectorAll("[data-suggestions], [data-search]");
const [home, last] = [document.querySelector("[data-go-home]"), document.querySelector("[data-continue]")];
const isLong = () => Date.now() - Date.parse([...transcript.querySelectorAll("time")].at(-1)?.dateTime) > QUIET;
const isBots = () => (document.getElementById("leader")?.dataset.leader ?? "bot") === "bot";

/** @param {boolean} isHome @param {boolean} glides whether home glides away with the greeting instead of vanishing */
function show(isHome, glides = false) {
  const messages = transcript.querySelectorAll("[data-message]");
  transcript.hidden = isHome;
  home.hidden = isHome || !messages.length;
  for (const each of glides ? [] : [...topics, last]) {
    each.hidden = each === last ? !isHome : !isHome && messages.length > 0;
    each.style.visibility = "";
  }
  last.querySelector("[data-title]").textContent = [...messages].at(-1)?.textContent.replace(PAGE, "") ?? "";
}

for (const button of [home, last])
  button.onclick = (event) => {
    const isHome = button === home;
    event.preventDefault();
    show(isHome);
    document.scrollingElement.scrollTop = isHome ? 0 : document.scrollingElement.scrollHeight;
    (isHome ? last : document.getElementById("message")).focus({ preventScroll: true });
  };

// The last listener: by now the page shows the conversation.
document.addEventListener("webchat:resumed", () => queueMicrotask(() => show(isBots() && isLong())));
document.addEventListener("webchat:drawn", () => show(false, transcript.hidden || transcript.querySelectorAll("[data-message]").length === 1));
document.addEventListener("htmx:load", ({ target }) => {
  if (target.matches("[data-turn], [data-entry]") && transcript.hidden && !document.documentElement.hasAttribute("data-resuming")) show(false);
});
document.addEventListener("webchat:returned", () => show(transcript.hidden)); // nothing is left of a first message
addEventListener("beforeprint", () => show(false));
