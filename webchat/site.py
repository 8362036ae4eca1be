"""The site's mail server, address and time zone: from the environment, else as the owner has entered them.

They are kept in memory, so that no request reads them: each process reads them at its start, whenever it looks for
periodic tasks, and when it saves them.
"""

import datetime
from collections.abc import Callable
from email.utils import formataddr, parseaddr
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from outbound.public_ip import is_loopback
from webchat import business_hours
from webchat.models import SiteSettings


def refresh() -> None:
    SiteSettings.current = SiteSettings.stored()


def has_mail_server() -> bool:
    return bool(settings.EMAIL_HOST or SiteSettings.current.mail_host)


def mail_server() -> dict[str, Any]:
    """Return the options of Django's e-mail backend; none if the environment names the server."""
    return {} if settings.EMAIL_HOST else SiteSettings.current.mail_server


def sender(entered: str = "") -> str:
    """Return who the site's e-mails are from; `entered` is a sender that isn't saved yet."""
    if "EMAIL_FROM" in settings.SET_BY_SERVER:
        return settings.DEFAULT_FROM_EMAIL
    entered = entered or SiteSettings.current.mail_from
    return formataddr(parseaddr(entered)) if entered else f"webchat@{urlsplit(url()).hostname or 'localhost'}"


def url() -> str:
    """Return the URL that visitors open, without a path; "" if nobody has said which."""
    return settings.SITE_URL or SiteSettings.current.url


def url_for(request: HttpRequest) -> str:
    """Return that URL, else the one that this request was sent to."""
    return url() or f"{request.scheme}://{request.get_host()}"


def is_local(address: str) -> bool:
    """Return whether a URL of the site works only on the computer that it runs on."""
    return is_loopback(urlsplit(address).hostname or "")


def time_zone() -> datetime.tzinfo | None:
    """Return the zone to activate; None for settings.TIME_ZONE."""
    name = SiteSettings.current.time_zone
    return business_hours.zone(name) if name and "TIME_ZONE" not in settings.SET_BY_SERVER else None


class TimeZoneMiddleware:
    """Activates the zone for each request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with timezone.override(time_zone()):
            return self.get_response(request)
