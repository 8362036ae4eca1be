// Copies a reply, or one block of code in it.

const template = document.querySelector("template[data-copy-code]");

/** @param {string} words */
const tell = (words) => document.dispatchEvent(new CustomEvent("webchat:copied", { detail: words }));

/** @param {ParentNode} within */
function offer(within) {
  if (!navigator.clipboard) return;
  for (const code of within.querySelectorAll("[data-reply] figure")) code.append(template.content.cloneNode(true));
}

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-copy]");
  if (!button) return;
  const source = button.closest("figure")?.querySelector("pre") ?? button.closest("article").querySelector("[data-reply]");
  const copy = source.cloneNode(true);
  copy.querySelectorAll("[data-copy], figcaption").forEach((inner) => inner.remove());
  source.after(copy); // innerText needs layout for its line breaks
  const text = copy.innerText.trim();
  copy.remove();
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    getSelection().selectAllChildren(source); // a frame without permission
    button.removeAttribute("aria-label");
    button.className = "copy"; // as wide as its words
    return tell((button.textContent = template.dataset.refused));
  }
  button.toggleAttribute("data-done", true);
  setTimeout(() => button.removeAttribute("data-done"), 1500);
  tell(template.dataset.copied);
});

document.documentElement.toggleAttribute("data-no-copy", !navigator.clipboard);
// After the reply itself was announced.
document.addEventListener("htmx:load", ({ target }) => requestAnimationFrame(() => offer(target)));
