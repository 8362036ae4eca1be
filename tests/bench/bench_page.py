"""The chat page in a real Chromium: time added to a reply, time until the page is usable, beside a bare page.

A first visit has Lighthouse's "slow 4G" network and a processor four times slower than this machine's, and comes by a
link from another site. A bare page of the same stack (Django, htmx and gunicorn, `bare_site`) is measured beside it,
because the figures depend as much on the machine as on the page. The visitor taps the box and types until a letter
appears, by the browser's input events: Playwright's own way of finding an element would run 60 ms of scripts in the
page meanwhile.
"""

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.bench.served_bare_site import BareSite
from tests.browser import chromium
from tests.browser.site import Site, bot_row
from tests.webchat.upstream_server import UpstreamServer

UPSTREAM_DELAY = 0.1  # seconds
ADDED_LIMIT, USABLE_LIMIT = 30, 450  # ms, medians
RATIO_LIMIT = 1.3  # of the first visit to that of the bare page
SLOW_4G = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8}
SLOWER_CPU = 4

WATCH_TURNS = """
window.turns = [];
addEventListener("keydown", (event) => turns.push({ enter: event.timeStamp }), true);
new MutationObserver(() => {
  const replies = document.querySelectorAll("[data-transcript] [data-reply]");
  if (turns.length && replies.length >= turns.length) turns.at(-1).inserted ??= performance.now();
}).observe(document.querySelector("[data-transcript]"), { childList: true, subtree: true });
"""

# Are all of the reply's words in the page, none of them transparent, in a painted frame?
WATCH_FIRST_ANSWER = """
const isSeen = (part) => getComputedStyle(part).opacity === "1" || part.matches("button, button *");
requestAnimationFrame(function look() {
  const reply = document.querySelector("[data-transcript] [data-reply]");
  if (!reply || ![reply, ...reply.querySelectorAll("*")].every(isSeen)) return requestAnimationFrame(look);
  const painted = new MessageChannel();
  painted.port1.onmessage = () => (window.readable = performance.now());
  painted.port2.postMessage("");
});
"""

WATCH_LOADING = """
window.loading = {};
addEventListener("input", () => (loading.typed ??= performance.now(), typed("")), true);
document.addEventListener("htmx:load", () => (loading.enter ??= performance.now()));
requestAnimationFrame(function look() {
  if (document.getElementById("message")?.offsetHeight) loading.painted = performance.now();
  else requestAnimationFrame(look);
});
"""


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench page")
    parser.add_argument("--turns", type=int, default=40)
    parser.add_argument("--loads", type=int, default=12)
    options = parser.parse_args(arguments)
    with (
        tempfile.TemporaryDirectory() as folder,
        tempfile.TemporaryDirectory() as bare_folder,
        UpstreamServer() as upstream,
        Site(Path(folder), upstream.base_url, [bot_row(1, "help")], MESSAGES_PER_MINUTE=0) as site,
        BareSite(bare_folder, upstream.base_url) as bare,
        sync_playwright() as playwright,
    ):
        upstream.delay = UPSTREAM_DELAY
        browser = chromium.launch(playwright)
        pages = (site.url, f"http://127.0.0.1:{bare.port}/")
        another_site = f"http://localhost:{bare.port}/"
        ours, yardstick = (time_turns(browser, page, upstream, options.turns) for page in pages)
        tell("added to a reply", ours, ADDED_LIMIT)
        tell("the same of the bare page", yardstick)
        compare_first_visits(browser, another_site, pages, options.loads)
        browser.close()


def time_turns(browser: Browser, url: str, upstream: UpstreamServer, turns: int) -> list[float]:
    """Return milliseconds from Enter to the reply, less the upstream's own time by its own clock."""
    page = browser.new_page()
    page.goto(url)
    page.evaluate(WATCH_TURNS)
    box = page.locator("#message")
    for number in range(turns):
        box.fill(f"Question {number}")
        box.press("Enter")
        page.wait_for_timeout(UPSTREAM_DELAY * 1000 + 200)  # polling the page would slow it down
        page.locator("[data-transcript] [data-reply]").nth(number).wait_for()
    measured = list(zip(page.evaluate("turns"), upstream.durations[-turns:], strict=True))[2:]  # warm up
    page.close()
    return [turn["inserted"] - turn["enter"] - own * 1000 for turn, own in measured]


def compare_first_visits(browser: Browser, before: str, pages: tuple[str, str], loads: int) -> None:
    """Measure first visits of both pages in turn; the first one of each warms the file cache."""
    boxes = {page: place_of_box(browser, page) for page in pages}
    visits: dict[str, list[dict[str, float]]] = {page: [] for page in pages}
    for _ in range(loads + 1):
        for page, box in boxes.items():
            answer = {"readable": first_answer(browser, before, page)}
            visits[page].append(answer | load_slowly(browser, before, page, box))
    names = {
        "readable": "first answer readable",
        "typed": "input takes what is typed",
        "painted": "input painted",
        "enter": "Enter sends without a new page",
    }
    for moment, name in names.items():
        ours, yardstick = ([visit[moment] for visit in visits[page][1:]] for page in pages)
        tell(name, ours, USABLE_LIMIT if moment == "typed" else None)
        tell("the same of the bare page", yardstick)
        ratio = statistics.median(ours) / statistics.median(yardstick)
        print(f"  {'ratio':38} {ratio:14.2f}      limit {RATIO_LIMIT}")


def first_answer(browser: Browser, before: str, url: str) -> float:
    """Come from another site: each page then costs a new browser process, as for real visitors."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(before)
    page.wait_for_timeout(200)
    page.add_init_script(WATCH_FIRST_ANSWER)
    page.goto(url)
    page.locator("#message").fill("Question")
    page.keyboard.press("Enter")
    page.wait_for_timeout(UPSTREAM_DELAY * 1000 + 200)  # polling the page would slow it down
    end = time.monotonic() + 10
    while not (readable := page.evaluate("window.readable")):
        if time.monotonic() > end:
            raise TimeoutError(f"{url} shows no reply after 10 s")
        page.wait_for_timeout(20)
    context.close()
    return readable


def place_of_box(browser: Browser, url: str) -> tuple[float, float]:
    """Return the middle of the message box in px, once the layout is stable."""
    page = browser.new_page()
    page.goto(url, wait_until="load")
    box = page.locator("#message").bounding_box()
    page.close()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def load_slowly(browser: Browser, before: str, url: str, box: tuple[float, float]) -> dict[str, float]:
    """Return milliseconds from the start of a first visit, with an empty cache, to each event."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(before)
    page.wait_for_timeout(300)
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", SLOW_4G)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER_CPU})
    typed = []
    devtools.on("Runtime.bindingCalled", lambda call: typed.append(call))
    devtools.send("Runtime.enable")
    devtools.send("Runtime.addBinding", {"name": "typed"})
    page.add_init_script(WATCH_LOADING)
    page.goto(url, wait_until="commit")
    while not typed:
        page.mouse.click(*box)
        page.keyboard.insert_text("x")
        page.wait_for_timeout(5)
    end = time.monotonic() + 10
    while len(measured := page.evaluate("loading")) < 3:
        if time.monotonic() > end:
            raise TimeoutError("the page isn't usable after 10 s")
        page.wait_for_timeout(20)
    context.close()
    return measured


def cpu_seconds(processes: list[int]) -> float:
    """Return the processor seconds that Linux counted for the processes, in steps of 10 ms: use means."""
    fields = [Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split() for process in processes]
    return sum(int(field[11]) + int(field[12]) for field in fields) / os.sysconf("SC_CLK_TCK")


def tell(what: str, figures: list[float], limit: float | None = None) -> None:
    ordered = sorted(figures)
    median, high = statistics.median(ordered), ordered[int(len(ordered) * 0.95)]
    verdict = "" if limit is None else f"   limit {limit} ms, ratio {median / limit:.2f}"
    print(f"  {what:38} median {median:7.1f} ms   p95 {high:7.1f} ms{verdict}", flush=True)
