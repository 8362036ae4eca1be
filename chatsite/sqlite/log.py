"""Carries SQLite's log of changes over into the database, in a thread of its own beside those that serve.

Left to itself, SQLite has it done by whoever's change makes the log a thousand pages long, which is after some fifty
messages. That visitor waits for the disk twice, and with them everybody who is in line behind.
"""

import contextlib
import sqlite3
import threading
import time
from pathlib import Path

from chatsite.sqlite import base
from chatsite.sqlite.line import line_for

EVERY = 1.0  # seconds
LONG = 64 * 1024 * 1024  # bytes, what a crowd changes in some seconds; then writers wait a moment, and it begins anew
LAST_RESORT = 64 * 1024  # pages, four times as long: should the thread be gone, writers carry over by themselves
PATIENCE = 1.0  # seconds, for who writes, and for who reads what would be overwritten


def look_after(database: Path) -> threading.Thread:
    """For as long as this process lives. Its connections leave it to the thread from now on."""
    base.leave_the_log(database, LAST_RESORT)
    thread = threading.Thread(target=_go_on, args=(database,), name="log", daemon=True)
    thread.start()
    return thread


def _go_on(database: Path) -> None:
    held = None
    while True:
        time.sleep(EVERY)
        with contextlib.suppress(OSError, sqlite3.Error):  # a full disk, a lock: the log waits
            # Whoever closes the last connection deletes the log; on a full disk nobody could begin another, or read.
            held = held or _open(database)
            carry_over(database)


def _open(database: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"file:{database}?mode=rw", uri=True)
    connection.execute("PRAGMA schema_version").fetchone()
    return connection


def carry_over(database: Path, long: int = LONG) -> None:
    """What was changed, from the log into the database. Raises OSError and sqlite3.Error."""
    size = Path(f"{database}-wal").stat().st_size
    if not size:
        return
    with contextlib.closing(sqlite3.connect(database, timeout=PATIENCE, isolation_level=None)) as connection:
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)")  # beside those who write
        line = line_for(str(database))
        if size > long and line.join(PATIENCE):
            try:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # of the little that came meanwhile
            finally:
                line.leave()
