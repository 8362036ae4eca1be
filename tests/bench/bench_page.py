"""The chat page in a real Chromium: what it adds to a reply's time, how soon it can be used, what a request costs."""

import argparse
import http.client
import re
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import chromium
from tests.browser.site import Site, bot_row
from tests.webchat.upstream_server import UpstreamServer

UPSTREAM_DELAY = 0.1  # seconds
ADDED_LIMIT, USABLE_LIMIT = 30, 450  # ms, medians
# Lighthouse's "slow 4G" and its slower processor.
SLOW_4G = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8}
SLOWER_CPU = 4

WATCH_TURNS = """
window.turns = [];
addEventListener("keydown", (event) => turns.push({ enter: event.timeStamp }), true);
new MutationObserver(() => {
  const turn = turns.at(-1);
  const replies = document.querySelectorAll("[data-transcript] [data-reply]");
  if (!turn || turn.inserted || replies.length < turns.length) return;
  turn.inserted = performance.now();
  requestAnimationFrame(() => {
    const painted = new MessageChannel();
    painted.port1.onmessage = () => (turn.painted = performance.now());
    painted.port2.postMessage("");
  });
}).observe(document.querySelector("[data-transcript]"), { childList: true, subtree: true });
"""

WATCH_LOADING = """
window.loading = {};
document.addEventListener("htmx:load", () => (loading.enter ??= performance.now()));
requestAnimationFrame(function look() {
  const box = document.getElementById("message");
  if (box?.offsetHeight && !box.readOnly) loading.box = performance.now();
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
        UpstreamServer() as upstream,
        Site(Path(folder), upstream.base_url, [bot_row(1, "help")], MESSAGES_PER_MINUTE=0) as site,
        sync_playwright() as playwright,
    ):
        upstream.delay = UPSTREAM_DELAY
        browser = chromium.launch(playwright)
        measure_replies(browser, site, options.turns)
        measure_loading(browser, site, options.loads)
        browser.close()
        upstream.delay = 0
        measure_requests(site, options.turns)


def measure_replies(browser: Browser, site: Site, turns: int) -> None:
    """From Enter to the reply, without what the upstream takes for itself."""
    page = browser.new_page()
    page.goto(site.url)
    page.evaluate(WATCH_TURNS)
    box, replies = page.locator("#message"), page.locator("[data-transcript] [data-reply]")
    for number in range(turns):
        box.fill(f"Question {number}")
        box.press("Enter")
        replies.nth(number).wait_for()
        page.wait_for_timeout(50)
    measured = page.evaluate("turns")[2:]  # the first ones warm up
    own = UPSTREAM_DELAY * 1000
    tell("added to a reply, in the page", [turn["inserted"] - turn["enter"] - own for turn in measured], ADDED_LIMIT)
    tell("added to a reply, painted", [turn["painted"] - turn["enter"] - own for turn in measured])
    page.close()


def measure_loading(browser: Browser, site: Site, loads: int) -> None:
    """A first visit over slow 4G with a slow processor."""
    loaded = [load_slowly(browser, site.url) for _ in range(loads)]
    tell("input usable, slow 4G, 4x slower", [load["box"] for load in loaded], USABLE_LIMIT)
    tell("Enter sends without a new page", [load["enter"] for load in loaded])
    for name in loaded[0]["resources"]:
        tell(f"  {name} has come", [load["resources"][name] for load in loaded])


def load_slowly(browser: Browser, address: str) -> dict:
    context = browser.new_context()
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", SLOW_4G)
    devtools.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER_CPU})
    page.add_init_script(WATCH_LOADING)
    page.goto(address, wait_until="load")
    wait_until(page, lambda: len(page.evaluate("Object.keys(loading)")) == 2)
    measured = page.evaluate("loading")
    entries = page.evaluate(
        "['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type))"
        ".map((entry) => [entry.name, entry.responseEnd])"
    )
    measured["resources"] = {re.sub(r"\.\w{12}(?=\.)", "", name.rsplit("/", 1)[1]) or "/": end for name, end in entries}
    context.close()
    return measured


def wait_until(page: Page, condition: Callable[[], bool]) -> None:
    """`page.wait_for_function` would need the page's policy to allow eval."""
    end = time.monotonic() + 10
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError("the page isn't usable after 10 s")
        page.wait_for_timeout(20)


def measure_requests(site: Site, turns: int) -> None:
    """What the server takes for each of a turn's requests, over one kept-alive connection."""
    times: dict[str, list[float]] = {"GET page": [], "POST message": [], "POST reply (no delay)": []}
    server = http.client.HTTPConnection("127.0.0.1", site.port)
    cookies: dict[str, str] = {}

    def ask(name: str, method: str, path: str, form: dict[str, str] | None = None) -> str:
        headers = {"Cookie": "; ".join(f"{key}={value}" for key, value in cookies.items()), "HX-Request": "true"}
        if form is not None:
            headers |= {"Content-Type": "application/x-www-form-urlencoded", "Origin": site.url}
        started = time.perf_counter()
        server.request(method, path, urlencode(form) if form else None, headers)
        answer = server.getresponse()
        text = answer.read().decode()
        times[name].append((time.perf_counter() - started) * 1000)
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            key, _, value = cookie.split(";")[0].partition("=")
            cookies[key] = value
        if answer.status != 200:
            raise RuntimeError(f"{path} answered {answer.status}")
        return text

    for number in range(turns):
        page = ask("GET page", "GET", "/chat/help/")
        fields = {name: value_of(page, name) for name in ("csrfmiddlewaretoken", "key", "after")}
        sent = ask("POST message", "POST", "/chat/help/messages", fields | {"message": f"Question {number}"})
        path = re.search(r'action="([^"]+/reply)"', sent)[1]
        ask("POST reply (no delay)", "POST", path, {"csrfmiddlewaretoken": value_of(sent, "csrfmiddlewaretoken")})
    server.close()
    for name, figures in times.items():
        tell(f"server, {name}", figures)
    halves = [statistics.median(part) for part in (times["GET page"][: turns // 2], times["GET page"][turns // 2 :])]
    print(f"  the page with {turns * 3 // 4} turns takes {halves[1] / halves[0]:.1f} times that with {turns // 4}")


def value_of(page: str, name: str) -> str:
    return re.search(rf'name="{name}"[^>]*? value="([^"]*)"', page)[1]


def tell(what: str, figures: list[float], limit: float | None = None) -> None:
    ordered = sorted(figures)
    median, high = statistics.median(ordered), ordered[int(len(ordered) * 0.95)]
    verdict = "" if limit is None else f"   limit {limit} ms, ratio {median / limit:.2f}"
    print(f"  {what:38} median {median:7.1f} ms   p95 {high:7.1f} ms{verdict}", flush=True)
