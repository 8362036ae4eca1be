// Times as the visitor's own clock shows them; the server knows only its own.

/** Takes a slow phone 60 ms, so it is made while the first reply is awaited, or for the first time that is shown. */
const formats = () => (made ??= [undefined, "medium"].map((dateStyle) => new Intl.DateTimeFormat(language, { dateStyle, timeStyle: "short" })));
const language = document.documentElement.lang;
let made;

/** The day alone, and its year only if it is another one. @param {Date} at */
const brief = (at) =>
  at.toLocaleDateString(language, { month: "short", day: "numeric", year: at.getFullYear() === new Date().getFullYear() ? undefined : "numeric" });

// After the frame that shows the message.
document.addEventListener("webchat:drawn", () => requestAnimationFrame(() => setTimeout(formats)));

document.addEventListener("htmx:load", ({ target }) => {
  const today = new Date().toDateString();
  for (const time of target.querySelectorAll("time")) {
    const [short, whole] = formats();
    const at = new Date(time.dateTime);
    if (time.matches("[data-later]")) {
      const sentence = at.toDateString() === today ? time.dataset.today : time.dataset.anotherDay;
      const day = at.toLocaleDateString(language, { month: "long", day: "numeric" });
      time.textContent = sentence.replace("{day}", day).replace("{time}", short.format(at));
      continue;
    }
    time.title = whole.format(at);
    time.textContent = at.toDateString() === today ? short.format(at) : time.matches("[data-brief]") ? brief(at) : time.title;
  }
});
