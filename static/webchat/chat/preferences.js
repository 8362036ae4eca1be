// The visitor's choice of colours (in a cookie, so that the first paint has them) and of sound.

document.addEventListener("change", ({ target }) => {
  if (target.name === "theme") {
    document.documentElement.dataset.theme = target.value;
    document.cookie = `theme=${target.value}; path=/; max-age=31536000; samesite=lax${location.protocol === "https:" ? "; secure" : ""}`;
  }
  if (target.dataset.preference) {
    try {
      localStorage.setItem(target.dataset.preference, target.checked ? "1" : "");
    } catch {
      // storage is refused: the choice lasts as long as the page
    }
  }
});

for (const box of document.querySelectorAll("[data-preference]")) {
  try {
    box.checked = localStorage.getItem(box.dataset.preference) === "1";
  } catch {
    // as above
  }
}
