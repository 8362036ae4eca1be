"""Periodic tasks that delete what is no longer needed. How long conversations are kept is a bot's setting."""

import datetime
from importlib import import_module

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from webchat.models import Allowance, Circuit, Conversation

SPARE = datetime.timedelta(hours=1)  # because the clocks of several machines differ


def clean() -> None:
    """Delete expired sessions, counts of past windows, circuits of upstreams that are back, and empty conversations."""
    now = timezone.now()
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
    Allowance.objects.filter(ends_at__lt=now - SPARE).delete()
    Circuit.objects.filter(open_until=None, last_failure_at__lt=now - SPARE).delete()
    Conversation.objects.filter(ended_at__lt=now - SPARE, turns=None, entries=None).delete()


def update_database_statistics() -> None:
    """Let SQLite update its statistics about the tables; PostgreSQL does so by itself.

    In a transaction, which waits for other writers; otherwise SQLite fails at once while somebody writes.
    """
    if connection.vendor == "sqlite":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("PRAGMA analysis_limit = 400")
            cursor.execute("PRAGMA optimize")
