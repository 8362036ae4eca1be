// The on-screen keyboard on and off. While it is on, the system's own stays away (`inputmode="none"`).

const board = document.querySelector("[data-keyboard]");
const button = document.querySelector("[data-keyboard-switch]");
let isOn = board.hasAttribute("data-on");

function show() {
  board.hidden = !isOn;
  button.setAttribute("aria-expanded", String(isOn));
  const box = document.getElementById("message");
  if (isOn) box.inputMode = "none";
  else box.removeAttribute("inputmode");
}

function turn(on) {
  isOn = on;
  show();
  const box = document.getElementById("message");
  box.blur(); // focused once more, the system's keyboard comes or goes
  box.focus({ preventScroll: true });
}

button.addEventListener("click", () => turn(!isOn));
board.addEventListener("keyboard:system", () => turn(false));
document.addEventListener("htmx:load", show); // a composer that was refused comes back anew
show();
