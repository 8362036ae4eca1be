"""Runs periodic tasks (clean-up, deliveries, counts) while pages are served, each in one process at a time.

settings.PERIODIC_TASKS lists them. A task is a function without arguments that may be interrupted at any line and run
again, because its process may end.
"""

import datetime
import logging
import threading
import time

from django.conf import settings
from django.db import DatabaseError, close_old_connections, connection
from django.utils import timezone
from django.utils.module_loading import import_string

from webchat import site
from webchat.models import PeriodicTask

logger = logging.getLogger(__name__)

LOOK_EVERY = 5.0  # seconds


def start() -> threading.Thread:
    """Start the thread that reads the owner's settings again, and runs due tasks, until this process ends."""
    thread = threading.Thread(target=_run_forever, name="periodic tasks", daemon=True)
    thread.start()
    return thread


def run_all() -> None:
    """Run every task now, due or not. An exception of a task is passed on."""
    site.refresh()
    with timezone.override(site.time_zone()):
        for name in (*settings.PERIODIC_TASKS, *settings.PERIODIC_TASKS_OF_EACH_MACHINE):
            import_string(name)()


def run_due() -> list[str]:
    """Run the tasks that are due and that no other process has claimed; return their names.

    A task that fails is run again when it is next due.
    """
    names = []
    for name, seconds in settings.PERIODIC_TASKS.items():
        if not PeriodicTask.objects.claim(name, datetime.timedelta(seconds=seconds)):
            continue
        names.append(name)
        _run(name)
    return names


def run_due_on_this_machine(due: dict[str, float]) -> None:
    """Run the due tasks that each machine runs for itself. `due`: name to the next time on the monotonic clock."""
    for name, seconds in settings.PERIODIC_TASKS_OF_EACH_MACHINE.items():
        if time.monotonic() >= due.get(name, 0.0):
            due[name] = time.monotonic() + seconds
            _run(name)


def _run(name: str) -> None:
    try:
        import_string(name)()
    except Exception as error:  # noqa: BLE001 - one failing task must not stop the others
        logger.error("periodic task failed name=%s error=%s", name, type(error).__name__)


def _run_forever() -> None:
    pause = threading.Event()
    due: dict[str, float] = {}
    while not pause.wait(LOOK_EVERY):
        close_old_connections()
        try:
            site.refresh()
            if settings.PERIODIC_TASKS_WHILE_SERVING:
                with timezone.override(site.time_zone()):
                    run_due()
                    run_due_on_this_machine(due)
        except DatabaseError as error:  # gone, locked or not migrated yet: try again later
            logger.warning("periodic tasks wait error=%s", type(error).__name__)
        finally:
            connection.close()
