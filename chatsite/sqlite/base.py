"""Django's SQLite backend for many threads: a pool of open connections, and writers that queue.

Django closes the connection while a turn waits for its reply, and at the end of each request. Opening one reads the
schema again, and closing the last one writes the whole WAL back; together that took a quarter of a turn's processor
time. So connections stay open, and the next thread takes the one that was returned last.

Writers queue for a lock (`write_lock.py`); a background thread does the checkpoints (`wal_checkpoint.py`).
"""

import os
import sqlite3
from collections import defaultdict
from typing import Any

from django.db.backends.sqlite3 import base
from django.db.utils import OperationalError

from chatsite.sqlite.write_lock import WriteLock, write_lock_for

MAX_IDLE = 16  # Python runs one thread at a time: more connections are never busy at once
_READS = ("SELECT", "PRAGMA", "EXPLAIN", "SAVEPOINT", "RELEASE", "ROLLBACK", "COMMIT")

# Keyed by process, because connections don't survive a fork, and by file. Appending and popping are atomic.
_pools: defaultdict[tuple[int, str], list["Connection"]] = defaultdict(list)


def idle_connections(name: object) -> list["Connection"]:
    """Return this process's open connections to the file that nobody is using."""
    return _pools[os.getpid(), str(name)]


class Connection(sqlite3.Connection):
    """A connection that holds the write lock from the start of a transaction to its end."""

    write_lock: WriteLock | None = None  # None: a database in memory, which has no other writers
    timeout: float = 5
    _is_writing = False

    def start_writing(self) -> None:
        """Take the write lock. Raises OperationalError if other writers hold it for too long."""
        if self.write_lock and not self._is_writing:
            if not self.write_lock.acquire(self.timeout):
                raise OperationalError("database is locked")
            self._is_writing = True

    def stop_writing(self) -> None:
        if self._is_writing:
            self._is_writing = False
            self.write_lock.release()

    def commit(self) -> None:
        super().commit()
        self.stop_writing()  # not after a failure: a rollback follows

    def rollback(self) -> None:
        try:
            super().rollback()
        finally:
            self.stop_writing()

    def close(self) -> None:
        try:
            super().close()
        finally:
            self.stop_writing()


class Cursor(base.SQLiteCursorWrapper):
    """Takes the write lock for `BEGIN`, which keeps it, and for a statement that writes outside a transaction."""

    def execute(self, query: str, params: Any = None) -> Any:
        connection: Connection = self.connection
        if not (connection.in_transaction or query.lstrip()[:9].upper().startswith(_READS)):
            connection.start_writing()
        try:
            return super().execute(query, params)
        finally:
            if not connection.in_transaction:
                connection.stop_writing()


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> Connection:
        try:
            return idle_connections(self.settings_dict["NAME"]).pop()
        except IndexError:
            connection = super().get_new_connection(conn_params | {"factory": Connection})
        if not self.is_in_memory_db():
            connection.write_lock = write_lock_for(str(self.settings_dict["NAME"]))
            connection.timeout = conn_params.get("timeout", Connection.timeout)
        return connection

    def create_cursor(self, name: str | None = None) -> Cursor:
        return self.connection.cursor(factory=Cursor)

    def _close(self) -> None:
        idle = idle_connections(self.settings_dict["NAME"])
        is_broken = self.errors_occurred or not self.autocommit
        if self.connection is None or is_broken or self.is_in_memory_db() or len(idle) >= MAX_IDLE:
            super()._close()
            return
        if self.connection.in_transaction:  # from a BEGIN that Django doesn't know of
            self.connection.rollback()
        idle.append(self.connection)
