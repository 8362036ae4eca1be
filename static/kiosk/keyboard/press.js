// Key presses: by touch (overlapping ones, too), mouse, or a screen reader's click. Some keys repeat while held.

const board = document.querySelector("[data-keyboard]");
const field = () => document.querySelector("[data-written]") ?? document.getElementById("message");
const HELD = 450; // ms
const AGAIN = 70; // ms
const REPEATS = new Set(["backspace", "left", "right"]);
const down = new Map(); // state by pointer id
const SAME = 600; // ms: a click this soon after a touch is the same press; a click without a touch is a screen reader's
let releasedAt = -SAME;

function press(key, byPointer) {
  key.dispatchEvent(new CustomEvent("keyboard:press", { bubbles: true, detail: { byPointer } }));
}

function hold(key, state) {
  if (REPEATS.has(key.dataset.does)) {
    press(key, true);
    state.timer = setInterval(() => (key.isConnected ? press(key, true) : clearInterval(state.timer)), AGAIN);
    state.isDone = true;
  } else {
    state.isHeld = !key.dispatchEvent(new CustomEvent("keyboard:hold", { bubbles: true, cancelable: true }));
  }
}

function release(pointer, at) {
  const state = down.get(pointer);
  if (!state) return;
  down.delete(pointer);
  clearTimeout(state.timer); // also clears an interval
  state.key.removeAttribute("data-down");
  const under = at && document.elementFromPoint(at.clientX, at.clientY)?.closest("button");
  releasedAt = performance.now();
  if (state.isDone) return;
  if (state.isHeld) {
    if (under?.matches("[data-accent]")) press(under, true);
  } else if (!at || under === state.key) {
    press(state.key, true);
  }
}

board.addEventListener("pointerdown", (event) => {
  event.preventDefault(); // keeps focus and caret in the field
  const key = event.target.closest("button");
  if (!key || event.button) return;
  for (const pointer of [...down.keys()]) release(pointer, null);
  const state = { key };
  state.timer = setTimeout(() => hold(key, state), HELD);
  key.dataset.down = "";
  down.set(event.pointerId, state);
  field().focus({ preventScroll: true });
});
board.addEventListener("mousedown", (event) => event.preventDefault());
board.addEventListener("touchend", (event) => event.preventDefault()); // no click on what lies below once the keyboard is gone
addEventListener("pointerup", (event) => release(event.pointerId, event));
addEventListener("pointercancel", ({ pointerId }) => {
  const state = down.get(pointerId);
  clearTimeout(state?.timer);
  state?.key.removeAttribute("data-down");
  down.delete(pointerId);
});

board.addEventListener("click", ({ target, detail }) => {
  const key = target.closest("button");
  if (key && (detail === 0 || performance.now() - releasedAt > SAME)) press(key, false);
});
