"""Logs failed sign-ins, without the password, and without an unknown name, which may be a password."""

import logging
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.auth.signals import user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest

from webchat.limits.client_ip import origin_of

logger = logging.getLogger(__name__)


@receiver(user_login_failed)
def _log(sender: object, credentials: dict[str, Any], request: HttpRequest | None = None, **kwargs: object) -> None:
    name = credentials.get("username") or ""
    known = get_user_model().objects.filter(username=name).exists()
    origin = origin_of(request) if request else None
    logger.warning("sign-in failed account=%s from=%s", name if known else "unknown", origin or "unknown")
