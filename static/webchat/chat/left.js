// Counts down the characters that are left, from the point on which the form sets.

document.addEventListener("input", (event) => {
  if (event.target.id !== "message") return;
  const { limit, countedFrom } = event.target.form.dataset;
  const length = [...event.target.value.trim()].length; // as the server counts: characters, not UTF-16 units
  const left = Number(limit) - length;
  const line = document.querySelector("[data-left]");
  line.hidden = length < Number(countedFrom);
  line.toggleAttribute("data-too-many", left < 0);
  const sentence = left < 0 ? line.dataset.over : left === 1 ? line.dataset.one : line.dataset.many;
  line.textContent = sentence.replace("#", String(Math.abs(left)));
});
