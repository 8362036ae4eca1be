"""Periodic tasks that delete what nobody will ask for again. How long conversations are kept is a bot's setting."""

import datetime
from importlib import import_module

from django.conf import settings
from django.db import connection
from django.utils import timezone

from webchat.models import Allowance, Circuit, Conversation

SPARE = datetime.timedelta(hours=1)  # the clocks of several machines differ


def clean() -> None:
    """Expired sessions, counts of windows that are over, upstreams that have long been back, empty conversations."""
    now = timezone.now()
    import_module(settings.SESSION_ENGINE).SessionStore.clear_expired()
    Allowance.objects.filter(ends_at__lt=now - SPARE).delete()
    Circuit.objects.filter(open_until=None, last_failure_at__lt=now - SPARE).delete()
    Conversation.objects.filter(ended_at__lt=now - SPARE, turns=None).delete()


def look_after_the_database() -> None:
    """SQLite learns from time to time how its tables have grown; PostgreSQL does so by itself."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA analysis_limit = 400")
            cursor.execute("PRAGMA optimize")
