// Draws the keys: a layout's letters, its accents, the symbols, or the choice of languages; knows whether shift is on.

const board = document.querySelector("[data-keyboard]");
const rows = board.querySelector("[data-keys]");
const own = board.querySelector("template[data-own-keys]").content; // shift, space and the like, with their names
const layouts = board.querySelector("template[data-layouts]").content;
const typed = document.querySelector("[data-typed]");
const LETTER = /[\p{Ll}\p{Lo}]/u;
const LOCK = 400; // ms within which a second press locks shift
let layout;
let symbols;
let page = "letters";
let shift = ""; // "once" or "lock"
let shiftedAt = 0;

const split = (row) => row.split(" ");
const load = async (url) => (await fetch(url)).json();
const upper = (text) => (text === "ß" ? "ẞ" : text.toLocaleUpperCase(layout.lang));
const raised = (text) => (shift ? upper(text) : text);
/** A combining mark is shown on a dotted circle. */
const shown = (text) => (/^\p{M}/u.test(text) ? `◌${text}` : text);

function key(text, accents = "") {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "key", tabIndex: -1 });
  const turns = layout.turns?.[text];
  Object.assign(button.dataset, { does: turns ? "turn" : "type", text });
  if (accents) button.dataset.accents = accents;
  button.textContent = shown(text);
  button.lang = layout.lang;
  return button;
}

const ours = (does) => own.querySelector(`[data-does="${does}"]`).cloneNode(true);
const gap = () => Object.assign(document.createElement("span"), { className: "gap" });

function line(...keys) {
  const row = document.createElement("div");
  row.className = "row-of-keys";
  row.append(...keys);
  return row;
}

function letters() {
  const shifted = shift && layout.shift;
  const lines = (shifted || layout.rows).map((row) =>
    split(row).map((text) => (text === "_" ? gap() : key(raised(text), split(layout.accents[text] ?? "").map(raised).join(" ").trim()))),
  );
  lines.at(-1).unshift(ours("shift"));
  return lines;
}

function allAccents() {
  const all = Object.entries(layout.accents).flatMap(([letter, list]) => (LETTER.test(letter) ? split(list) : []));
  return [...new Set(all)].filter(Boolean);
}

/** Everything that a long press on a letter shows, for people who can't press long. */
function accents() {
  const each = allAccents();
  const length = Math.ceil(each.length / 4);
  const lines = [0, 1, 2, 3].map((row) => each.slice(row * length, (row + 1) * length).map((text) => key(raised(text))));
  lines.at(-1).unshift(ours("shift"));
  return lines;
}

const signs = (number) => symbols.pages[number].map((row) => split(row).map((text) => key(text)));

function languages() {
  const offered = [...layouts.cloneNode(true).children];
  for (const button of offered) button.setAttribute("aria-pressed", String(button.lang === layout.lang));
  return [0, 1, 2, 3].map((row) => offered.slice(row * 3, row * 3 + 3));
}

const PAGES = { letters, accents, symbols: () => signs(0), more: () => signs(1), languages };

/** For each page of keys, the pages that the first two bottom keys open. */
const MODES = {
  letters: ["symbols", "accents"],
  accents: ["symbols", "letters"],
  symbols: ["letters", "more"],
  more: ["letters", "symbols"],
  languages: ["letters", "symbols"],
};

function bottom() {
  const [comma, ...ends] = split(layout.punctuation).map((text) => key(text, layout.accents[text]));
  const space = ours("type");
  space.firstElementChild.textContent = layout.name;
  const sample = { letters: layout.letters ?? "abc", accents: allAccents().slice(0, 3).join("") };
  const [first, second] = MODES[page].filter((mode) => sample[mode] !== "").map(ours);
  for (const button of [first, second]) {
    if (!sample[button?.dataset.does]) continue;
    button.textContent = sample[button.dataset.does];
    button.ariaLabel += ` ${button.textContent}`; // the name contains the visible text (WCAG 2.5.3)
  }
  return [first, second ?? "", ours("languages"), comma, space, ...ends, ours("left"), ours("right"), ours("send")];
}

function draw() {
  const buttons = () => [...rows.querySelectorAll("button")];
  const place = buttons().indexOf(document.activeElement);
  const lines = PAGES[page]();
  if (page !== "languages") lines.at(-1).push(ours("backspace"));
  const widest = Math.max(...lines.map((keys) => keys.reduce((sum, each) => sum + (each.matches(".gap") ? 0.4 : each.matches(".edge") ? 1.4 : 1), 0)));
  rows.style.setProperty("--columns", String(page === "languages" ? 3 : Math.max(widest, 10)));
  rows.replaceChildren(...lines.map((keys) => line(...keys)), line(...bottom()));
  rows.querySelector("[data-does=shift]")?.setAttribute("aria-pressed", String(Boolean(shift)));
  rows.querySelector("[data-does=shift]")?.toggleAttribute("data-locked", shift === "lock");
  const focused = place < 0 ? null : buttons()[Math.min(place, buttons().length - 1)];
  (focused ?? buttons()[0]).tabIndex = 0;
  focused?.focus();
}

async function speak(button) {
  const chosen = await load(button.dataset.layout);
  if (chosen.system) {
    if (!layout) await speak(layouts.querySelector("[lang=en]"));
    return board.dispatchEvent(new Event("keyboard:system"));
  }
  layout = { ...chosen, name: button.textContent };
  [page, shift] = ["letters", ""];
  draw();
}

board.addEventListener("keyboard:press", ({ target, detail }) => {
  const { does, text, layout: other } = target.dataset;
  if (other) return speak(target);
  if (does === "shift") {
    const again = performance.now() - shiftedAt < LOCK;
    shiftedAt = performance.now();
    shift = shift === "lock" ? "" : shift ? (again ? "lock" : "") : "once";
    return draw();
  }
  if (does in PAGES) {
    page = page === does ? "letters" : does;
    return draw();
  }
  const newLine = does === "send" && shift;
  document.dispatchEvent(
    new CustomEvent("keyboard:do", { detail: { does: newLine ? "type" : does, text: newLine ? "\n" : text, turns: layout.turns } }),
  );
  if (!detail.byPointer) typed.textContent = target.getAttribute("aria-label") ?? target.textContent;
  if (shift === "once" && does === "type") {
    shift = "";
    draw();
  }
});

load(board.dataset.symbols).then((loaded) => {
  symbols = loaded;
  return speak(layouts.querySelector("[data-first]"));
});
