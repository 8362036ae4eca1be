// A page that opens without a conversation loads what only people need with the visitor's first request.

const EVENTS = ["htmx:beforeRequest", "htmx:afterSettle"];
const { people, style } = document.querySelector("script[data-people]")?.dataset ?? {};

function load() {
  if (!navigator.onLine) return; // offline it would fail, and browsers don't try a module again
  for (const event of EVENTS) document.removeEventListener(event, load);
  // After the frame that shows the first message.
  requestAnimationFrame(() =>
    setTimeout(() => {
      document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: style }));
      import(people);
    }),
  );
}

if (people) for (const event of EVENTS) document.addEventListener(event, load);
