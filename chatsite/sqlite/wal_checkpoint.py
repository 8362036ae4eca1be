"""Writes SQLite's WAL back into the database, in a background thread of each process that serves.

By default, the commit that reaches 1,000 pages does it, after some fifty messages. That visitor then waits for the
disk twice, and so do all queued writers.
"""

import contextlib
import sqlite3
import threading
import time
from pathlib import Path

from chatsite.sqlite.write_lock import write_lock_for

INTERVAL = 1.0  # seconds
MAX_BYTES = 64 * 1024 * 1024  # of a WAL; writers wait while a larger one is emptied
AUTOCHECKPOINT_PAGES = 20_000  # about 80 MB: should this thread die, a commit does the checkpoint
TIMEOUT = 1.0  # seconds to wait for writers, and for readers of what would be overwritten


def start(database: Path) -> threading.Thread:
    thread = threading.Thread(target=_run, args=(database,), name="wal-checkpoint", daemon=True)
    thread.start()
    return thread


def _run(database: Path) -> None:
    held = None
    while True:
        time.sleep(INTERVAL)
        with contextlib.suppress(OSError, sqlite3.Error):  # disk full, database locked: try again later
            # Keep one open: closing the last connection deletes the WAL, and on a full disk none could be created.
            held = held or _open(database)
            checkpoint(database)


def _open(database: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"file:{database}?mode=rw", uri=True)
    connection.execute("PRAGMA schema_version").fetchone()
    return connection


def checkpoint(database: Path, max_bytes: int = MAX_BYTES) -> None:
    """Copy the WAL into the database; empty a WAL longer than `max_bytes`. Raises OSError and sqlite3.Error."""
    size = Path(f"{database}-wal").stat().st_size
    if not size:
        return
    with contextlib.closing(sqlite3.connect(database, timeout=TIMEOUT, isolation_level=None)) as connection:
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)")  # blocks no writer
        lock = write_lock_for(str(database))
        if size > max_bytes and lock.acquire(TIMEOUT):
            try:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # only what was written since is left to copy
            finally:
                lock.release()
