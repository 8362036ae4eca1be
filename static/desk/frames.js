/**
 * A frame doesn't show that its page has the focus (WCAG 2.4.7): the box around it does.
 */

function mark() {
  for (const box of document.querySelectorAll(".screen")) {
    box.toggleAttribute("data-focused", box.contains(document.activeElement));
  }
}

addEventListener("blur", mark);
addEventListener("focus", mark);
