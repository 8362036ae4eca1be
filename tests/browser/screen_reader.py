"""Records what a screen reader would announce of a page's live regions, by the rules of WAI-ARIA 1.2.

    visitor.add_init_script(LISTENER)
    heard(page, until="Ada is answering")   # [("polite", "Sending"), ("polite", "Ada is answering")]

Content that is there when the page loads is not announced. Polite regions announce what is added to them, if they
existed before; alerts also when they are added themselves. Hidden, removed and emptied content is not announced.
"""

import json
from contextlib import suppress

from playwright.sync_api import Page

from tests.browser.waiting import wait_for_frames, wait_until

LISTENER = r"""
window.said = [];
(() => {
  const ROLES = { log: "polite", status: "polite", alert: "assertive", timer: "off", marquee: "off" };
  const ATOMIC = ["status", "alert"];
  const live = (element) => element.getAttribute("aria-live") ?? ROLES[element.getAttribute("role")];

  function regionOf(node) {
    for (let element = node; element; element = element.parentElement) {
      if (element.nodeType === Node.ELEMENT_NODE && live(element)) return element;
    }
    return null;
  }

  /** The part that is spoken as a whole when something in it changes. */
  function wholeOf(node, region) {
    for (let element = node; element; element = element.parentElement) {
      const atomic = element.getAttribute?.("aria-atomic");
      const isWhole = element === region && ATOMIC.includes(region.getAttribute("role"));
      if (atomic === "true" || (atomic !== "false" && isWhole)) return element;
      if (element === region) return node;
    }
  }

  function words(node) {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (node.nodeType !== Node.ELEMENT_NODE || node.getAttribute("aria-hidden") === "true") return "";
    if (!node.checkVisibility({ visibilityProperty: true })) return "";
    const inner = [...node.childNodes].map(words).join("");
    return getComputedStyle(node).display === "inline" ? inner : ` ${inner} `;
  }

  function listen(records) {
    const spoken = new Set();
    const say = (node, how) => {
      const text = words(node).replace(/[^\S\n]+/g, " ").replace(/\s*\n\s*/g, "\n").trim();
      if (!text || spoken.has(node) || !node.isConnected) return;
      spoken.add(node);
      said.push([how, text]);
    };
    const added = new Set(records.flatMap((record) => [...record.addedNodes]));
    const isNew = (element) => [...added].some((node) => node.contains(element));
    for (const record of records) {
      const changed = record.type === "childList" ? [...record.addedNodes] : [record.target];
      for (const node of changed) {
        const region = regionOf(node);
        const how = region && live(region);
        if (how && how !== "off" && !isNew(region)) say(wholeOf(node, region), how);
        if (node.nodeType !== Node.ELEMENT_NODE) continue;
        for (const alert of [node, ...node.querySelectorAll("*")])
          if (alert.getAttribute("role") === "alert" && live(alert) !== "off") say(alert, "assertive");
      }
    }
  }

  document.addEventListener("readystatechange", () => {
    if (document.readyState !== "interactive") return;
    const what = { childList: true, characterData: true, attributes: true, subtree: true };
    new MutationObserver(listen).observe(document, { ...what, attributeFilter: ["hidden", "aria-hidden"] });
  });
})();
"""


def heard(page: Page, until: str | None = None) -> list[tuple[str, str]]:
    """Return what was announced since the last call. With `until`, wait for that announcement first, and for the
    frames after it, so that a repeated or superfluous announcement is included.
    """
    if until is not None:
        with suppress(AssertionError):  # the caller's assertion shows what was said instead
            wait_until(page, f"said.some(([, words]) => words === {json.dumps(until)})")
    wait_for_frames(page)
    return [tuple(each) for each in page.evaluate("said.splice(0)")]
