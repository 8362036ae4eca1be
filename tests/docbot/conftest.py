"""What docbot's tests share: a database on disk for several connections at once."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connections


@pytest.fixture
def database_on_disk(transactional_db: None, tmp_path: Path) -> Iterator[None]:
    """The test database as a file, as in production: in memory, threads fail instead of waiting for each other."""
    in_memory = connections["default"]
    in_memory.ensure_connection()
    settings = connections.databases["default"]
    name, settings["NAME"] = settings["NAME"], str(tmp_path / "db.sqlite3")
    with closing(sqlite3.connect(settings["NAME"])) as file:
        in_memory.connection.backup(file)
    del connections["default"]
    yield
    connections["default"].close()
    settings["NAME"] = name
    connections["default"] = in_memory
