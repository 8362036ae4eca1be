// Shows times in the visitor's time zone, which the server doesn't know.

/** Takes 60 ms on a slow phone, so it is created while waiting for the first reply, or for the first time shown. */
const formats = () => (made ??= [undefined, "medium"].map((dateStyle) => new Intl.DateTimeFormat(language, { dateStyle, timeStyle: "short" })));
const language = document.documentElement.lang;
let made;

/** The day; the year only if it isn't the current one. @param {Date} at */
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
