/**
 * Opens a folded section when the URL leads to it or to a field in it.
 */

function unfold() {
  const target = document.getElementById(location.hash.slice(1));
  if (!target) return;
  const around = target.closest(".section, .inline-group")?.querySelector("details");
  for (const details of [around, target.closest("details")]) if (details) details.open = true;
  target.scrollIntoView();
}

addEventListener("hashchange", unfold);
unfold();
