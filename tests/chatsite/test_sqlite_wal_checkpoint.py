"""The WAL is written back into the database without holding up writers."""

import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from chatsite.sqlite import wal_checkpoint
from chatsite.sqlite.write_lock import write_lock_for


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Path]:
    """Yield a database with a WAL, held open because SQLite deletes the WAL when the last connection closes."""
    path = tmp_path / "db.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None)) as held:
        held.execute("PRAGMA journal_mode=WAL")
        held.execute("PRAGMA wal_autocheckpoint=0")
        held.execute("CREATE TABLE lines (line)")
        held.executemany("INSERT INTO lines VALUES (?)", [("x" * 1000,)] * 50)
        yield path


def length_of_wal(database: Path) -> int:
    return Path(f"{database}-wal").stat().st_size


def lines_without_wal(database: Path, folder: Path) -> int:
    """Return the rows in the database file without its WAL."""
    copy = folder / "copy.sqlite3"
    copy.write_bytes(database.read_bytes())
    with closing(sqlite3.connect(copy)) as alone:
        try:
            return alone.execute("SELECT count(*) FROM lines").fetchone()[0]
        except sqlite3.OperationalError:  # the table is in the WAL alone
            return 0


def test_a_long_wal_is_emptied_but_only_with_the_write_lock(database, monkeypatch):
    monkeypatch.setattr(wal_checkpoint, "TIMEOUT", 0.01)
    assert write_lock_for(str(database)).acquire(1)
    wal_checkpoint.checkpoint(database, max_bytes=0)
    assert length_of_wal(database) > 0
    write_lock_for(str(database)).release()
    wal_checkpoint.checkpoint(database, max_bytes=length_of_wal(database))
    assert length_of_wal(database) > 0
    wal_checkpoint.checkpoint(database, max_bytes=length_of_wal(database) - 1)
    assert length_of_wal(database) == 0


def test_a_writer_is_not_held_up_by_a_checkpoint(database, tmp_path):
    with closing(sqlite3.connect(database, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("INSERT INTO lines VALUES ('more')")
        wal_checkpoint.checkpoint(database)
        writer.execute("COMMIT")
    assert lines_without_wal(database, tmp_path) == 50
    wal_checkpoint.checkpoint(database)
    assert lines_without_wal(database, tmp_path) == 51


def eventually(happens: Callable[[], bool]) -> bool:
    end = time.monotonic() + 10
    while not happens() and time.monotonic() < end:
        threading.Event().wait(0.01)
    return happens()


def test_a_missing_database_does_not_end_the_thread(tmp_path, monkeypatch):
    rounds: Counter[threading.Thread] = Counter()  # including connections of earlier tests' threads

    def pause(seconds: float) -> None:
        rounds[threading.current_thread()] += 1
        threading.Event().wait(0.001)

    monkeypatch.setattr(wal_checkpoint.time, "sleep", pause)
    thread = wal_checkpoint.start(tmp_path / "nowhere.sqlite3")
    assert thread.daemon
    assert eventually(lambda: rounds[thread] >= 3)


def test_the_wal_stays_when_all_other_connections_are_closed(tmp_path, monkeypatch):
    """On a full disk no new WAL could be created, and the database could not even be read."""
    monkeypatch.setattr(wal_checkpoint, "INTERVAL", 0.001)
    path = tmp_path / "db.sqlite3"
    with closing(sqlite3.connect(path)) as first:
        first.execute("PRAGMA journal_mode=WAL")
    assert not Path(f"{path}-wal").exists()
    wal_checkpoint.start(path)
    assert eventually(Path(f"{path}-wal").exists)
    with closing(sqlite3.connect(path, isolation_level=None)) as visitors:
        visitors.execute("CREATE TABLE lines (line)")
    assert length_of_wal(path) > 0
