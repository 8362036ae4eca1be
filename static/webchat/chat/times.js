// Times as the visitor's own clock shows them; the server knows only its own.

const language = document.documentElement.lang;
const short = new Intl.DateTimeFormat(language, { timeStyle: "short" });
const whole = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

document.addEventListener("htmx:load", ({ target }) => {
  const today = new Date().toDateString();
  for (const time of target.querySelectorAll("time")) {
    const at = new Date(time.dateTime);
    time.title = whole.format(at);
    time.textContent = at.toDateString() === today ? short.format(at) : time.title;
  }
});
