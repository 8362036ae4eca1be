// Nothing leaves the screen and no trace stays on it: no context menu, no drag and drop, no zoom, no copying.

const KEYS_WITH_CTRL = "+-=_0pPsSoOuUfFgGhHjJnNtTwWdD";
const refuse = (event) => event.preventDefault();
const writes = (node) => (node.closest ? node : node.parentElement)?.closest("input, textarea");

// The next visitor could paste what was copied.
for (const type of ["contextmenu", "dragstart", "dragover", "drop", "copy", "cut", "auxclick", "gesturestart"])
  document.addEventListener(type, refuse, { capture: true });

document.addEventListener("selectstart", (event) => writes(event.target) || refuse(event));
document.addEventListener("wheel", (event) => event.ctrlKey && refuse(event), { passive: false });
document.addEventListener("touchmove", (event) => event.touches.length > 1 && event.cancelable && refuse(event), { passive: false });

document.addEventListener(
  "keydown",
  (event) => {
    const command = event.ctrlKey || event.metaKey;
    const history = event.altKey && /^(Arrow|Home)/.test(event.key);
    if ((command && KEYS_WITH_CTRL.includes(event.key)) || history || /^(F\d+|Browser\w+)$/.test(event.key)) refuse(event);
  },
  { capture: true },
);

// The sandbox and the policy block other sites; our own pages replace this one, so that no history is left.
document.addEventListener(
  "click",
  (event) => {
    const link = event.target.closest?.("a[href]");
    if (!link) return;
    refuse(event);
    if (link.hash) document.querySelector(link.hash)?.focus();
    else if (link.origin === location.origin) location.replace(link.href);
  },
  { capture: true },
);
