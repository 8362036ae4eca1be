"""Runs the real site: prepared in a new folder, served by gunicorn, stopped at the end."""

import contextlib
import http.client
import json
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

import psycopg
from django.contrib.auth.hashers import PBKDF2PasswordHasher

from tests.commands import manage, owners_environment
from tests.databases import ROOT, copy_migrated, temporary_database
from tests.prepared import copy_prepared

API_KEY = "key-of-the-bot"  # known to the site and the fake upstream
CONTACT = "owner@example.com"
SUGGESTIONS = ("When are you open?", "Where do I find you?")

# Variables whose names begin so decide what `prepare` makes, beside whether docbot answers.
_DECIDE = ("DEFAULT_BOT", "SECRET", "DOCBOT_MEANING", "MEDIA")


def bot_row(number: int, slug: str, **fields: object) -> dict[str, object]:
    """Return a bot in `loaddata`'s format."""
    row = {
        "slug": slug,
        "name": "Ada",
        "greeting": "Hello! Ask me **anything**.",
        "suggestions": "\n".join(SUGGESTIONS),
        "contact": CONTACT,
    }
    return {"model": "webchat.bot", "pk": number, "fields": row | fields}


def hash_of(password: str) -> str:
    """Hash with one iteration, which is fast; the first log-in replaces it."""
    return PBKDF2PasswordHasher().encode(password, "salt", iterations=1)


def account_row(number: int, name: str, password: str) -> dict[str, object]:
    """Return a customer's account in `loaddata`'s format."""
    email = f"{name}@example.com"
    fields = {"username": name, "first_name": name.title(), "email": email, "password": hash_of(password)}
    return {"model": "auth.user", "pk": number, "fields": fields}


def conversation_rows(account: int, bot: int, count: int) -> list[dict[str, object]]:
    """Return that many conversations of one account, the newest last."""
    who = "f" * 64
    rows: list[dict[str, object]] = [
        {"model": "webchat.customer", "pk": 1, "fields": {"user": account, "visitor": who}}
    ]
    for number in range(1, count + 1):
        at = f"2026-01-02T03:{number:02}:00Z"
        fields = {"bot": bot, "surface": "portal", "visitor": who, "customer": 1, "is_present": False, "last_at": at}
        turn = {"conversation": number, "message": f"Question {number}", "reply": "Yes", "state": "answered"}
        rows.append({"model": "webchat.conversation", "pk": number, "fields": fields | {"started_at": at}})
        rows.append({"model": "webchat.turn", "pk": number, "fields": turn | {"created_at": at, "ended_at": at}})
    return rows


class Site:
    """Serves inside its `with` block; the bots are loaded into its database first."""

    answers_at = "/"  # answers 200 as soon as the site serves

    def __init__(self, folder: Path, upstream_url: str, bots: list[dict[str, object]], **settings: object) -> None:
        self.folder = folder
        self.port = settings.get("PORT") or free_port()
        self.log = folder / "log"
        self._at_the_end = contextlib.ExitStack()
        own = {
            "DOCBOT_MEANING": 0,
            "DATA_DIR": folder / "var",
            "PORT": self.port,
            "CHAT_BASE_URL": upstream_url,
            "BOT_API_KEY": API_KEY,
            **self._at_the_end.enter_context(temporary_database()),
        }
        self.environment = owners_environment(**own | settings)
        self._prepare(bots)
        self._serve()

    def _serve(self) -> None:
        with self.log.open("a") as log:
            gunicorn = (sys.executable, "-m", "gunicorn", "-c", "chatsite/gunicorn.py", "chatsite.wsgi")
            self._gunicorn = subprocess.Popen(
                gunicorn, cwd=ROOT, env=self.environment, stdout=log, stderr=log, start_new_session=True
            )

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        try:
            self._wait_until_it_answers()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Kill gunicorn and everything it started, without waiting for turns that a test left behind."""
        self.go_down()
        self._at_the_end.close()

    def go_down(self) -> None:
        """Stop the site until `come_back`; its data stay."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._gunicorn.pid, signal.SIGKILL)
        self._gunicorn.wait()

    def come_back(self) -> None:
        self._serve()
        self._wait_until_it_answers()

    def ask_database(self, statement: str) -> list[tuple]:
        """Run a statement in the site's database; return the rows."""
        if url := self.environment.get("DATABASE_URL"):
            with psycopg.connect(url, autocommit=True) as database:
                cursor = database.execute(statement)
                return cursor.fetchall() if cursor.description else []
        with contextlib.closing(sqlite3.connect(self.folder / "var" / "db.sqlite3", timeout=20)) as database:
            rows = database.execute(statement).fetchall()
            database.commit()
            return rows

    def tell(self, number: signal.Signals) -> None:
        """Signal gunicorn as an operator does: SIGTERM to stop, SIGHUP to reload."""
        self._gunicorn.send_signal(number)

    def wait_for_the_end(self, timeout: float = 60) -> int:
        """Wait until gunicorn has ended; return its exit status."""
        return self._gunicorn.wait(timeout)

    @property
    def workers(self) -> list[int]:
        """Return the workers' process ids."""
        children = Path(f"/proc/{self._gunicorn.pid}/task/{self._gunicorn.pid}/children")
        return [int(child) for child in children.read_text().split()]

    def kill_workers(self) -> None:
        """Kill the workers, as the kernel does when memory runs out; gunicorn starts new ones.

        Wait until they are gone: on a busy machine a dying worker may still accept a request.
        """
        workers = self.workers
        for worker in workers:
            os.kill(worker, signal.SIGKILL)
        while any(Path(f"/proc/{worker}").exists() for worker in workers):
            time.sleep(0.01)

    def _prepare(self, bots: list[dict[str, object]]) -> None:
        """Run `prepare` and load the bots; on SQLite, once for the same settings, and once for the same bots."""
        rows = self.folder / "bots.json"
        rows.write_text(json.dumps(bots))
        if self.environment.get("DATABASE_URL"):
            self._manage("prepare", self.folder / "var")
            self._manage("loaddata", self.folder / "var", rows)
            return
        decisive = sorted((name, value) for name, value in self.environment.items() if name.startswith(_DECIDE))
        kind = f"{decisive} {self.environment['CHAT_BASE_URL'].startswith('docbot:')}"

        def make_ready(data: Path) -> None:
            copy_migrated(data)
            self._manage("prepare", data)

        def make_and_load(data: Path) -> None:
            copy_prepared(kind, data, make_ready)
            self._manage("loaddata", data, rows)

        copy_prepared(f"{kind} {rows.read_text()}", self.folder / "var", make_and_load)

    def _manage(self, command: str, data: Path, *arguments: Path | str) -> str:
        """Run a command of manage.py and return its output."""
        done = manage(command, *arguments, **self.environment | {"DATA_DIR": data})
        if done.returncode:
            raise RuntimeError(f"manage.py {command} failed:\n{done.stdout}{done.stderr}")
        return done.stdout

    def _wait_until_it_answers(self) -> None:
        end = time.monotonic() + 60
        while time.monotonic() < end and self._gunicorn.poll() is None:
            page = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
            with contextlib.closing(page), contextlib.suppress(OSError):
                page.request("GET", self.answers_at)
                if page.getresponse().status == 200:
                    return
            time.sleep(0.05)
        raise RuntimeError(f"the site doesn't answer:\n{self.log.read_text()}")


def free_port(among: range = range(10_000, 32_000)) -> int:
    """Return a free port below the ephemeral range, so that no outgoing connection takes it before the site starts."""
    while True:
        port = random.choice(among)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
