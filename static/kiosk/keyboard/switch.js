// The on-screen keyboard on and off. While it is on, the system's own stays away (`inputmode="none"`).

const board = document.querySelector("[data-keyboard]");
const button = document.querySelector("[data-keyboard-switch]");
let isOn = board.hasAttribute("data-on");
// Once a message is sent the reply has the room, until a field is touched again; on a small screen the greeting.
let isAway = top.innerHeight < 700; // px; the frame itself may have no size yet

const field = () => document.querySelector("[data-written]") ?? document.getElementById("message");

function show() {
  board.hidden = !isOn || isAway;
  button.setAttribute("aria-expanded", String(!board.hidden));
  for (const each of document.querySelectorAll("textarea, input[type=text]")) {
    if (isOn) each.inputMode = "none";
    else each.removeAttribute("inputmode");
  }
}

function turn(on) {
  [isOn, isAway] = [on, false];
  show();
  field().blur(); // focused once more, the system's keyboard comes or goes
  field().focus({ preventScroll: true });
}

function putAway(away) {
  if (away && board.contains(document.activeElement)) field().focus({ preventScroll: true });
  isAway = away;
  show();
  if (!away) dispatchEvent(new Event("resize")); // there is less room: a greeting that kept its height gives way
}

// Once the page knows how high the keyboard is.
new ResizeObserver(() => field().closest(".box") || field().scrollIntoView({ block: "nearest", behavior: "instant" })).observe(board);

const isSending = ({ detail }) => detail.requestConfig.path.endsWith("/messages");

button.addEventListener("click", () => turn(board.hidden));
board.addEventListener("keyboard:system", () => turn(false));
document.addEventListener("click", ({ target }) => isAway && target.matches("textarea, input[type=text]") && putAway(false));
document.addEventListener("htmx:beforeSend", (event) => isSending(event) && putAway(true));
document.addEventListener("htmx:afterRequest", (event) => {
  if (isSending(event) && event.detail.xhr.status !== 200) putAway(false); // it has to be corrected
});
document.addEventListener("htmx:load", show); // a refused message comes back in a new composer
show();
