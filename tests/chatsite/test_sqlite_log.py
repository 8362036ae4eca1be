"""SQLite's log of changes is carried over beside those who write."""

import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection

from chatsite.sqlite import base, log
from chatsite.sqlite.line import line_for


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Path]:
    """One with a log, which is gone as soon as nobody has the database open."""
    path = tmp_path / "db.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None)) as held:
        held.execute("PRAGMA journal_mode=WAL")
        held.execute("PRAGMA wal_autocheckpoint=0")
        held.execute("CREATE TABLE lines (line)")
        held.executemany("INSERT INTO lines VALUES (?)", [("x" * 1000,)] * 50)
        yield path


def length_of_log(database: Path) -> int:
    return Path(f"{database}-wal").stat().st_size


def lines_without_log(database: Path, folder: Path) -> int:
    """What somebody finds who has the file alone."""
    copy = folder / "copy.sqlite3"
    copy.write_bytes(database.read_bytes())
    with closing(sqlite3.connect(copy)) as alone:
        return (
            alone.execute("SELECT count(*) FROM lines").fetchone()[0]
            if alone.execute("SELECT 1 FROM sqlite_master WHERE name = 'lines'").fetchone()
            else 0
        )


def test_what_stands_in_the_log_comes_into_the_database(database: Path, tmp_path: Path):
    assert lines_without_log(database, tmp_path) == 0
    log.carry_over(database)
    assert lines_without_log(database, tmp_path) == 50


def test_a_long_log_begins_anew(database: Path):
    log.carry_over(database, long=length_of_log(database))
    assert length_of_log(database) > 0
    log.carry_over(database, long=length_of_log(database) - 1)
    assert length_of_log(database) == 0


def test_a_log_begins_anew_in_line_with_those_who_write(database: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(log, "PATIENCE", 0.01)
    assert line_for(str(database)).join(1)
    log.carry_over(database, long=0)
    assert length_of_log(database) > 0
    line_for(str(database)).leave()
    log.carry_over(database, long=0)
    assert length_of_log(database) == 0


def test_an_empty_log_is_left_alone(database: Path):
    log.carry_over(database, long=0)
    before = database.stat().st_mtime_ns
    log.carry_over(database, long=0)
    assert database.stat().st_mtime_ns == before


def test_who_writes_meanwhile_is_not_held_up(database: Path, tmp_path: Path):
    with closing(sqlite3.connect(database, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("INSERT INTO lines VALUES ('more')")
        log.carry_over(database)
        writer.execute("COMMIT")
    assert lines_without_log(database, tmp_path) == 50
    log.carry_over(database)
    assert lines_without_log(database, tmp_path) == 51


def eventually(happens: Callable[[], bool]) -> bool:
    end = time.monotonic() + 10
    while not happens() and time.monotonic() < end:
        threading.Event().wait(0.01)
    return happens()


def test_a_database_that_is_away_ends_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    rounds: Counter[threading.Thread] = Counter()  # of earlier tests' threads, too, which go on

    def pause(seconds: float) -> None:
        rounds[threading.current_thread()] += 1
        threading.Event().wait(0.001)

    monkeypatch.setattr(log.time, "sleep", pause)
    thread = log.look_after(tmp_path / "nowhere.sqlite3")
    assert thread.daemon
    assert eventually(lambda: rounds[thread] >= 3)


def test_the_log_stays_when_all_connections_of_visitors_are_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """On a full disk there would be no room for another one, and nothing could even be read."""
    monkeypatch.setattr(log, "EVERY", 0.001)
    path = tmp_path / "db.sqlite3"
    with closing(sqlite3.connect(path)) as first:
        first.execute("PRAGMA journal_mode=WAL")
    assert not Path(f"{path}-wal").exists()
    log.look_after(path)
    assert eventually(Path(f"{path}-wal").exists)
    with closing(sqlite3.connect(path, isolation_level=None)) as visitors:
        visitors.execute("CREATE TABLE lines (line)")
    assert length_of_log(path) > 0


def test_the_connections_of_a_process_that_has_it_done_leave_it(database_on_disk: Path):
    def length() -> int:
        return connection.cursor().execute("PRAGMA wal_autocheckpoint").fetchone()[0]

    assert length() == 1000
    connection.close()
    base.leave_the_log(database_on_disk, 5000)
    assert base.idle_connections(database_on_disk) == []
    assert length() == 5000
