"""A thousand conversations led by people, whose pages poll for updates, beside turns in flight: what each costs.

Each page polls every two seconds, as its script does: first while nothing is new, then while a team member writes to
one conversation after the other, in another process and by the inbox's own functions. The message is the time at which
it was written, so the page knows how long it took. Turns in flight are measured alone first, then beside the polls. At
the beginning as many inboxes poll.
"""

import argparse
import asyncio
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.bench.bench_load import SECONDS, Crowd, Person, slow_upstream, value_of
from tests.bench.bench_page import cpu_seconds
from tests.browser.site import ROOT, Site, account_row, bot_row

TOKEN_LASTS = 25  # seconds, as desk/inbox/updates.py
ASK_EVERY = 2.0  # seconds, as static/webchat/chat/updates.js
WRITE_EVERY = 0.05
SEEN_LIMIT = 2500  # ms from stored to shown, 95th percentile
COST_LIMIT = 1  # ms of processor time for a poll without news
RATIO_LIMIT = 1.3  # of the turns' 99th percentile to the same without people
UPSTREAM = SECONDS * 1000  # ms that each turn waits for its reply anyway

TEAM = f"""
import time, uuid
from desk.inbox import updates
from webchat.models import Conversation, TeamMember
grace = TeamMember.objects.get()
for conversation in Conversation.objects.filter(led_by="queue"):
    conversation.claim(grace)
print(updates.current().token, flush=True)
input()
while True:
    for conversation in Conversation.objects.filter(team_member=grace):
        time.sleep({WRITE_EVERY})
        conversation.write_message(grace, uuid.uuid4(), str(time.time()))
"""


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench people")
    parser.add_argument("--held", type=int, default=1000, help="conversations held by people")
    parser.add_argument("--turns", type=int, default=200, help="turns in flight")
    parser.add_argument("--seconds", type=float, default=20)
    options = parser.parse_known_args(arguments)[0]
    member = {"user": 50, "name": "Grace", "is_available": True, "seen_at": "2100-01-01T00:00:00Z"}
    account = account_row(50, "grace", "-")
    account["fields"] |= {"is_staff": True, "is_superuser": True}
    rows = [
        bot_row(1, "help", people_answer=True),
        account,
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
    with team(site) as (write, token):
        inboxes = [asyncio.create_task(each.ask_for(f"/admin/inbox/updates/{token}/")) for each in held]
        of_inboxes = await Cost.over(site, held, min(options.seconds, TOKEN_LASTS))
        for inbox, each in zip(inboxes, held, strict=True):
            inbox.cancel()
            each.leave()
        pages = [asyncio.create_task(each.look()) for each in held]
        while not all(each.told for each in held):  # a person has joined
            await asyncio.sleep(ASK_EVERY)
        quiet = await Cost.over(site, held, options.seconds)
        write()
        busy = await Cost.over(site, held, options.seconds)
        beside = Crowd(site, Person, options.turns, options.seconds)
        await beside.come()
    failures = [str(page.exception()) for page in pages if page.done() and page.exception()]
    for page in pages:
        page.cancel()
    polls = {"of an inbox, nothing is new": of_inboxes, "while nothing is new": quiet, "while the team writes": busy}
    report(alone, beside, held, polls, failures)


@contextmanager
def team(site: Site) -> Iterator[tuple[Callable[[], None], str]]:
    """Let a team member claim all; yield the function that makes them write, and their inbox's token."""
    command = (sys.executable, "manage.py", "shell", "--no-imports", "-c", TEAM)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, cwd=ROOT, env=site.environment, text=True, **pipes) as process:
        try:
            token = process.stdout.readline().strip()
            yield lambda: print(file=process.stdin, flush=True), token
        finally:
            process.kill()


class Held(Person):
    """The page of a visitor who talks to a person; it polls."""

    def __init__(self, port: int, inside: asyncio.Semaphore) -> None:
        super().__init__(port)
        self._inside = inside
        self._updates = ""
        self.asked = self.told = 0
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
                self.told += 1
                self._read(fragment)
            elif renewed := re.search(rb"Webchat-Updates: (\S+)", self.head):
                self._updates = renewed[1].decode()
            await asyncio.sleep(ASK_EVERY)

    async def ask_for(self, path: str) -> None:
        self.leave()  # the connection on which the last question was given up
        await asyncio.sleep(random.uniform(0, ASK_EVERY))
        while True:
            await self._request("GET", path)
            self.asked += 1
            await asyncio.sleep(ASK_EVERY)

    def _read(self, fragment: str) -> None:
        self._updates = re.search(r'data-updates="([^"]+)"', fragment)[1]


class Cost(NamedTuple):
    """What the polls of some seconds cost the site."""

    questions: int
    news: int  # polls with news
    seconds: float
    cpu: float  # seconds

    @classmethod
    async def over(cls, site: Site, held: list[Held], seconds: float) -> "Cost":
        begin = _so_far(site, held)
        await asyncio.sleep(seconds)
        return cls(*(after - before for before, after in zip(begin, _so_far(site, held), strict=True)))

    @property
    def of_a_question(self) -> float:
        return self.cpu / max(self.questions, 1) * 1000


def _so_far(site: Site, held: list[Held]) -> tuple[float, ...]:
    told = sum(each.told for each in held)
    return sum(each.asked for each in held), told, time.monotonic(), cpu_seconds(site.workers)


def report(alone: Crowd, beside: Crowd, held: list[Held], polls: dict[str, Cost], failures: list[str]) -> None:
    seen = sorted(ms for each in held for ms in each.seen_after)
    p95 = seen[int(len(seen) * 0.95)] if seen else float("nan")
    print(f"  {len(held)} conversations held by people, {len(failures)} of their pages failed: {failures[:1]}")
    for name, cost in polls.items():
        rate = f"{cost.questions / cost.seconds:.0f} a second, {cost.news} of {cost.questions} with something new"
        limit = f"limit {COST_LIMIT} ms" if "nothing" in name else ""
        print(f"    question {name:27} {cost.of_a_question:6.2f} ms of processor time   {limit} ({rate})")
    print(f"    from written to shown, p95     {p95:8.0f} ms   limit {SEEN_LIMIT} ms, of {len(seen)} messages")
    for crowd, name in ((alone, "alone"), (beside, "beside them")):
        added = f"p99 of what the site adds {crowd.p99:7.0f} ms, {len(crowd.failures)} failed"
        print(f"    {crowd.visitors} turns in flight {name:15} {added}")
    whole = (UPSTREAM + beside.p99) / (UPSTREAM + alone.p99)
    print(f"    ratio of what the site adds                          {beside.p99 / max(alone.p99, 1):6.2f}")
    print(f"    ratio of whole turns, as a visitor waits for them    {whole:6.2f}      limit {RATIO_LIMIT}", flush=True)
