// Times as the visitor's own clock shows them; the server knows only its own.

const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });

document.addEventListener("htmx:load", ({ target }) => {
  for (const time of target.querySelectorAll("time")) time.textContent = format.format(new Date(time.dateTime));
});
