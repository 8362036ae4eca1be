// A reply appears word by word: at most a second and a half, ended by any click or key, never under reduced motion.

const LONGEST = 1500; // ms
const A_WORD = 35; // ms
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** What is seen even without its words: hidden until the first of them appears. */
const parts = (reply) => reply.querySelectorAll("li, pre, .code, table, tr, blockquote, a, hr, code");

/** @param {Element} reply */
function wordsOf(reply) {
  const walker = document.createTreeWalker(reply, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) if (walker.currentNode.data.trim()) texts.push(walker.currentNode);
  for (const part of parts(reply)) part.classList.add("yet");
  const segmenter = new Intl.Segmenter(document.documentElement.lang, { granularity: "word" });
  return texts.flatMap((text) => {
    const words = [...segmenter.segment(text.data)].map(({ segment }) => {
      const word = document.createElement("span");
      word.className = "yet";
      word.textContent = segment;
      return word;
    });
    text.replaceWith(...words);
    return words;
  });
}

function reveal(reply) {
  const words = wordsOf(reply);
  const lasts = Math.min(LONGEST, words.length * A_WORD);
  const start = performance.now();
  let shown = 0;
  let frame;
  const stop = new AbortController();

  function end() {
    cancelAnimationFrame(frame);
    stop.abort();
    for (const word of words) word.replaceWith(word.firstChild);
    for (const part of parts(reply)) part.classList.remove("yet");
    reply.normalize();
  }

  function step(now) {
    const due = ((now - start) / lasts) * words.length;
    for (; shown < Math.min(due, words.length); shown++) {
      for (let part = words[shown]; part !== reply; part = part.parentElement) part.classList.remove("yet");
    }
    if (shown < words.length) frame = requestAnimationFrame(step);
    else end();
  }

  for (const event of ["pointerdown", "keydown"]) addEventListener(event, end, { once: true, signal: stop.signal });
  setTimeout(() => stop.signal.aborted || end(), LONGEST); // frames stand still in a hidden tab
  frame = requestAnimationFrame(step);
}

document.addEventListener("htmx:load", ({ target }) => {
  const reply = target.matches("[data-turn]") && target.querySelector("[data-reply]");
  if (document.documentElement.hasAttribute("data-resuming")) return;
  if (reply && !calm.matches && !document.hidden && "Segmenter" in Intl) requestAnimationFrame(() => reveal(reply));
});
