"""Databases of PostgreSQL that a test makes for processes of its own, beside the one that the tests share."""

import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import psycopg


@contextmanager
def own_database() -> Iterator[dict[str, str]]:
    """The variables with which processes find it; none where the tests run on SQLite, whose file is in DATA_DIR."""
    address = os.environ.get("DATABASE_URL")
    if not address:
        yield {}
        return
    name = f"webchat_{uuid.uuid4().hex}"
    with psycopg.connect(address, autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{name}"')
        try:
            yield {"DATABASE_URL": urlsplit(address)._replace(path=f"/{name}").geturl()}
        finally:
            server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
