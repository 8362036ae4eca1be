"""A thousand conversations held by people, whose pages ask what is new, beside turns in flight: what each costs.

Each page asks every two seconds, as its script does. Somebody of the team writes to one conversation after the other,
in a process of their own by the same functions as the inbox; the time of writing is the message, so the page knows how
long it took. Turns in flight are measured alone first, then beside all of that.
"""

import argparse
import asyncio
import contextlib
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.bench_load import Crowd, Person, slow_upstream, value_of
from tests.bench.bench_page import cpu_seconds
from tests.browser.site import ROOT, Site, account_row, bot_row

ASK_EVERY = 2.0  # seconds, as static/webchat/chat/updates.js
WRITE_EVERY = 0.05
SEEN_LIMIT = 2500  # ms of the 95th percentile, from stored to shown
RATIO_LIMIT = 1.3  # of the turns' 99th percentile, to the same without people

TEAM = f"""
import time, uuid
from django.utils import timezone
from webchat.models import Conversation, TeamMember
grace = TeamMember.objects.get()
for conversation in Conversation.objects.filter(led_by="queue"):
    conversation.claim(grace)
print("claimed", flush=True)
while True:
    for conversation in Conversation.objects.filter(team_member=grace):
        time.sleep({WRITE_EVERY})
        conversation.say(grace, uuid.uuid4(), str(time.time()))
"""


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench people")
    parser.add_argument("--held", type=int, default=1000, help="conversations held by people")
    parser.add_argument("--turns", type=int, default=200, help="turns in flight")
    parser.add_argument("--seconds", type=float, default=20)
    options = parser.parse_known_args(arguments)[0]
    member = {"user": 50, "name": "Grace", "is_available": True, "seen_at": "2100-01-01T00:00:00Z"}
    rows = [
        bot_row(1, "help", people_answer=True),
        account_row(50, "grace", "-"),
        {"model": "webchat.teammember", "pk": 1, "fields": member},
    ]
    with tempfile.TemporaryDirectory() as folder, slow_upstream() as upstream:
        settings = {"MESSAGES_PER_MINUTE": 0, "ADDRESS_MESSAGES_PER_MINUTE": 0, "LOG_LEVEL": "WARNING"}
        with Site(Path(folder), upstream, rows, **settings) as site:
            asyncio.run(measure(site, options))


async def measure(site: Site, options: argparse.Namespace) -> None:
    alone = Crowd(site, Person, options.turns, options.seconds)
    await alone.come()
    inside = asyncio.Semaphore(8)
    held = [Held(site.port, inside) for _ in range(options.held)]
    await asyncio.gather(*(each.join() for each in held))
    with team(site):
        pages = [asyncio.create_task(each.look()) for each in held]
        await asyncio.sleep(2 * ASK_EVERY)
        polls, before, began = asked(held), cpu_seconds(site.workers), time.monotonic()
        await asyncio.sleep(options.seconds)
        lasted, cost, polls = time.monotonic() - began, cpu_seconds(site.workers) - before, asked(held) - polls
        beside = Crowd(site, Person, options.turns, options.seconds)
        await beside.come()
    failures = [str(page.exception()) for page in pages if page.done() and page.exception()]
    for page in pages:
        page.cancel()
    report(alone, beside, held, polls / lasted, cost / max(polls, 1) * 1000, failures)


@contextmanager
def team(site: Site) -> Iterator[None]:
    command = (sys.executable, "manage.py", "shell", "--no-imports", "-c", TEAM)
    with subprocess.Popen(command, cwd=ROOT, env=site.environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "claimed\n"
        yield
        process.kill()


class Held(Person):
    """The page of a visitor who talks to a person."""

    def __init__(self, port: int, inside: asyncio.Semaphore) -> None:
        super().__init__(port)
        self._inside = inside
        self._updates = ""
        self.asked = 0
        self.seen_after: list[float] = []  # ms

    async def join(self) -> None:
        async with self._inside:
            page = await self._request("GET", "/chat/help/")
            form = {"csrfmiddlewaretoken": value_of(page, "csrfmiddlewaretoken")}
            self._read(await self._request("POST", "/chat/help/person/join", form))
            self.leave()

    async def look(self) -> None:
        await asyncio.sleep(random.uniform(0, ASK_EVERY))
        while True:
            fragment = await self._request("GET", self._updates)
            self.asked += 1
            now = time.time()
            self.seen_after += [(now - float(at)) * 1000 for at in re.findall(r">\s*(\d{10}\.\d+)\s*<", fragment)]
            if fragment:
                self._read(fragment)
            elif renewed := re.search(rb"Webchat-Updates: (\S+)", self.head):
                self._updates = renewed[1].decode()
            await asyncio.sleep(ASK_EVERY)

    def _read(self, fragment: str) -> None:
        self._updates = re.search(r'data-updates="([^"]+)"', fragment)[1]


def asked(held: list[Held]) -> int:
    return sum(each.asked for each in held)


def report(alone: Crowd, beside: Crowd, held: list[Held], rate: float, cost: float, failures: list[str]) -> None:
    seen = sorted(ms for each in held for ms in each.seen_after)
    p95 = seen[int(len(seen) * 0.95)] if seen else float("nan")
    first, second = (sorted(crowd.added)[int(len(crowd.added) * 0.99)] for crowd in (alone, beside))
    print(f"  {len(held)} conversations held by people, {rate:.0f} questions a second, {len(failures)} failed")
    print(f"    processor time of a question   {cost:8.2f} ms   with what is new in some of them")
    print(f"    from written to shown, p95     {p95:8.0f} ms   limit {SEEN_LIMIT} ms, of {len(seen)} messages")
    for crowd, p99, name in ((alone, first, "alone"), (beside, second, "beside them")):
        print(f"    {crowd.visitors} turns in flight {name:14} p99 {p99:8.0f} ms, {len(crowd.failures)} failed")
    print(f"    ratio of the two                 {second / max(first, 1):6.2f}      limit {RATIO_LIMIT}")
    with contextlib.suppress(IndexError):
        print(f"    failed: {failures[0]}")
    sys.stdout.flush()
