"""Dumps and restores the database: SQLite by its online backup, PostgreSQL by pg_dump and pg_restore."""

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

from django.core.management.base import CommandError
from django.db.backends.base.base import BaseDatabaseWrapper

SQLITE, POSTGRESQL = "database.sqlite3", "database.dump"


def has_tables(connection: BaseDatabaseWrapper) -> bool:
    return bool(connection.introspection.table_names())


def write(connection: BaseDatabaseWrapper, folder: Path) -> Path:
    """Write a consistent snapshot while the site keeps running; return its path."""
    if connection.vendor == "sqlite":
        connection.ensure_connection()
        with closing(sqlite3.connect(folder / SQLITE)) as copy:
            connection.connection.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")  # a single file, without a WAL
        return folder / SQLITE
    _run(connection, "pg_dump", "--format=custom", "--no-owner", f"--file={folder / POSTGRESQL}")
    return folder / POSTGRESQL


def read(connection: BaseDatabaseWrapper, folder: Path) -> None:
    """Load a dump into an empty database. Raises FileNotFoundError if there is none for this kind of database."""
    file = folder / (SQLITE if connection.vendor == "sqlite" else POSTGRESQL)
    if not file.exists():
        raise FileNotFoundError(2, "missing", file.name)
    if connection.vendor == "sqlite":
        connection.ensure_connection()
        with closing(sqlite3.connect(file)) as copy:
            copy.backup(connection.connection)
        return
    options = ("--no-owner", "--exit-on-error", "--single-transaction")
    _run(connection, "pg_restore", *options, f"--dbname={connection.settings_dict['NAME']}", str(file))


def _run(connection: BaseDatabaseWrapper, program: str, *arguments: str) -> None:
    """Run a PostgreSQL tool, with the password in the environment: other users can read command lines."""
    found = shutil.which(program)
    if not found:
        raise CommandError(
            f"{program} is missing. Install PostgreSQL's client, of the server's version or a newer one."
        )
    settings = connection.settings_dict
    variables = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD", "PGDATABASE": "NAME"}
    environment = os.environ | {name: str(settings[key]) for name, key in variables.items() if settings[key]}
    done = subprocess.run(  # noqa: S603 - no shell; each argument is one of the process's own
        [found, *arguments], env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise CommandError(f"{program} failed: {done.stderr.strip().splitlines()[-1]}")
