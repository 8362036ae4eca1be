"""Readiness checks: database, clock, migrations, static files and the default bot's configuration."""

import functools
import logging
import time
from collections.abc import Callable

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from webchat.conversation.responses import start_bot
from webchat.models import GRACE
from webchat.upstream.client import client_for

logger = logging.getLogger(__name__)

PAGE_STYLE_SHEET = "webchat/chat.css"


def run_checks() -> dict[str, bool]:
    """Run the checks and return their results by name; without a database, only that one."""
    found: dict[str, bool] = {}
    for name, check in CHECKS.items():
        try:
            found[name] = check()
        except Exception as error:  # noqa: BLE001 - whatever it is, the answer is "not ready"
            logger.warning("not ready check=%s error=%s", name, type(error).__name__)
            found[name] = False
        if name == "database" and not found[name]:
            break
    return found


def _database() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return cursor.fetchone() == (1,)


def _clock() -> bool:
    """Return whether this machine's clock is close enough to that of the database, which several machines share.

    A turn that was asked longer ago than an answer can take is lost. If each machine differs from the database by at
    most half of that, no two differ by more.
    """
    if connection.vendor == "sqlite":  # a file: read with this machine's clock
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXTRACT(EPOCH FROM CURRENT_TIMESTAMP)")
        ahead = time.time() - float(cursor.fetchone()[0])
    is_right = abs(ahead) <= (settings.CHAT_TIMEOUT + GRACE) / 2
    if not is_right:
        logger.error("not ready check=clock ahead_of_database_by=%.0fs", ahead)
    return is_right


@functools.cache
def _migrated_once() -> bool:
    """Raise LookupError if migrations are missing, so that only success is cached."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise LookupError
    return True


def _migrations() -> bool:
    try:
        return _migrated_once()
    except LookupError:
        return False


def _static_files() -> bool:
    """Return whether the static files that pages link to exist."""
    if settings.DEBUG or not hasattr(staticfiles_storage, "stored_name"):  # served from the source folders
        return finders.find(PAGE_STYLE_SHEET) is not None
    return staticfiles_storage.exists(staticfiles_storage.stored_name(PAGE_STYLE_SHEET))


def _bot() -> bool:
    """Return whether the bot of the first page exists and has a usable URL and key."""
    bot = start_bot()
    return bot is not None and not client_for(bot.upstream_url, bot.upstream_key).configuration_faults()


CHECKS: dict[str, Callable[[], bool]] = {
    "database": _database,
    "clock": _clock,
    "migrations": _migrations,
    "static files": _static_files,
    "bot": _bot,
}
