"""Does what comes round again: clean-up, deliveries, counts; each in one process at a time, while pages are served.

Which ones there are stands in settings.CHORES. A chore is a function without arguments that can be broken off at any
line and begun again: the process may end, and the next one to find it due does it.
"""

import datetime
import logging
import threading
import time

from django.conf import settings
from django.db import DatabaseError, close_old_connections, connection
from django.utils.module_loading import import_string

from webchat.models import Chore

logger = logging.getLogger(__name__)

LOOK_EVERY = 5.0  # seconds


def start() -> threading.Thread:
    """Looks for what is due, for as long as this process lives."""
    thread = threading.Thread(target=_go_on, name="chores", daemon=True)
    thread.start()
    return thread


def do_all() -> None:
    """Every chore now, due or not. Raises what a chore raises."""
    for name in (*settings.CHORES, *settings.CHORES_OF_EACH_MACHINE):
        import_string(name)()


def do_due() -> list[str]:
    """The names of those that were due and that nobody else had taken. One that fails comes round again."""
    done = []
    for name, seconds in settings.CHORES.items():
        if not Chore.objects.claim(name, datetime.timedelta(seconds=seconds)):
            continue
        done.append(name)
        _do(name)
    return done


def do_due_here(due: dict[str, float]) -> None:
    """Those that each machine has to do for itself; `due` keeps when, by the monotonic clock of this process."""
    for name, seconds in settings.CHORES_OF_EACH_MACHINE.items():
        if time.monotonic() >= due.get(name, 0.0):
            due[name] = time.monotonic() + seconds
            _do(name)


def _do(name: str) -> None:
    try:
        import_string(name)()
    except Exception as error:  # noqa: BLE001 - whatever one chore stumbles over, the others are done
        logger.error("chore failed name=%s error=%s", name, type(error).__name__)


def _go_on() -> None:
    pause = threading.Event()
    due: dict[str, float] = {}
    while not pause.wait(LOOK_EVERY):
        close_old_connections()
        try:
            do_due()
            do_due_here(due)
        except DatabaseError as error:  # gone, locked, or not migrated yet: it is asked again
            logger.warning("chores wait error=%s", type(error).__name__)
        finally:
            connection.close()
