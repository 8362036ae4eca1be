"""What the tests of all rooms share: settings that save time, and a database on disk."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.db import connections


@pytest.fixture(autouse=True)
def fast_settings(settings: Any) -> None:
    """Nothing has to be collected before a test, no test client reads 800 collected files at its first request, and
    logging in doesn't take half a second on purpose."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.WHITENOISE_AUTOREFRESH = True
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    }


@pytest.fixture
def database_on_disk(transactional_db: None, tmp_path: Path) -> Iterator[Path]:
    """The test database as a file, as in production: in memory, threads fail instead of waiting for each other."""
    in_memory = connections["default"]
    in_memory.ensure_connection()
    settings = connections.databases["default"]
    name, settings["NAME"] = settings["NAME"], str(tmp_path / "db.sqlite3")
    with closing(sqlite3.connect(settings["NAME"])) as file:
        in_memory.connection.backup(file)
    del connections["default"]
    yield Path(settings["NAME"])
    connections["default"].close()
    settings["NAME"] = name
    connections["default"] = in_memory
