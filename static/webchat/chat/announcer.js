// Tells screen readers once, and as a whole, what the bot said; the transcript itself stays silent.

const log = document.querySelector("[data-announcer]");
let clearing;

document.addEventListener("htmx:load", (event) => {
  const reply = event.target.matches("[data-turn]") && event.target.querySelector("[data-reply]");
  if (!reply) return;
  const said = document.createElement("p");
  said.textContent = `${log.dataset.said} ${reply.textContent.trim()}`;
  log.append(said);
  clearTimeout(clearing);
  clearing = setTimeout(() => log.replaceChildren(), 1000);
});
