/**
 * The dashboard: keeps the open tab in view, and reloads after a training.
 */

document.querySelector(".tabs [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });

// What was said before the page was reloaded, such as which files were not uploaded, stays on it.
const SAID = "said-before-training";
const said = document.querySelector(".messagelist");
if (!said) document.getElementById("content")?.insertAdjacentHTML("beforebegin", sessionStorage.getItem(SAID) ?? "");
sessionStorage.removeItem(SAID);

/** Reload the page when a training has ended, unless something was typed or chosen in it. */
const isTyped = (field) => (field.type === "file" ? field.files.length > 0 : field.value !== field.defaultValue);
document.addEventListener("trained", () => {
  if ([...document.querySelectorAll("input, textarea")].some(isTyped)) return;
  sessionStorage.setItem(SAID, said?.outerHTML ?? "");
  location.reload();
});
