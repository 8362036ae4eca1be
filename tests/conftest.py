"""Fixtures shared by all tests: settings that save time, the fake upstream, and a database on disk."""

import gc
import inspect
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.template.base import Node, Variable
from django.test import override_settings
from django.utils import timezone, translation

from outbound import sockets
from tests.databases import TEMPLATE, migrated_on_postgresql, migrated_on_sqlite
from tests.prepared import FOLDER
from tests.webchat.certificates import Authority
from tests.webchat.upstream_server import UpstreamServer
from webchat.upstream import client as client_module

# Tests in these folders start sites, proxies and browsers: a failure is retried once; see docs/developing.md.
RETRIED = {"browser", "chaos", "chatsite", "cluster", "deploy", "faults"}
KEY = "sk-a-key-that-nobody-may-see"


class UnresolvedVariable(str):
    """Fails the test when one of our own templates uses a variable that doesn't exist.

    Elsewhere it renders as nothing: Django's own templates, the admin's above all, rely on that.
    """

    def __mod__(self, variable: Variable) -> str:
        nodes = (frame.frame.f_locals.get("self") for frame in inspect.stack(context=0))
        origin = next(node.origin for node in nodes if isinstance(node, Node) and hasattr(node, "origin"))
        if Path(origin.name).is_relative_to(settings.BASE_DIR / "templates"):
            pytest.fail(f"{{{{ {variable} }}}} can't be resolved in {origin.template_name}")
        return ""


def pytest_configure(config: pytest.Config) -> None:
    if FOLDER not in os.environ:  # the workers get it from the process that starts them
        folder = TemporaryDirectory(prefix="prepared-sites-")
        os.environ[FOLDER] = folder.name
        config.add_cleanup(folder.cleanup)
        if url := os.environ.get("DATABASE_URL"):
            os.environ[TEMPLATE] = migrated_on_postgresql(url)
    # The environment reaches the processes that tests start; the tests of meaning turn it back on.
    os.environ["DOCBOT_MEANING"], settings.DOCBOT_MEANING = "0", False
    settings.TEMPLATES[0]["OPTIONS"]["string_if_invalid"] = UnresolvedVariable("%s")
    _save_time()
    _keep_transactions_open()


def _save_time() -> None:
    """Hash passwords fast, need no collected files, don't wait between attempts: here once, not before each test."""
    as_they_lie_there = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    override_settings(
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        WHITENOISE_AUTOREFRESH=True,  # else a client's first request reads 800 files
        STORAGES=settings.STORAGES | {"staticfiles": as_they_lie_there},
    ).enable()
    client_module.FIRST_BACK_OFF = 0


def _keep_transactions_open() -> None:
    """Keep a test's transaction open when the site closes its connection, as Django's own test client does."""
    close = BaseDatabaseWrapper.close_if_unusable_or_obsolete
    BaseDatabaseWrapper.close_if_unusable_or_obsolete = lambda own: None if own.in_atomic_block else close(own)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--database", action="store_true", help="run only the tests that touch the database")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests to retry; with --database, keep only those that may fail on another database: see the Makefile."""
    for item in items:
        if item.path.relative_to(Path(__file__).parent).parts[0] in RETRIED:
            item.add_marker(pytest.mark.flaky(reruns=1))
    if config.getoption("--database"):
        config.hook.pytest_deselected(items=[item for item in items if not _uses_database(item)])
        items[:] = filter(_uses_database, items)


def pytest_collection_finish() -> None:
    """Exempt everything imported so far from garbage collection: it stays until the end anyway."""
    gc.collect()
    gc.freeze()


def _uses_database(item: pytest.Item) -> bool:
    """Return whether a test uses the database, directly or through a site that it starts."""
    fixtures = set(getattr(item, "fixturenames", ()))
    return bool(fixtures & {"db", "transactional_db", "site"} or item.get_closest_marker("django_db"))


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None) -> None:
    """On PostgreSQL, let Django copy the run's migrated database in each worker."""
    connections["default"].settings_dict["TEST"]["TEMPLATE"] = os.environ.get(TEMPLATE)


@pytest.fixture(scope="session")
def django_db_setup(request: pytest.FixtureRequest, django_test_environment: None, django_db_blocker: Any) -> None:
    """On SQLite, copy a migrated database into memory in each worker, where Django would make all tables anew."""
    database = connections["default"]
    if database.vendor != "sqlite":
        request.getfixturevalue("django_db_setup")  # Django's way
        return
    database.settings_dict["NAME"] = "file:tests?mode=memory&cache=shared"
    with django_db_blocker.unblock(), closing(sqlite3.connect(migrated_on_sqlite())) as migrated:
        database.ensure_connection()
        migrated.backup(database.connection)
        ContentType.objects.clear_cache()


@pytest.fixture
def clock_at_noon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop Django's clock, so that neither a minute nor a day ends during a test."""
    noon = timezone.now().replace(hour=12, minute=0, second=20)
    monkeypatch.setattr(timezone, "now", lambda: noon)


@pytest.fixture(autouse=True)
def reset_language() -> Iterator[None]:
    """Reset the language after each test: Django leaves a request's language active in its thread."""
    yield
    translation.deactivate()


@pytest.fixture
def upstream(settings: Any) -> Iterator[UpstreamServer]:
    """A fake upstream for the site, with time-outs short enough for a test."""
    with UpstreamServer(api_key=KEY) as server:
        settings.CHAT_BASE_URL, settings.BOT_API_KEY = server.base_url, KEY
        settings.CHAT_TIMEOUT, settings.CHAT_CONNECT_TIMEOUT = 10.0, 2.0
        yield server


@pytest.fixture
def authority(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Authority]:
    """A certificate authority that this process trusts by SSL_CERT_FILE, like a company's own."""
    authority = Authority(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    sockets.tls_context.cache_clear()
    yield authority
    sockets.tls_context.cache_clear()


@pytest.fixture
def database_on_disk(
    transactional_db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> Iterator[Path]:
    """Move the test database to a file, as in production: in memory, threads fail instead of waiting for each other.

    Processes started with its folder as DATA_DIR share it. On PostgreSQL they share the test's database.
    """
    in_memory = connections["default"]
    if in_memory.vendor != "sqlite":
        url = urlsplit(settings.DATABASE_URL)._replace(path=f"/{in_memory.settings_dict['NAME']}")
        monkeypatch.setenv("DATABASE_URL", url.geturl())
        yield tmp_path / "nothing"
        return
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
