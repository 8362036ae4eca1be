"""Injects random faults, one after the other; each one is over before the next begins."""

import contextlib
import os
import random
import resource
import signal
import socket
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg

from tests.browser.site import Site
from tests.chaos.upstream import UnreliableUpstream
from tests.postgres_server import PostgresServer

UNLIMITED = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)


class FaultInjector:
    """Injects faults; `done` counts them by name, `faults` has the weight of each."""

    faults: dict[Callable[[], None], int]

    def __init__(self, upstream: UnreliableUpstream, postgres: PostgresServer | None, seed: int) -> None:
        self.upstream, self.postgres = upstream, postgres
        self.random = random.Random(seed)
        self.done: Counter[str] = Counter()

    def run(self, until: threading.Event) -> None:
        """Inject each fault once in random order, then pick by weight."""
        first = self.random.sample(list(self.faults), len(self.faults))
        while not until.wait(self.random.uniform(1, 5)):
            fault = first.pop() if first else self.random.choices(list(self.faults), list(self.faults.values()))[0]
            self.done[fault.__name__.replace("_", " ")] += 1
            fault()

    def stop_the_upstream(self) -> None:
        self.upstream.refuse_connections(self.random.uniform(0.5, 4))

    def restart_the_database(self) -> None:
        self.postgres.stop("fast")
        self._wait(0, 3)
        self.postgres.start()

    def crash_the_database(self) -> None:
        self.postgres.stop("immediate")
        self.postgres.start()

    def _wait(self, least: float, most: float) -> None:
        time.sleep(self.random.uniform(least, most))


class FaultsOfASite(FaultInjector):
    """Faults of one machine."""

    def __init__(self, site: Site, upstream: UnreliableUpstream, postgres: PostgresServer | None, seed: int) -> None:
        super().__init__(upstream, postgres, seed)
        self.site = site
        on_postgresql = {self.restart_the_database: 3, self.crash_the_database: 1}
        on_sqlite = {self.lock_the_database: 3, self.fill_the_disk: 2}
        self.faults = {
            self.kill_a_worker: 5,
            self.kill_all_workers: 1,
            self.reload: 2,
            self.stop_and_start: 1,
            self.freeze_a_worker: 2,
            self.stop_the_upstream: 2,
            self.move_the_clock: 2,
            self.open_slow_connections: 1,
            self.send_large_bodies: 1,
            **(on_postgresql if postgres else on_sqlite),
        }

    # --- Hostile clients ----------------------------------------------------------------------------------------------

    def open_slow_connections(self) -> None:
        """Open more connections than the site has threads, each sending a form byte by byte."""
        self._send(b"60000", clients=400, pieces=[b"x"] * 10)

    def send_large_bodies(self) -> None:
        self._send(b"300000000", clients=20, pieces=[b"x" * 100_000] * 10)

    def _send(self, length: bytes, clients: int, pieces: list[bytes]) -> None:
        head = b"POST /chat/help/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: %b\r\n\r\n" % length
        with contextlib.ExitStack() as open_sockets:
            sockets = []
            for _ in range(clients):
                with contextlib.suppress(OSError):  # the site is restarting
                    client = socket.create_connection(("127.0.0.1", self.site.port), 1)
                    sockets.append(open_sockets.enter_context(client))
            for piece in (head, *pieces):
                for client in sockets:
                    with contextlib.suppress(OSError):  # the site has cut this client off
                        client.settimeout(0.1)
                        client.sendall(piece)
                time.sleep(0.3)

    # --- Workers ------------------------------------------------------------------------------------------------------

    def kill_a_worker(self) -> None:
        self._signal_one(signal.SIGKILL)

    def kill_all_workers(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.site.kill_workers()

    def freeze_a_worker(self) -> None:
        frozen = self._signal_one(signal.SIGSTOP)
        self._wait(0.5, 3)
        if frozen:
            with contextlib.suppress(ProcessLookupError):
                os.kill(frozen, signal.SIGCONT)

    def reload(self) -> None:
        self.site.tell(signal.SIGHUP)

    def stop_and_start(self) -> None:
        self.site.tell(signal.SIGTERM)
        self.site.wait_for_the_end()
        self.site.come_back()

    def _signal_one(self, number: signal.Signals) -> int | None:
        workers = self.site.workers
        if not workers:
            return None
        worker = self.random.choice(workers)
        with contextlib.suppress(ProcessLookupError):
            os.kill(worker, number)
        return worker

    # --- Dependencies -------------------------------------------------------------------------------------------------

    def lock_the_database(self) -> None:
        with closing(sqlite3.connect(self._file, isolation_level=None, timeout=20)) as other:
            other.execute("BEGIN IMMEDIATE")
            self._wait(0.5, 4)
            other.execute("ROLLBACK")

    def fill_the_disk(self) -> None:
        """Keep the workers from growing any file."""
        workers = self.site.workers
        self._limit(workers, (1, resource.RLIM_INFINITY))
        self._wait(0.5, 3)
        self._limit(workers, UNLIMITED)

    def move_the_clock(self) -> None:
        self.shift_asked_turns(hours=self.random.choice((-1, 1)))

    def shift_asked_turns(self, hours: int) -> None:
        """Make the turns that are being asked so many hours older: a turn that has been asked for too long is lost."""
        with contextlib.suppress(psycopg.Error, sqlite3.Error):
            if self.postgres:
                with psycopg.connect(self.postgres.url, autocommit=True) as database:
                    change = "asked_at = asked_at - make_interval(hours => %s)"
                    database.execute(f"UPDATE webchat_turn SET {change} WHERE state = 'asking'", [hours])
            else:
                with closing(sqlite3.connect(self._file, timeout=20)) as database, database:
                    database.execute(
                        "UPDATE webchat_turn SET asked_at = datetime(asked_at, ?) WHERE state = 'asking'",
                        [f"{-hours:+} hours"],
                    )

    @property
    def _file(self) -> Path:
        return self.site.folder / "var" / "db.sqlite3"

    @staticmethod
    def _limit(workers: list[int], limits: tuple[int, int]) -> None:
        for worker in workers:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                resource.prlimit(worker, resource.RLIMIT_FSIZE, limits)
