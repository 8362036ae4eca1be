// Counts down the remaining characters once the message comes close to the limit.

document.addEventListener("input", ({ target }) => {
  if (target.id !== "message") return;
  const { limit, countedFrom } = target.form.dataset;
  const length = [...target.value.trim()].length; // code points, as the server counts, not UTF-16 units
  const left = Number(limit) - length;
  const counter = document.querySelector("[data-left]");
  counter.hidden = length < Number(countedFrom);
  counter.toggleAttribute("data-too-many", left < 0);
  const sentence = left < 0 ? counter.dataset.over : left === 1 ? counter.dataset.one : counter.dataset.many;
  // The message box is described by it, even while it is hidden.
  counter.textContent = counter.hidden ? "" : sentence.replace("#", String(Math.abs(left)));
});
