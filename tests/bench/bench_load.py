"""Many visitors with one turn in flight each: the time that the site adds to an upstream that takes three seconds.

Each visitor loads the page, sends a message, and sends the next one as soon as the reply has come; so as many turns are
in flight as there are visitors. The added time is from sending the message to the whole reply, less the upstream's
three seconds. Visitors, upstream and site share this machine. A bare page of Django and HTMX (bare_site.py) is measured
after it, because the figures depend as much on the machine as on the site.
"""

import argparse
import asyncio
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

from tests.bench.bench_page import cpu_seconds
from tests.bench.served_bare_site import BareSite
from tests.browser.site import Site, bot_row

SECONDS = 3.0  # of the upstream for each reply
LIMITS = {500: (None, 150), 1000: (60, 1000)}  # visitors: limits of the median and the 99th percentile, in ms
IDLE_LIMIT = 150  # MB
CLOSES = re.compile(rb"\r\nConnection: close\r\n", re.I)
COOKIE = re.compile(rb"[Ss]et-[Cc]ookie: ([^=]+)=([^;]*)")


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench load")
    parser.add_argument("--visitors", type=int, nargs="*", default=sorted(LIMITS))
    parser.add_argument("--seconds", type=float, default=20, help="how long they go on")
    options = parser.parse_known_args(arguments)[0]  # another bench's options aren't ours
    for visitors in options.visitors:
        with (
            tempfile.TemporaryDirectory() as folder,
            slow_upstream() as upstream,
            Site(Path(folder), upstream, [bot_row(1, "help")], MESSAGES_PER_MINUTE=0, LOG_LEVEL="WARNING") as site,
        ):
            idle = memory(site.workers)
            crowd = Crowd(site, Person, visitors, options.seconds)
            asyncio.run(crowd.come())
            report(crowd, idle, memory(site.workers))
        with tempfile.TemporaryDirectory() as folder, slow_upstream() as upstream, BareSite(folder, upstream) as bare:
            idle = memory(bare.workers)
            crowd = Crowd(bare, BarePerson, visitors, options.seconds)
            asyncio.run(crowd.come())
            report(crowd, idle, memory(bare.workers), "the same of a bare page of Django: ")


@contextmanager
def slow_upstream() -> Iterator[str]:
    command = (sys.executable, "-m", "tests.bench.slow_upstream", str(SECONDS))
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
        finally:
            process.kill()


class Crowd:
    def __init__(self, site: Site | BareSite, kind: "type[Person]", visitors: int, seconds: float) -> None:
        self.visitors = visitors
        self.site = site
        self._kind = kind
        self.added: list[float] = []  # ms
        self.failures: list[str] = []
        self._seconds = seconds
        self._inside = asyncio.Semaphore(8)  # pages loaded at a time, before the clock starts

    async def come(self) -> None:
        people = [self._kind(self.site.port) for _ in range(self.visitors)]
        await asyncio.gather(*(self._enter(person) for person in people))
        self.started, before = time.monotonic(), cpu_seconds(self.site.workers)
        await asyncio.gather(*(self._stay(person) for person in people))
        self.lasted = time.monotonic() - self.started
        self.cpu = cpu_seconds(self.site.workers) - before

    @property
    def p99(self) -> float:
        """Return the 99th percentile in ms; nan if no turn was answered."""
        return sorted(self.added)[int(len(self.added) * 0.99)] if self.added else float("nan")

    async def _enter(self, person: "Person") -> None:
        async with self._inside:
            await person.open_page()

    async def _stay(self, person: "Person") -> None:
        await asyncio.sleep(random.uniform(0, SECONDS))  # spread the messages over the upstream's time
        number = 0
        try:
            while time.monotonic() - self.started < self._seconds:
                began = time.monotonic()
                await person.ask(f"Question {number}")
                self.added.append((time.monotonic() - began - SECONDS) * 1000)
                number += 1
        except (OSError, RuntimeError, asyncio.IncompleteReadError) as error:
            self.failures.append(str(error) or type(error).__name__)
        finally:
            person.leave()


class Person:
    """A browser that makes one request per turn over a kept-alive connection."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._cookies: dict[str, str] = {}
        self._form: dict[str, str] = {}
        self._writer: asyncio.StreamWriter | None = None

    async def open_page(self) -> None:
        page = await self._request("GET", "/chat/help/")
        self._form = {name: value_of(page, name) for name in ("csrfmiddlewaretoken", "key", "after")}
        self.leave()

    async def ask(self, message: str) -> None:
        sent = await self._request("POST", "/chat/help/messages", self._form | {"message": message})
        if f"You said: {message}" not in sent:
            raise RuntimeError("no reply")
        self._form |= {"after": self._form["key"], "key": value_of(sent, "key")}

    def leave(self) -> None:
        if self._writer:
            self._writer.close()
            self._writer = None

    async def _request(self, method: str, path: str, form: dict[str, str] | None = None) -> str:
        """Send the request; repeat it on a new connection if the site has closed the kept one, as browsers do."""
        for is_last in (False, True):
            kept = self._writer is not None
            try:
                return await self._exchange(method, path, form)
            except (ConnectionError, asyncio.IncompleteReadError):
                self.leave()
                if is_last or not kept:
                    raise
        raise AssertionError

    async def _exchange(self, method: str, path: str, form: dict[str, str] | None) -> str:
        if self._writer is None:
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        body = urlencode(form).encode() if form else b""
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self._port}", "HX-Request: true", f"Cookie: {cookies}"]
        if form:
            lines += [f"Content-Length: {len(body)}", "Content-Type: application/x-www-form-urlencoded"]
            lines += [f"Origin: http://127.0.0.1:{self._port}"]
        self._writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        head = self.head = await self._reader.readuntil(b"\r\n\r\n")
        for name, value in COOKIE.findall(head):
            self._cookies[name.decode()] = value.decode()
        if b" 204 " in head[:15]:
            if CLOSES.search(head):
                self.leave()
            return ""
        length = re.search(rb"[Cc]ontent-[Ll]ength: (\d+)", head)
        text = (await self._reader.readexactly(int(length[1]))).decode() if length else await self._chunks()
        if CLOSES.search(head):
            self.leave()
        if b" 200 " not in head[:15]:
            raise RuntimeError(head.split(b"\r\n")[0].decode())
        return text

    async def _chunks(self) -> str:
        text = b""
        while size := int(await self._reader.readline(), 16):
            text += (await self._reader.readexactly(size + 2))[:-2]
        await self._reader.readline()
        return text.decode()


class BarePerson(Person):
    """The same on the bare page."""

    async def open_page(self) -> None:
        self._form = {"csrfmiddlewaretoken": value_of(await self._request("GET", "/"), "csrfmiddlewaretoken")}
        self.leave()

    async def ask(self, message: str) -> None:
        if f"You said: {message}" not in await self._request("POST", "/messages", self._form | {"message": message}):
            raise RuntimeError("no reply")


def value_of(page: str, name: str) -> str:
    return re.search(rf'name="{name}"[^>]*? value="([^"]*)"', page)[1]


def memory(processes: list[int]) -> float:
    """Return the processes' memory in MB, with shared pages counted once (PSS)."""
    rollups = [Path(f"/proc/{process}/smaps_rollup").read_text() for process in processes]
    return sum(int(re.search(r"^Pss:\s+(\d+)", rollup, re.M)[1]) for rollup in rollups) / 1024


def report(crowd: Crowd, idle: float, busy: float, whose: str = "") -> None:
    turns = len(crowd.added)
    median = statistics.median(crowd.added or [float("nan")])
    limits = (None, None) if whose else LIMITS.get(crowd.visitors, (None, None))
    print(f"  {whose}{crowd.visitors} visitors, {turns} turns in {crowd.lasted:.0f} s, {len(crowd.failures)} failed")
    for name, figure, limit in (("median", median, limits[0]), ("p99", crowd.p99, limits[1])):
        verdict = f"   limit {limit} ms, ratio {figure / limit:.2f}" if limit else ""
        print(f"    added, {name:24} {figure:8.0f} ms{verdict}")
    print(f"    processor time of a turn       {crowd.cpu / max(turns, 1) * 1000:8.1f} ms")
    print(f"    memory, idle                   {idle:8.0f} MB   limit {IDLE_LIMIT} MB, ratio {idle / IDLE_LIMIT:.2f}")
    print(f"    memory, a turn in flight       {(busy - idle) / crowd.visitors * 1024:8.0f} kB")
    for failure in sorted(set(crowd.failures))[:5]:
        print(f"    failed: {failure}")
    sys.stdout.flush()
