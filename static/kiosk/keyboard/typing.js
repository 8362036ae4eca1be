// Types into the marked field, wherever the focus is.

const field = () => document.querySelector("[data-written]") ?? document.getElementById("message");
let segmenter; // made for the first key that needs it: that costs a third of what all scripts of the page do
const graphemes = (text) => (segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" })).segment(text);
const LONGEST = 64; // characters of one grapheme; segmenting the whole message for each key would be slow
const ONE_PICTURE = /\p{Extended_Pictographic}|\p{Regional_Indicator}/u; // an emoji of several characters is deleted as one

function edit(text, start, end, inputType) {
  field().setRangeText(text, start, end, "end");
  field().dispatchEvent(new InputEvent("input", { bubbles: true, inputType, data: text || null }));
  if (field().selectionEnd === field().value.length) field().scrollTop = field().scrollHeight;
}

/** The grapheme before a position; of a letter with marks, as with a real keyboard, only the last mark. */
function before(place, whole) {
  const last = [...graphemes(field().value.slice(Math.max(place - LONGEST, 0), place))].at(-1)?.segment ?? "";
  return whole || ONE_PICTURE.test(last) ? last : ([...last].at(-1) ?? "");
}

const after = (place) => graphemes(field().value.slice(place))[Symbol.iterator]().next().value?.segment ?? "";

function backspace() {
  const { selectionStart: start, selectionEnd: end } = field();
  if (start !== end) edit("", start, end, "deleteContentBackward");
  else if (start > 0) edit("", start - before(start).length, start, "deleteContentBackward");
}

/** Move the caret visually left or right; Arabic text runs to the left. */
function move(side) {
  const { selectionStart: start, selectionEnd: end } = field();
  const onwards = (getComputedStyle(field()).direction === "rtl") === (side === "left");
  let place = onwards ? end : start;
  if (start === end) place += onwards ? after(place).length : -before(place, true).length;
  field().setSelectionRange(place, place);
}

/**
 * か and ゛ become が, and が and ゛ become か again.
 * @param {string} mark
 * @param {Object<string, string>} turns for each mark, pairs of what is turned and what it becomes
 */
function turn(mark, turns) {
  const { selectionStart: start } = field();
  const last = before(start);
  const pairs = Object.entries(turns).flatMap(([by, all]) => all.split(" ").map((pair) => [by, ...pair]));
  const plain = pairs.find(([, , turned]) => turned === last)?.[1] ?? last;
  const turned = pairs.find(([by, from]) => by === mark && from === plain)?.[2];
  if (!turned) return;
  edit(turned === last ? plain : turned, start - last.length, start, "insertReplacementText");
}

/** The composer's other fields have their own button beside them. */
function send() {
  const own = field().closest("[data-own-enter]")?.querySelector("button");
  if (own) own.click();
  else field().form.requestSubmit();
}

document.addEventListener("keyboard:do", ({ detail }) => {
  const { selectionStart: start, selectionEnd: end } = field();
  if (detail.does === "type") edit(detail.text, start, end, "insertText");
  if (detail.does === "turn") turn(detail.text, detail.turns);
  if (detail.does === "backspace") backspace();
  if (detail.does === "left" || detail.does === "right") move(detail.does);
  if (detail.does === "send") send();
});
