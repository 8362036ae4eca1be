// The keyboard is one tab stop; the arrow keys move between its keys.

const board = document.querySelector("[data-keyboard]");

function next(from, key) {
  const row = from.closest(".row-of-keys");
  const inRow = (each) => [...each.querySelectorAll("button")];
  const keys = inRow(row);
  if (key === "Home") return keys[0];
  if (key === "End") return keys.at(-1);
  if (key === "ArrowLeft" || key === "ArrowRight") return keys[keys.indexOf(from) + (key === "ArrowLeft" ? -1 : 1)];
  const other = key === "ArrowUp" ? row.previousElementSibling : row.nextElementSibling;
  const middle = (each) => each.getBoundingClientRect().left + each.offsetWidth / 2;
  return other && inRow(other).sort((one, two) => Math.abs(middle(one) - middle(from)) - Math.abs(middle(two) - middle(from)))[0];
}

board.addEventListener("keydown", (event) => {
  const from = event.target.closest(".row-of-keys button");
  if (!from || !/^(Arrow|Home$|End$)/.test(event.key)) return;
  event.preventDefault();
  const to = next(from, event.key);
  if (!to) return;
  board.querySelectorAll("[data-keys] [tabindex='0']").forEach((each) => (each.tabIndex = -1));
  to.tabIndex = 0;
  to.focus();
});
