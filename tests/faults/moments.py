"""Brings the site to the moment at which something breaks: a reply is awaited, the database is locked."""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from tests.browser.site import Site
from tests.chatsite.http_visitor import HttpVisitor
from tests.webchat.upstream_server import UpstreamServer


@contextmanager
def database_locked(site: Site) -> Iterator[None]:
    with closing(sqlite3.connect(site.folder / "var" / "db.sqlite3", isolation_level=None, timeout=20)) as other:
        other.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            other.execute("ROLLBACK")


def wait_until_a_worker_has_it(site: Site) -> None:
    """Wait until a worker has accepted the visitor's connection, so that killing it loses the request."""
    while True:
        with open("/proc/net/tcp") as table:
            rows = [line.split() for line in table.readlines()[1:]]
        held = {f"socket:[{row[9]}]" for row in rows if row[1].endswith(f":{site.port:04X}") and row[3] == "01"}
        for worker in site.workers:
            with suppress(FileNotFoundError):  # just closed
                if any(os.readlink(fd) in held for fd in Path(f"/proc/{worker}/fd").iterdir()):
                    return
        threading.Event().wait(0.05)


def wait_for_turn(site: Site, condition: str) -> None:
    """Wait until a turn that fulfils the SQL condition is stored."""
    while not site.ask_database(f"SELECT 1 FROM webchat_turn WHERE {condition}"):
        threading.Event().wait(0.05)


@contextmanager
def in_background(action: Callable[..., object], *arguments: object) -> Iterator[Future]:
    with ThreadPoolExecutor(1) as pool:
        yield pool.submit(action, *arguments)


@contextmanager
def sending(visitor: HttpVisitor, upstream: UpstreamServer) -> Iterator[Future]:
    """Send "Hello"; inside the block the bot has been asked and the visitor's request waits for the reply."""
    with in_background(visitor.post_message, "Hello") as sent:
        upstream.wait_for_requests(1)
        yield sent


@contextmanager
def awaiting_reply(
    visitor: HttpVisitor, upstream: UpstreamServer, reply: str
) -> Iterator[tuple[Future, Callable[[], None]]]:
    """Like `sending`; yields what the visitor will see, and the function that lets the reply arrive."""
    arrives = upstream.will_hold(reply)
    with sending(visitor, upstream) as sent:
        yield sent, arrives.set
