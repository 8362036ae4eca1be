"""Django's SQLite, with connections that are kept for the next request instead of being closed.

A turn gives its connection back while its reply is awaited, and each request at its end: three times a turn. Opening
one reads the schema anew, and closing the last one writes the whole log back into the database; together that took a
quarter of a turn's processor time. Whatever thread comes next takes the one that was given back last.
"""

import os
from collections import defaultdict
from sqlite3 import Connection

from django.db.backends.sqlite3 import base

MOST_IDLE = 16  # more than so many never work at once on one machine's processors

# By process, because SQLite's connections don't survive a fork, and by file. Appending and popping need no lock.
_idle: defaultdict[tuple[int, str], list[Connection]] = defaultdict(list)


def idle_connections(name: object) -> list[Connection]:
    """Those of this process to the file of that name that nobody uses at present."""
    return _idle[os.getpid(), str(name)]


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, object]) -> Connection:
        try:
            return self._idle.pop()
        except IndexError:
            return super().get_new_connection(conn_params)

    def _close(self) -> None:
        if self.connection is None or self.errors_occurred or self.is_in_memory_db() or len(self._idle) >= MOST_IDLE:
            super()._close()
            return
        if self.connection.in_transaction:
            self.connection.rollback()
        self._idle.append(self.connection)

    @property
    def _idle(self) -> list[Connection]:
        return idle_connections(self.settings_dict["NAME"])
