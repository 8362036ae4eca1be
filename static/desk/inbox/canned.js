// "/" and some letters list the canned replies of that shortcut; the arrow keys choose, Enter inserts, Escape closes.

const select = document.getElementById("inbox-canned");
const box = () => document.getElementById("inbox-text");
const list = document.createElement("ul");
let matches = [];
let chosen = 0;

/** The "/" and letters before the cursor, if they begin a word. */
const typed = () => /(?:^|\s)\/([\w-]*)$/.exec(box().value.slice(0, box().selectionStart));

function close() {
  list.hidden = true;
  box().removeAttribute("aria-controls");
  box().removeAttribute("aria-activedescendant");
}

function choose(number) {
  chosen = (number + matches.length) % matches.length;
  [...list.children].forEach((item, n) => item.setAttribute("aria-selected", String(n === chosen)));
  box().setAttribute("aria-activedescendant", list.children[chosen].id);
  list.children[chosen].scrollIntoView({ block: "nearest" });
}

function insert(option) {
  const end = box().selectionStart;
  const start = end - typed()[1].length - 1;
  box().setRangeText(option.dataset.text, start, end, "end");
  box().dispatchEvent(new Event("input", { bubbles: true }));
  close();
  box().focus();
}

function show() {
  const word = typed()?.[1].toLowerCase();
  matches = word === undefined ? [] : [...select.options].filter((option) => option.text.slice(1).startsWith(word));
  if (!matches.length) return close();
  list.replaceChildren(
    ...matches.map((option, n) => {
      const item = document.createElement("li");
      const name = document.createElement("strong");
      name.textContent = option.text;
      name.dir = "ltr";
      const text = document.createElement("bdi");
      text.textContent = option.dataset.text.slice(0, 90);
      item.append(name, " ", text);
      item.id = `canned-${n}`;
      item.setAttribute("role", "option");
      item.addEventListener("pointerdown", (event) => (event.preventDefault(), insert(option)));
      return item;
    }),
  );
  list.hidden = false;
  box().setAttribute("aria-controls", list.id);
  choose(0);
}

const KEYS = {
  ArrowDown: () => choose(chosen + 1),
  ArrowUp: () => choose(chosen - 1),
  Enter: () => insert(matches[chosen]),
  Tab: () => insert(matches[chosen]),
  Escape: close,
};

function prepare() {
  box().setAttribute("aria-autocomplete", "list");
  box().setAttribute("aria-haspopup", "listbox");
}

if (select && box()) {
  list.id = "inbox-canned-list";
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", document.querySelector("[data-inbox]").dataset.canned);
  box().before(list);
  prepare();
  document.addEventListener("input", ({ target }) => target === box() && show());
  document.addEventListener("htmx:oobAfterSwap", ({ detail }) => detail.target.id === "inbox-text" && prepare());
  document.addEventListener("focusout", ({ target }) => target === box() && close());
  // Capturing: Enter belongs to the open list before it sends the message.
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.target !== box() || list.hidden || !(event.key in KEYS) || event.shiftKey) return;
      event.preventDefault();
      KEYS[event.key]();
    },
    { capture: true },
  );
}
