"""Database settings for SQLite and PostgreSQL."""

import re
from pathlib import Path
from typing import Any

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

from chatsite.sqlite.wal_checkpoint import AUTOCHECKPOINT_PAGES

SECONDS_FOR_A_CONNECTION = 10  # long enough for a restart of the database

# A host, a socket folder written as %2F…, or none with ?host=…; then the database's name.
_URL = re.compile(r"postgres(?:ql)?://[^/?#\s]*/[^/?#\s]+(?:\?[^#\s]*)?")


def sqlite(path: Path) -> dict[str, Any]:
    return {
        "ENGINE": "chatsite.sqlite",
        "NAME": path,
        "OPTIONS": {
            # IMMEDIATE: a transaction waits for the write lock at its start instead of failing in the middle.
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; "
            f"PRAGMA wal_autocheckpoint={AUTOCHECKPOINT_PAGES};",
        },
        "TEST": {"NAME": ":memory:"},
    }


def postgresql(variable: str, url: str, connections: int) -> dict[str, Any]:
    """Return settings with a pool of at most `connections` per process; closed connections are replaced.

    Raises ImproperlyConfigured, without quoting the URL, which holds a password.
    """
    try:
        if not _URL.fullmatch(url):
            raise ValueError
        database = dj_database_url.parse(url, conn_max_age=0, conn_health_checks=True)
    except ValueError as error:
        raise ImproperlyConfigured(
            f"{variable} is not the URL of a PostgreSQL database. "
            "Set it to postgres://user:password@host:5432/name, with special characters percent-encoded (@ as %40)."
        ) from error
    database.setdefault("OPTIONS", {})["pool"] = {
        "min_size": 1,
        "max_size": connections,
        "timeout": SECONDS_FOR_A_CONNECTION,
        # Otherwise the pauses between attempts grow to minutes, and the site stays down longer than the database.
        "reconnect_timeout": SECONDS_FOR_A_CONNECTION,
    }
    return database
