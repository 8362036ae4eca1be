// Switches the on-screen keyboard on and off. While it is on, the system's keyboard stays closed (`inputmode="none"`).

const board = document.querySelector("[data-keyboard]");
const button = document.querySelector("[data-keyboard-switch]");
let isOn = board.hasAttribute("data-on");
// Closed after sending, so that the reply has room, until a field is touched; on a small screen also at the start, and once
// large text needs the room.
let isHidden = top.innerHeight < 700; // px of the top window, because the frame may have no size yet

const field = () => document.querySelector("[data-written]") ?? document.getElementById("message");

function show() {
  board.hidden = !isOn || isHidden;
  button.setAttribute("aria-expanded", String(!board.hidden));
  for (const each of document.querySelectorAll("textarea, input[type=text]")) {
    if (isOn) each.inputMode = "none";
    else each.removeAttribute("inputmode");
  }
}

function turn(on) {
  [isOn, isHidden] = [on, false];
  show();
  field().blur(); // focusing again opens or closes the system's keyboard
  field().focus({ preventScroll: true });
}

function setHidden(hidden) {
  if (hidden && board.contains(document.activeElement)) field().focus({ preventScroll: true });
  isHidden = hidden;
  show();
  if (!hidden) dispatchEvent(new Event("resize")); // less room: the greeting must give up its height
}

// After the keyboard's height is known.
new ResizeObserver(() => field().closest(".box") || field().scrollIntoView({ block: "nearest" })).observe(board);

const isSending = ({ detail }) => detail.requestConfig.path.endsWith("/messages");

button.addEventListener("click", () => turn(board.hidden));
board.addEventListener("keyboard:system", () => turn(false));
document.addEventListener("click", ({ target }) => isHidden && target.matches("textarea, input[type=text]") && setHidden(false));
document.addEventListener("htmx:beforeSend", (event) => isSending(event) && setHidden(true));
document.addEventListener("click", ({ target }) => {
  const isLarge = "large" in document.documentElement.dataset;
  if (isLarge && !field().value && target.closest("[data-text-size]")) setHidden(true);
});
document.addEventListener("htmx:afterRequest", (event) => {
  if (isSending(event) && event.detail.xhr.status !== 200) setHidden(false); // it needs correcting
});
document.addEventListener("htmx:load", show); // a refused message comes back in a new composer
show();
