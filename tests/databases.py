"""Databases for the processes that tests start: migrated once, then copied."""

import atexit
import fcntl
import functools
import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

ROOT = Path(__file__).resolve().parents[1]
TEMPLATE = "TEMPLATE_DATABASE"  # the environment variable with the name of a run's migrated database on PostgreSQL


@contextmanager
def temporary_database() -> Iterator[dict[str, str]]:
    """Yield the environment variables that name a new database: none on SQLite, whose file is in DATA_DIR."""
    url = os.environ.get("DATABASE_URL")
    if not url:
        yield {}
        return
    template = migrated_on_postgresql(url)
    name = f"webchat_{uuid.uuid4().hex}"
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        try:
            yield {"DATABASE_URL": urlsplit(url)._replace(path=f"/{name}").geturl()}
        finally:
            server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@functools.cache
def migrated_on_postgresql(url: str) -> str:
    """Return the name of a migrated database to copy: that of the run of tests, or one that this process makes."""
    if TEMPLATE in os.environ:
        return os.environ[TEMPLATE]
    name = f"webchat_template_{uuid.uuid4().hex}"
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{name}"')
    atexit.register(_drop, url, name)
    with tempfile.TemporaryDirectory() as folder:
        _migrate(folder, DATABASE_URL=urlsplit(url)._replace(path=f"/{name}").geturl())
    return name


def _drop(url: str, name: str) -> None:
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def copy_migrated(data: Path) -> None:
    """Copy a migrated SQLite database into the folder, so that `prepare` has nothing left to migrate."""
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    shutil.copyfile(migrated_on_sqlite(), data / "db.sqlite3")


@functools.cache
def migrated_on_sqlite() -> Path:
    """Return a migrated database, made once a machine and set of migrations by the first process that needs it."""
    migrations = sorted(ROOT.glob("*/migrations/*.py"))
    parts = [*migrations, ROOT / "requirements.txt"]
    state = hashlib.sha256(b"".join(part.name.encode() + part.read_bytes() for part in parts)).hexdigest()
    file = Path(tempfile.gettempdir()) / f"webchat-migrated-{os.getuid()}-{state[:16]}.sqlite3"
    with file.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.exists():
            with tempfile.TemporaryDirectory(dir=file.parent) as folder:
                _migrate(folder, DATABASE_URL="")
                with closing(sqlite3.connect(f"{folder}/db.sqlite3")) as database:
                    database.execute("VACUUM INTO ?", (f"{folder}/whole",))  # a plain copy would miss the WAL
                Path(folder, "whole").rename(file)
    return file


def _migrate(folder: str, **variables: str) -> None:
    subprocess.run(
        (sys.executable, "manage.py", "migrate", "--verbosity=0"),
        cwd=ROOT,
        env=os.environ | {"DATA_DIR": folder, "DOCBOT_MEANING": "0"} | variables,
        check=True,
    )
