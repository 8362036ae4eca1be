"""Django's SQLite for many threads: connections that are kept for the next request, and writers that wait in line.

A turn gives its connection back while its reply is awaited, and each request at its end: three times a turn. Opening
one reads the schema anew, and closing the last one writes the whole log back into the database; together that took a
quarter of a turn's processor time. Whatever thread comes next takes the one that was given back last.

Who writes waits in line first (`line.py`), and leaves it to a thread beside to carry the log over (`log.py`).
"""

import functools
import os
import time
from collections import defaultdict
from sqlite3 import Connection
from typing import Any

from django.db.backends.sqlite3 import base
from django.db.utils import OperationalError

from chatsite.sqlite.line import line_for

MOST_IDLE = 16  # more than so many never work at once on one machine's processors
_READS = ("SELECT", "PRAGMA", "EXPLAIN", "SAVEPOINT", "RELEASE", "ROLLBACK", "BEGIN", "COMMIT")

# By process, because connections don't survive a fork, and by file. Appending and popping need no lock.
_idle: defaultdict[tuple[int, str], list[Connection]] = defaultdict(list)
# The log's length in pages at which a change carries it over, where that isn't SQLite's own.
_lengths: dict[tuple[int, str], int] = {}


def idle_connections(name: object) -> list[Connection]:
    """Those of this process to the file of that name that nobody uses at present."""
    return _idle[os.getpid(), str(name)]


def leave_the_log(name: object, pages: int) -> None:
    """This process's connections carry the log over only when it is as long as that."""
    _lengths[os.getpid(), str(name)] = pages
    idle = idle_connections(name)
    while idle:
        idle.pop().close()


class DatabaseWrapper(base.DatabaseWrapper):
    _has_turn = False  # to write

    def connect(self) -> None:
        """As Django's, but that a kept connection needs none of what a new one is told."""
        try:
            kept = idle_connections(self.settings_dict["NAME"]).pop()
        except IndexError:
            super().connect()
            if pages := _lengths.get((os.getpid(), str(self.settings_dict["NAME"]))):
                self.connection.execute(f"PRAGMA wal_autocheckpoint = {pages}")
            return
        if not hasattr(self, "transaction_mode"):
            self.get_connection_params()  # which is where Django reads that option
        self.connection, self.autocommit = kept, True
        self.in_atomic_block, self.closed_in_transaction, self.needs_rollback = False, False, False
        self.savepoint_ids, self.atomic_blocks, self.run_on_commit = [], [], []
        self.errors_occurred, self.health_check_done = False, True
        max_age = self.settings_dict["CONN_MAX_AGE"]
        self.close_at = None if max_age is None else time.monotonic() + max_age

    def create_cursor(self, name: str | None = None) -> "QueueingCursor":
        cursor = self.connection.cursor(factory=QueueingCursor)
        cursor.database = self
        return cursor

    def wait_for_turn(self) -> bool:
        """True if the turn is this connection's from now on, and it had not been before. Raises OperationalError."""
        if self._has_turn or self.is_in_memory_db():
            return False
        line = line_for(str(self.settings_dict["NAME"]))
        if not line.join(self.settings_dict["OPTIONS"].get("timeout", 5)):
            raise OperationalError("database is locked")
        self._has_turn = True
        return True

    def end_turn(self) -> None:
        if self._has_turn:
            self._has_turn = False
            line_for(str(self.settings_dict["NAME"])).leave()

    def _start_transaction_under_autocommit(self) -> None:
        self.wait_for_turn()
        try:
            super()._start_transaction_under_autocommit()
        except BaseException:
            self.end_turn()
            raise

    def _commit(self) -> None:
        super()._commit()
        self.end_turn()  # not when it fails: a rollback follows

    def _rollback(self) -> None:
        try:
            super()._rollback()
        finally:
            self.end_turn()

    def _close(self) -> None:
        try:
            self._give_back()
        finally:
            self.end_turn()

    def _give_back(self) -> None:
        idle = idle_connections(self.settings_dict["NAME"])
        unfit = self.connection is None or self.errors_occurred or not self.autocommit or self.is_in_memory_db()
        if unfit or len(idle) >= MOST_IDLE:
            super()._close()
            return
        if self.connection.in_transaction:
            self.connection.rollback()
        idle.append(self.connection)


@functools.lru_cache(maxsize=256)
def _with_question_marks(query: str) -> str:
    """Django's own conversion, remembered: a turn's statements are always the same ones."""
    return base.FORMAT_QMARK_REGEX.sub("?", query).replace("%%", "%")


class QueueingCursor(base.SQLiteCursorWrapper):
    """A statement that writes outside of a transaction waits in line, too."""

    database: DatabaseWrapper

    def convert_query(self, query: str, *, param_names: list[str] | None = None) -> str:
        if param_names is None:
            return _with_question_marks(query)
        return super().convert_query(query, param_names=param_names)

    def execute(self, query: str, params: Any = None) -> Any:
        if self.database.in_atomic_block or query.lstrip()[:9].upper().startswith(_READS):
            return super().execute(query, params)
        is_new = self.database.wait_for_turn()
        try:
            return super().execute(query, params)
        finally:
            if is_new:
                self.database.end_turn()
