"""The real site in processes of its own: prepared in a folder of its own, served by gunicorn, ended at the end."""

import atexit
import contextlib
import http.client
import json
import os
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Self

import psycopg
from django.contrib.auth.hashers import PBKDF2PasswordHasher

from tests.databases import copy_migrated, own_database

ROOT = Path(__file__).resolve().parents[2]
API_KEY = "key-of-the-bot"  # what the site and the fake upstream share
CONTACT = "owner@example.com"
SUGGESTIONS = ("When are you open?", "Where do I find you?")

# A variable of the machine that runs the tests must not change the site.
_SETTINGS = (
    "CHAT_",
    "BOT_",
    "DOCBOT_",
    "MESSAGE",
    "WEB_",
    "SITE_URL",
    "ALLOWED_HOSTS",
    "DEFAULT_BOT",
    "DEBUG",
    "SECRET",
    "DATABASE",
    "BEHIND_PROXY",
    "HSTS_",
    "LOG_",
    "METRICS_",
    "SENTRY_",
    "TIME_ZONE",
)
# What `prepare` makes depends on these, and on whether docbot answers; the copies of what it made, by them.
_DECIDE = ("DEFAULT_BOT", "SECRET", "DOCBOT_", "SITE_URL", "MEDIA")
_ready: dict[tuple[tuple[str, str], ...], Path] = {}


def bot_row(number: int, slug: str, **fields: object) -> dict[str, object]:
    """A bot as `loaddata` reads it."""
    row = {
        "slug": slug,
        "name": "Ada",
        "greeting": "Hello! Ask me **anything**.",
        "suggestions": "\n".join(SUGGESTIONS),
        "contact": CONTACT,
    }
    return {"model": "webchat.bot", "pk": number, "fields": row | fields}


def hash_of(password: str) -> str:
    """Made in no time, unlike what is kept from the first log-in on."""
    return PBKDF2PasswordHasher().encode(password, "salt", iterations=1)


def account_row(number: int, name: str, password: str) -> dict[str, object]:
    """A customer's account as `loaddata` reads it."""
    email = f"{name}@example.com"
    fields = {"username": name, "first_name": name.title(), "email": email, "password": hash_of(password)}
    return {"model": "auth.user", "pk": number, "fields": fields}


def conversation_rows(account: int, bot: int, count: int) -> list[dict[str, object]]:
    """That many conversations of one account, the last one the newest."""
    who = "f" * 64
    rows: list[dict[str, object]] = [{"model": "webchat.person", "pk": 1, "fields": {"user": account, "visitor": who}}]
    for number in range(1, count + 1):
        at = f"2026-01-02T03:{number:02}:00Z"
        fields = {"bot": bot, "surface": "portal", "visitor": who, "person": 1, "is_present": False, "last_at": at}
        turn = {"conversation": number, "message": f"Question {number}", "reply": "Yes", "state": "answered"}
        rows.append({"model": "webchat.conversation", "pk": number, "fields": fields | {"started_at": at}})
        rows.append({"model": "webchat.turn", "pk": number, "fields": turn | {"created_at": at, "ended_at": at}})
    return rows


class Site:
    """Serves from its first line to the end of its `with` block; the bots are in its database before that."""

    answers_at = "/"  # with 200, as soon as it serves

    def __init__(self, folder: Path, upstream_url: str, bots: list[dict[str, object]], **settings: object) -> None:
        self.folder = folder
        self.port = settings.get("PORT") or free_port()
        self.log = folder / "log"
        kept = {name: value for name, value in os.environ.items() if not name.startswith(_SETTINGS)}
        self._at_the_end = contextlib.ExitStack()
        self.environment = kept | {
            "DOCBOT_MEANING": "0",
            "DATA_DIR": str(folder / "var"),
            "PORT": str(self.port),
            "CHAT_BASE_URL": upstream_url,
            "BOT_API_KEY": API_KEY,
            **self._at_the_end.enter_context(own_database()),
            **{name: str(value) for name, value in settings.items()},
        }
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
        """Ends gunicorn and whatever it started, at once: nobody waits for a turn that a test left behind."""
        self.go_down()
        self._at_the_end.close()

    def go_down(self) -> None:
        """Until it is told to come back; what is in its database stays."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._gunicorn.pid, signal.SIGKILL)
        self._gunicorn.wait()

    def come_back(self) -> None:
        self._serve()
        self._wait_until_it_answers()

    def ask_database(self, statement: str) -> list[tuple]:
        """Of the site's own database, or done in it, as if in the dashboard."""
        if url := self.environment.get("DATABASE_URL"):
            with psycopg.connect(url, autocommit=True) as database:
                cursor = database.execute(statement)
                return cursor.fetchall() if cursor.description else []
        with contextlib.closing(sqlite3.connect(self.folder / "var" / "db.sqlite3", timeout=20)) as database:
            rows = database.execute(statement).fetchall()
            database.commit()
            return rows

    def tell(self, number: signal.Signals) -> None:
        """What an operator tells gunicorn: SIGTERM to end, SIGHUP to begin anew with new workers."""
        self._gunicorn.send_signal(number)

    def wait_for_the_end(self, timeout: float = 60) -> int:
        """gunicorn's own; its exit status."""
        return self._gunicorn.wait(timeout)

    @property
    def workers(self) -> list[int]:
        """Their process ids."""
        children = Path(f"/proc/{self._gunicorn.pid}/task/{self._gunicorn.pid}/children")
        return [int(child) for child in children.read_text().split()]

    def kill_workers(self) -> None:
        """What the kernel does to a worker when the memory runs out; gunicorn itself goes on and starts others.

        They are gone afterwards: on a busy machine one that is told to die may take a last request.
        """
        workers = self.workers
        for worker in workers:
            os.kill(worker, signal.SIGKILL)
        while any(Path(f"/proc/{worker}").exists() for worker in workers):
            time.sleep(0.01)

    def _prepare(self, bots: list[dict[str, object]]) -> None:
        self._make_ready()
        fixture = self.folder / "bots.json"
        fixture.write_text(json.dumps(bots))
        self._manage("loaddata", str(fixture))

    def _make_ready(self) -> None:
        """By `prepare`, or as a copy of what it made with the same settings before: that takes no time at all."""
        if self.environment.get("DATABASE_URL"):
            self._manage("prepare")
            return
        settings = {name: value for name, value in self.environment.items() if name.startswith(_DECIDE)}
        settings["before docbot"] = str(self.environment["CHAT_BASE_URL"].startswith("docbot:"))
        ready = _ready.get(key := tuple(sorted(settings.items())))
        if ready:
            shutil.copytree(ready, self.folder / "var")
            return
        copy_migrated(self.folder / "var")
        self._manage("prepare")
        _ready[key] = _keep(self.folder / "var")

    def _manage(self, *arguments: str) -> None:
        command = (sys.executable, "manage.py", *arguments)
        done = subprocess.run(command, cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"manage.py {arguments[0]} failed:\n{done.stdout}{done.stderr}")

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


def _keep(folder: Path) -> Path:
    """A copy of it as it is now, as long as this process lives."""
    aside = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, aside, ignore_errors=True)
    return shutil.copytree(folder, aside / "var")


def free_port() -> int:
    """Below those of outgoing connections: on a busy machine one of these may have it before the site is there."""
    while True:
        port = random.randrange(10_000, 32_000)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
