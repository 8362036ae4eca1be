"""Keeps in the session when somebody signed in, and when staff was last active at the desk."""

import time

from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest

SIGNED_IN_AT = "signed in at"
_SEEN_AT = "seen at the desk"
_MINUTE = 60  # seconds


def is_idle(request: HttpRequest) -> bool:
    return time.time() - request.session.get(_SEEN_AT, 0) > settings.STAFF_IDLE_MINUTES * _MINUTE


def record_activity(request: HttpRequest) -> None:
    """Record that a team member is active, at most once a minute, because it is a write to the database."""
    if time.time() - request.session.get(_SEEN_AT, 0) > _MINUTE:
        request.session[_SEEN_AT] = int(time.time())


@receiver(user_logged_in)
def _begin(sender: object, request: HttpRequest, **kwargs: object) -> None:
    request.session[SIGNED_IN_AT] = request.session[_SEEN_AT] = int(time.time())
