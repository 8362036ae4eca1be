// Teasers with conditions: each is shown once to each visitor, and at most one on each page.

/** @typedef {{ id: number, text: string, page: string, seconds: number, scrolled: number, visitors: "" | "new" | "returning" }} Rule */

/**
 * @param {Rule[]} rules
 * @param {(name: string, value?: string, forGood?: boolean) => string | undefined} remember
 * @param {(text: string) => boolean} speakUp
 */
export function watch(rules, remember, speakUp) {
  const kind = rules.some((rule) => rule.visitors) && kindOfVisitor(remember);
  const isLeft = ({ id, visitors }) => (!visitors || visitors === kind) && !remember(`rule ${id}`, undefined, true);
  const left = new Set(rules.filter(isLeft));
  let page, seconds, isSaid;

  const ticking = setInterval(() => {
    if (!left.size) clearInterval(ticking);
    if (page !== location.pathname) [page, seconds, isSaid] = [location.pathname, 0, false]; // also in a single-page app
    if (document.hidden || isSaid) return;
    seconds += 1;
    for (const rule of left) {
      if (isSaid || seconds < rule.seconds || scrolled() < rule.scrolled || !isOn(rule.page, page)) continue;
      if (!speakUp(rule.text)) return; // the chat is open
      isSaid = true;
      left.delete(rule);
      remember(`rule ${rule.id}`, "said", true);
    }
  }, 1000);
}

/** Return whether the visitor was here before this visit; a visit lasts as long as the tab. */
function kindOfVisitor(remember) {
  const known = remember("visitor");
  if (known) return known;
  const kind = remember("visited", undefined, true) ? "returning" : "new";
  remember("visited", "1", true);
  remember("visitor", kind);
  return kind;
}

/** Per cent scrolled; 100 if the page fits the window. */
function scrolled() {
  const { scrollTop, scrollHeight, clientHeight } = document.scrollingElement;
  return scrollHeight > clientHeight ? (100 * scrollTop) / (scrollHeight - clientHeight) : 100;
}

/** @param {string} pattern such as /prices or /shop/*; "" for every page */
function isOn(pattern, path) {
  const parts = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return !pattern || new RegExp(`^${parts.join(".*")}/?$`).test(path);
}
