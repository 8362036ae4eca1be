"""gunicorn as `make run` starts it: what it prints, what it refuses, and how Ctrl-C stops it."""

import contextlib
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
import requests
from django.conf import settings

from tests.browser.site import free_port
from tests.commands import manage, owners_environment
from tests.databases import copy_migrated
from tests.webchat.upstream_server import UpstreamServer

QUICKLY = 60  # seconds that a busy machine may need
NOTICE = "Waiting for replies that are under way. Ctrl-C again stops at once."
GUNICORN = ("-m", "gunicorn", "-c", "chatsite/gunicorn.py", "chatsite.wsgi")


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a site prepared without the manual, which takes long to read."""
    folder = tmp_path_factory.mktemp("var")
    copy_migrated(folder)
    manage("prepare", DATA_DIR=folder, CHAT_BASE_URL="https://bot.example", DOCBOT_MEANING=0).check_returncode()
    return folder


@contextmanager
def serving(program: Path = settings.BASE_DIR, **variables: object) -> Iterator[subprocess.Popen[str]]:
    """Run gunicorn in its own process group, so that the test can send Ctrl-C to all of it, as a terminal does.

    One worker loads the code, unless the test asks for more.
    """
    process = subprocess.Popen(
        (sys.executable, *GUNICORN),
        cwd=program,
        env=owners_environment(**{"WEB_PROCESSES": 1, "DOCBOT_MEANING": 0} | variables),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def press_ctrl_c(process: subprocess.Popen[str]) -> None:
    os.killpg(process.pid, signal.SIGINT)


def send_message(site: str) -> int:
    """Send a message as a browser without JavaScript does; return the status when the reply has come."""
    browser = requests.Session()
    page = browser.get(f"{site}/", timeout=QUICKLY).text
    names = ("csrfmiddlewaretoken", "key")
    fields = {name: re.search(rf'name="{name}"[^>]* value="([^"]+)"', page)[1] for name in names}
    url, message = f"{site}/chat/help/messages", {"message": "Hello?"}
    return browser.post(url, fields | message, timeout=QUICKLY, allow_redirects=False).status_code


def welcome_of(process: subprocess.Popen[str]) -> list[str]:
    """Return the four lines that the site prints when it is ready and nobody has a login."""
    return [process.stdout.readline() for _ in range(4)]


@contextmanager
def asking(prepared: Path, upstream: UpstreamServer) -> Iterator[tuple[subprocess.Popen[str], Future[int]]]:
    """Yield the site after one Ctrl-C while it waits for a reply, and the future status of the visitor's request."""
    variables = {"CHAT_BASE_URL": upstream.base_url, "BOT_API_KEY": upstream.api_key, "PORT": free_port()}
    with ThreadPoolExecutor() as visitor, serving(DATA_DIR=prepared, **variables) as process:
        site = welcome_of(process)[0].split()[-1].rstrip("/")
        sent = visitor.submit(send_message, site)
        upstream.wait_for_requests(1)
        press_ctrl_c(process)
        assert process.stdout.readline() == f"{NOTICE}\n"
        yield process, sent


def test_a_port_that_is_taken_is_reported_in_one_sentence(prepared):
    with UpstreamServer() as other, serving(DATA_DIR=prepared, PORT=other.port) as process:
        said, _ = process.communicate(timeout=QUICKLY)
    assert (
        said == f"Port {other.port} is taken. Stop the program that uses it, or run: PORT={other.port + 1} make run\n"
    )
    assert process.returncode == 1


def test_the_start_prints_the_urls_of_page_desk_and_set_up_and_keeps_connections_open(prepared):
    port = free_port()
    variables = {"WEB_PROCESSES": 2, "WEB_THREADS": 1000}
    with serving(DATA_DIR=prepared, PORT=port, **variables) as process, requests.Session() as browser:
        page, desk, set_up, explained = welcome_of(process)
        assert page == f"The chat page:  http://127.0.0.1:{port}/\n"
        assert desk == f"The desk:       http://localhost:{port}/admin/\n"
        assert explained.strip() == "There you create your login and choose what the bot answers from."
        link = set_up.removeprefix("Set it up:      ").strip()
        assert link.startswith(f"http://localhost:{port}/admin/setup/")
        assert requests.get(link, timeout=QUICKLY).status_code == 200
        answer = browser.get(f"http://127.0.0.1:{port}/", timeout=QUICKLY)
        assert (answer.status_code, answer.headers.get("Connection", "keep-alive")) == (200, "keep-alive")
        press_ctrl_c(process)
        said, _ = process.communicate(timeout=QUICKLY)
    assert process.returncode == 0
    assert set(said.splitlines()) <= {NOTICE}  # generous, for a busy machine


def stopped_while_it_starts(prepared: Path, moment: float) -> tuple[int, str]:
    """Send Ctrl-C some seconds after the first worker was forked; return the exit status and the output."""
    with serving(DATA_DIR=prepared, PORT=free_port()) as process:
        workers = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        while process.poll() is None and not workers.read_text():
            time.sleep(0.01)
        time.sleep(moment)
        press_ctrl_c(process)
        said, _ = process.communicate(timeout=QUICKLY)
    return process.returncode, said


def test_ctrl_c_stops_the_site_at_any_moment_of_its_start(prepared):
    moments = [0, 0.5]  # just forked, loading; more sites at once would starve each other
    with ThreadPoolExecutor(len(moments)) as sites:
        stopped = list(sites.map(stopped_while_it_starts, [prepared] * len(moments), moments))
    assert {status for status, _ in stopped} == {0}
    lines = {line for _, said in stopped for line in said.splitlines()}
    welcome = ("The chat page: ", "The desk: ", "Set it up: ", " ")
    assert {line for line in lines if not line.startswith(welcome)} <= {NOTICE}


def test_ctrl_c_waits_for_pending_replies(prepared):
    with UpstreamServer() as upstream:
        arrives = upstream.will_hold("Here I am")
        with asking(prepared, upstream) as (process, sent):
            arrives.set()
            assert sent.result() == 303
            process.communicate(timeout=QUICKLY)
    with contextlib.closing(sqlite3.connect(prepared / "db.sqlite3")) as database:
        assert database.execute("SELECT reply FROM webchat_turn").fetchall() == [("Here I am",)]


def test_a_second_ctrl_c_stops_immediately(prepared):
    with UpstreamServer() as upstream:
        upstream.will_hang()
        with asking(prepared, upstream) as (process, sent):
            while not sent.done():  # the second must not follow so closely that both count as one
                with contextlib.suppress(ProcessLookupError):
                    press_ctrl_c(process)
                time.sleep(0.1)
            process.communicate(timeout=QUICKLY)
            with pytest.raises(requests.ConnectionError):
                sent.result()


# --- A reload ---------------------------------------------------------------------------------------------------------


def test_a_reload_serves_the_new_code(prepared, tmp_path):
    program = tmp_path / "program"
    unneeded = shutil.ignore_patterns(".*", "tests", "docs", "var", "staticfiles", "__pycache__")
    shutil.copytree(settings.BASE_DIR, program, ignore=unneeded)
    port = free_port()
    health = f"http://127.0.0.1:{port}/healthz"
    with serving(program, DATA_DIR=prepared, PORT=port, PYTHONDONTWRITEBYTECODE=1) as process:
        welcome_of(process)
        assert requests.get(health, timeout=QUICKLY).text == "ok\n"
        for file, old, new in (
            ("environment.py", "TRUE = {", 'WORD = "new"\nTRUE = {'),
            ("monitoring/observability.py", '"ok\\n"', '__import__("chatsite.environment").environment.WORD'),
        ):
            code = (program / "chatsite" / file).read_text()
            assert code.count(old) == 1
            (program / "chatsite" / file).write_text(code.replace(old, new))
        process.send_signal(signal.SIGHUP)
        end = time.monotonic() + QUICKLY
        while (text := requests.get(health, timeout=QUICKLY).text) != "new" and time.monotonic() < end:
            time.sleep(0.1)
        assert text == "new"
