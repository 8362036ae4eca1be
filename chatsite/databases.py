"""Where everything is kept: in a file of SQLite, or in the PostgreSQL that an address names."""

import re
from pathlib import Path
from typing import Any

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

from chatsite.sqlite.wal_checkpoint import AUTOCHECKPOINT_PAGES

SECONDS_FOR_A_CONNECTION = 10  # a restart of the database is waited for, not failed on

# A host, or a folder with the database's socket written as %2F…, or none at all and ?host=…; a name.
_ADDRESS = re.compile(r"postgres(?:ql)?://[^/?#\s]*/[^/?#\s]+(?:\?[^#\s]*)?")


def sqlite(path: Path) -> dict[str, Any]:
    return {
        "ENGINE": "chatsite.sqlite",
        "NAME": path,
        "OPTIONS": {
            # IMMEDIATE: a transaction that will write waits for its turn at the start instead of failing in the middle.
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; "
            f"PRAGMA wal_autocheckpoint={AUTOCHECKPOINT_PAGES};",
        },
        "TEST": {"NAME": ":memory:"},
    }


def postgresql(variable: str, address: str, connections: int) -> dict[str, Any]:
    """A pool of at most so many connections in each process; those that the server has closed are made anew.

    Raises ImproperlyConfigured without the address, which holds a password.
    """
    try:
        if not _ADDRESS.fullmatch(address):
            raise ValueError
        database = dj_database_url.parse(address, conn_max_age=0, conn_health_checks=True)
    except ValueError as error:
        raise ImproperlyConfigured(
            f"{variable} is no address of a PostgreSQL database. "
            "Set it to postgres://user:password@host:5432/name, special characters in it written as %40."
        ) from error
    database.setdefault("OPTIONS", {})["pool"] = {
        "min_size": 1,
        "max_size": connections,
        "timeout": SECONDS_FOR_A_CONNECTION,
        # Else its pauses between two attempts would grow to minutes, and outlast the database's absence.
        "reconnect_timeout": SECONDS_FOR_A_CONNECTION,
    }
    return database
