"""Who writes to SQLite waits in line: the threads of a process, and the processes of a machine."""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from chatsite.sqlite.line import Line, line_for

AT_ONCE = 0.01  # seconds

HOLD = """
import sys
from chatsite.sqlite.line import Line
assert Line(sys.argv[1]).join(5)
print("first", flush=True)
sys.stdin.read()
"""


@contextmanager
def another_process_first(database: Path) -> Iterator[subprocess.Popen]:
    with subprocess.Popen(
        (sys.executable, "-c", HOLD, str(database)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "first\n"
        yield process
        process.kill()


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "db.sqlite3"


def test_threads_come_one_after_the_other(database: Path):
    line = Line(str(database))
    inside, most = [], []

    def write() -> None:
        assert line.join(10)
        inside.append(1)
        most.append(len(inside))
        time.sleep(0.002)
        inside.pop()
        line.leave()

    crowd = [threading.Thread(target=write) for _one in range(20)]
    for one in crowd:
        one.start()
    for one in crowd:
        one.join()
    assert most == [1] * 20


def test_another_process_is_waited_for(database: Path):
    line = Line(str(database))
    with another_process_first(database) as other:
        assert not line.join(AT_ONCE)
        waiting = threading.Timer(0.2, other.stdin.close)
        waiting.start()
        assert line.join(20)
    line.leave()


def test_a_process_that_is_killed_holds_nobody_up(database: Path):
    line = Line(str(database))
    with another_process_first(database) as other:
        other.kill()
        other.wait()
        assert line.join(20)
    line.leave()


def test_who_has_waited_in_vain_leaves_the_line_to_others(database: Path):
    line = Line(str(database))
    with another_process_first(database):
        assert not line.join(AT_ONCE)
    assert line.join(20)
    line.leave()


def test_a_process_that_leaves_lets_the_next_one_in(database: Path):
    line = Line(str(database))
    assert line.join(AT_ONCE)
    line.leave()
    with another_process_first(database):
        assert not line.join(AT_ONCE)


def test_a_folder_that_is_not_ours_to_write_leaves_it_to_sqlite(tmp_path: Path):
    line = Line(str(tmp_path / "nowhere" / "db.sqlite3"))
    assert line.join(AT_ONCE)
    assert not line.join(AT_ONCE)  # another thread of this process still waits
    line.leave()
    assert line.join(AT_ONCE)


def test_all_threads_have_the_same_line(database: Path):
    found = []
    crowd = [threading.Thread(target=lambda: found.append(line_for(str(database)))) for _one in range(8)]
    for one in crowd:
        one.start()
    for one in crowd:
        one.join()
    assert len(set(map(id, found))) == 1
