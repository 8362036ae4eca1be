"""Writers to SQLite queue: the threads of a process, and the processes of a machine."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import Mock

import pytest

from chatsite.sqlite.write_lock import WriteLock
from tests.webchat.concurrency import run_concurrently

NO_WAIT = 0.01  # seconds

HOLD = """
import sys
from chatsite.sqlite.write_lock import WriteLock
assert WriteLock(sys.argv[1]).acquire(5)
print("first", flush=True)
sys.stdin.read()
"""


@contextmanager
def lock_held_by_another_process(database: Path) -> Iterator[subprocess.Popen]:
    with subprocess.Popen(
        (sys.executable, "-c", HOLD, str(database)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "first\n"
        yield process
        process.kill()


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "db.sqlite3"


def test_one_thread_writes_at_a_time(database):
    lock = WriteLock(str(database))
    inside, most = [], []

    def write() -> None:
        assert lock.acquire(10)
        inside.append(1)
        most.append(len(inside))
        time.sleep(0.002)
        inside.pop()
        lock.release()

    run_concurrently(*[write] * 20)
    assert most == [1] * 20


def test_a_killed_process_frees_the_lock(database):
    lock = WriteLock(str(database))
    with lock_held_by_another_process(database) as other:
        other.kill()
        other.wait()
        assert lock.acquire(20)
    lock.release()


def test_a_timeout_or_ctrl_c_while_waiting_leaves_the_lock_to_others(database):
    lock = WriteLock(str(database))
    with lock_held_by_another_process(database):
        previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
        assert not lock.acquire(NO_WAIT)
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        try:
            with pytest.raises(KeyboardInterrupt):
                lock.acquire(20)
        finally:
            signal.signal(signal.SIGALRM, previous)
    assert lock.acquire(20)
    lock.release()


def test_ctrl_c_while_the_lock_is_freed_leaves_it_to_others(database, monkeypatch):
    lock = WriteLock(str(database))
    assert lock.acquire(20)
    with monkeypatch.context() as during_the_call:
        during_the_call.setattr("fcntl.lockf", Mock(side_effect=KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            lock.release()
    assert lock.acquire(20)
    lock.release()


def test_without_a_lock_file_the_threads_still_queue(tmp_path):
    lock = WriteLock(str(tmp_path / "nowhere" / "db.sqlite3"))
    assert lock.acquire(NO_WAIT)
    assert not lock.acquire(NO_WAIT)  # another thread of this process still waits
    lock.release()
    assert lock.acquire(NO_WAIT)
