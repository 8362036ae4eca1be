"""Accessibility faults that axe finds on a page: WCAG 2.2 AA and best practices."""

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Frame, Page

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OPTIONS = {"runOnly": RULES, "resultTypes": ["violations"], "preload": False}
# Return only the violations: transferring what passed takes as long as finding it.
RUN = "([context, options]) => axe.run(context ?? document, options).then(({ violations }) => violations)"


def load_axe(frame: Page | Frame) -> None:
    """Load axe once for each document. axe in a page looks into a frame only where it is loaded as well.

    The page's next documents get it as they load: sending it takes longer than finding the faults.
    """
    if frame.evaluate("!window.axe"):
        frame.evaluate(AXE_SCRIPT)
        if isinstance(frame, Page):
            frame.add_init_script(f"if (window === top) {{ {AXE_SCRIPT} }}")


def complaints(page: Page, context: dict[str, list[list[str]]] | None = None) -> list[str]:
    load_axe(page)
    found = page.evaluate(RUN, [context, OPTIONS])
    return [f"{rule['id']}: {node['failureSummary']} {node['html'][:120]}" for rule in found for node in rule["nodes"]]
