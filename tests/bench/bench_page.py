"""The chat page in a real Chromium: time added to a reply, time until it is usable, processor time of a request.

A first visit has Lighthouse's "slow 4G" network and a processor four times slower than this machine's, and comes by a
link from another site. Two bare pages are measured beside it, because the figures depend as much on the machine as on
the page: one of the same stack (Django, htmx and gunicorn, `bare_site`), and a single static file. The visitor taps the
box and types until a letter appears, by the browser's input events: Playwright's own way of finding an element would
run 60 ms of scripts in the page meanwhile.
"""

import argparse
import http.client
import os
import re
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlencode

from playwright.sync_api import Browser, sync_playwright

from tests.bench.served_bare_site import BareSite
from tests.browser import chromium
from tests.browser.site import Site, bot_row
from tests.webchat.upstream_server import UpstreamServer

UPSTREAM_DELAY = 0.1  # seconds
ADDED_LIMIT, USABLE_LIMIT, CPU_LIMIT = 30, 450, 6  # ms, medians
FIRST_ANSWER_RATIO = 1.3
SLOW_4G = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8}
SLOWER_CPU = 4
BARE_PAGE = (
    b'<!doctype html><html lang="en"><meta charset="utf-8"><title>Chat</title>'
    b"<style>body{font:1rem/1.5 system-ui}</style>"
    b"<h1>Chat</h1><ol data-transcript></ol><form><textarea id=message></textarea><button>Send</button></form><script>"
    b"document.querySelector('textarea').onkeydown = async (event) => {"
    b"  if (event.key !== 'Enter') return;"
    b"  event.preventDefault();"
    b"  const answer = await fetch('/', { method: 'POST', body: event.target.value });"
    b"  const reply = document.createElement('li');"
    b"  reply.dataset.reply = '';"
    b"  reply.textContent = await answer.text();"
    b"  document.querySelector('ol').append(reply);"
    b"}</script>"
)

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
        sync_playwright() as playwright,
    ):
        upstream.delay = UPSTREAM_DELAY
        browser = chromium.launch(playwright)
        with bare_page() as bare:
            added = time_turns(browser, site.url, upstream.durations, options.turns)
            tell("added to a reply, in the page", added["inserted"], ADDED_LIMIT)
            tell("added to a reply, painted", added["painted"])
            added = time_turns(browser, bare, [UPSTREAM_DELAY] * options.turns, options.turns)
            tell("the same of the bare page", added["inserted"])
            tell("the same of the bare page, painted", added["painted"])
            with BareSite(bare_folder, upstream.base_url) as same_stack:
                measure_first_answer(browser, site.url, f"http://127.0.0.1:{same_stack.port}/", bare, options.loads)
            measure_loading(browser, site, bare, options.loads)
        browser.close()
        upstream.delay = 0
        measure_requests(site, options.turns)


def time_turns(browser: Browser, url: str, took: list[float], turns: int) -> dict[str, list[float]]:
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
    measured = list(zip(page.evaluate("turns"), took, strict=True))[2:]  # warm up
    page.close()
    return {
        moment: [turn[moment] - turn["enter"] - own * 1000 for turn, own in measured]
        for moment in ("inserted", "painted")
    }


def another_site(bare: str) -> str:
    return bare.replace("127.0.0.1", "localhost")


def measure_first_answer(browser: Browser, url: str, same_stack: str, bare: str, loads: int) -> None:
    """Measure from the start of a first visit, with an empty cache, until the first reply is readable."""
    pages = {"first answer readable": url, "a bare page of the same stack": same_stack, "the bare page": bare}
    times = {name: [] for name in pages}
    for _ in range(loads + 1):
        for name, page in pages.items():
            times[name].append(first_answer(browser, another_site(bare), page))
    for name, figures in times.items():
        tell(name, figures[1:])
    ours, *yardsticks = (statistics.median(figures[1:]) for figures in times.values())
    for name, yardstick in zip(list(times)[1:], yardsticks, strict=True):
        limit = FIRST_ANSWER_RATIO if yardstick is yardsticks[0] else ""
        print(f"  {f'first answer, beside {name}':38} ratio  {ours / yardstick:7.2f}      {limit and f'limit {limit}'}")


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


def measure_loading(browser: Browser, site: Site, bare: str, loads: int) -> None:
    """Measure loading; the first load of each page warms the file cache."""
    ours, yardstick = [], []
    boxes = [place_of_box(browser, url) for url in (site.url, bare)]
    for _ in range(loads + 1):
        ours.append(load_slowly(browser, another_site(bare), site.url, boxes[0], {"typed", "painted", "enter"}))
        yardstick.append(load_slowly(browser, another_site(bare), bare, boxes[1], {"typed", "painted"}))
    tell("input takes what is typed", [load["typed"] for load in ours[1:]], USABLE_LIMIT)
    tell("the same of the bare page", [load["typed"] for load in yardstick[1:]])
    tell("input painted", [load["painted"] for load in ours[1:]])
    tell("the same of the bare page", [load["painted"] for load in yardstick[1:]])
    tell("Enter sends without a new page", [load["enter"] for load in ours[1:]])


def place_of_box(browser: Browser, url: str) -> tuple[float, float]:
    """Return the middle of the message box in px, once the layout is stable."""
    page = browser.new_page()
    page.goto(url, wait_until="load")
    box = page.locator("textarea").bounding_box()
    page.close()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def load_slowly(
    browser: Browser, before: str, url: str, box: tuple[float, float], moments: set[str]
) -> dict[str, float]:
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
    while not moments <= (measured := page.evaluate("loading")).keys():
        if time.monotonic() > end:
            raise TimeoutError("the page isn't usable after 10 s")
        page.wait_for_timeout(20)
    context.close()
    return measured


@contextmanager
def bare_page() -> Iterator[str]:
    """Serve a page in one file from Python's http.server."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(BARE_PAGE)))
            self.end_headers()
            self.wfile.write(BARE_PAGE)

        def do_POST(self) -> None:
            message = self.rfile.read(int(self.headers["Content-Length"]))
            time.sleep(UPSTREAM_DELAY)
            self.send_response(200)
            self.send_header("Content-Length", str(len(message)))
            self.end_headers()
            self.wfile.write(message)

        def log_message(self, *_: object) -> None:
            """Silent."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


class Visitor:
    """Requests pages and turns over one kept-alive connection and times them."""

    def __init__(self, site: Site) -> None:
        self.times: dict[str, list[float]] = {"GET page": [], "POST message (no delay)": []}
        self._site = site
        self._server = http.client.HTTPConnection("127.0.0.1", site.port)
        self._cookies: dict[str, str] = {}
        self.form: dict[str, str] = {}

    def open_page(self) -> None:
        page = self._ask("GET page", "GET", "/chat/help/")
        self.form = {name: value_of(page, name) for name in ("csrfmiddlewaretoken", "key", "after")}

    def ask(self, message: str) -> None:
        sent = self._ask("POST message (no delay)", "POST", "/chat/help/messages", self.form | {"message": message})
        self.form |= {"after": self.form["key"], "key": value_of(sent, "key")}

    def _ask(self, name: str, method: str, path: str, form: dict[str, str] | None = None) -> str:
        headers = {"Cookie": "; ".join(f"{key}={value}" for key, value in self._cookies.items()), "HX-Request": "true"}
        if form is not None:
            headers |= {"Content-Type": "application/x-www-form-urlencoded", "Origin": self._site.url}
        started = time.perf_counter()
        self._server.request(method, path, urlencode(form) if form else None, headers)
        answer = self._server.getresponse()
        text = answer.read().decode()
        self.times[name].append((time.perf_counter() - started) * 1000)
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            key, _, value = cookie.split(";")[0].partition("=")
            self._cookies[key] = value
        if answer.status != 200:
            raise RuntimeError(f"{path} answered {answer.status}")
        return text


def measure_requests(site: Site, turns: int) -> None:
    """Measure the server's time for turns in sequence, then for the page with all of them on it."""
    visitor = Visitor(site)
    visitor.open_page()
    cpu: list[float] = []
    for number in range(turns):
        before = cpu_seconds(site.workers)
        visitor.ask(f"Question {number}")
        cpu.append((cpu_seconds(site.workers) - before) * 1000)
    for _ in range(5):
        visitor.open_page()
    first, *with_all = visitor.times.pop("GET page")
    for name, figures in visitor.times.items():
        tell(f"server, {name}", figures)
    print(f"  {'server, processor time of a turn':38} mean   {statistics.mean(cpu):7.1f} ms   limit {CPU_LIMIT} ms")
    print(f"  {f'server, the page empty / {turns} turns':38} {first:.1f} / {statistics.median(with_all):.1f} ms")


def cpu_seconds(processes: list[int]) -> float:
    """Return the processor seconds that Linux counted for the processes, in steps of 10 ms: use means."""
    fields = [Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split() for process in processes]
    return sum(int(field[11]) + int(field[12]) for field in fields) / os.sysconf("SC_CLK_TCK")


def value_of(page: str, name: str) -> str:
    return re.search(rf'name="{name}"[^>]*? value="([^"]*)"', page)[1]


def tell(what: str, figures: list[float], limit: float | None = None) -> None:
    ordered = sorted(figures)
    median, high = statistics.median(ordered), ordered[int(len(ordered) * 0.95)]
    verdict = "" if limit is None else f"   limit {limit} ms, ratio {median / limit:.2f}"
    print(f"  {what:38} median {median:7.1f} ms   p95 {high:7.1f} ms{verdict}", flush=True)
