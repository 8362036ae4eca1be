"""Fetches web pages within limits of time and size, and only from public addresses unless private ones are allowed."""

from __future__ import annotations

import re
import socket
import ssl
from dataclasses import dataclass
from email.message import Message

import requests
from django.conf import settings

from docbot.reading import Unreadable
from outbound import http
from outbound.deadline import Deadline
from outbound.sockets import PrivateIP

CONNECT_SECONDS = 10
UNWANTED = re.compile(r"(?:^|,)\s*(?:docbot:\s*)?(?:noindex|none)\b")
NEVER_READ = ("image/", "audio/", "video/", "font/")
TEXT = ("text/", "application/xhtml")
WHAT_WE_READ = "text/html,application/xhtml+xml,application/pdf,text/plain,text/markdown;q=0.9,*/*;q=0.5"


@dataclass(frozen=True)
class Fetched:
    """A response; `content` is empty unless the status is 200, and for images, audio, video and fonts."""

    status: int
    content: bytes = b""
    kind: str = ""  # media type in lower case
    charset: str = ""
    location: str = ""  # where a redirect leads
    retry_after: float = 0.0  # seconds
    may_read: bool = True  # by its X-Robots-Tag


def fetch(url: str) -> Fetched:
    """Fetch a page, without cookies, redirects or proxies from the environment, or raise Unreadable."""
    headers = {
        "User-Agent": f"docbot (+{settings.SITE_URL})" if settings.SITE_URL else "docbot",
        "Accept": WHAT_WE_READ,
        "Accept-Encoding": "gzip",
    }
    deadline, most_bytes = Deadline(settings.DOCBOT_PAGE_SECONDS), settings.DOCBOT_FILE_MAX_MB << 20
    only_public = not settings.DOCBOT_ALLOW_PRIVATE
    session = http.Session(deadline, connect_seconds=CONNECT_SECONDS, most_bytes=most_bytes, only_public=only_public)
    try:
        with session.get(url, headers=headers, stream=True, allow_redirects=False) as response:
            return _fetched(response, most_bytes)
    except http.OutboundError as error:
        raise _reason(error, deadline) from error
    except ValueError as error:  # requests raises them for invalid URLs
        raise Unreadable("it is not a valid address") from error


def _fetched(response: requests.Response, most_bytes: int) -> Fetched:
    headers = response.headers
    said = Message()
    said["Content-Type"] = headers.get("Content-Type", "")
    kind = said.get_content_type()
    is_wanted = response.status_code == 200 and not kind.startswith(NEVER_READ)
    return Fetched(
        response.status_code,
        http.read_body(response, most_bytes) if is_wanted else b"",
        kind,
        said.get_content_charset("") if kind.startswith(TEXT) else "",
        headers.get("Location", ""),
        _seconds(headers.get("Retry-After", "")),
        not UNWANTED.search(headers.get("X-Robots-Tag", "").lower()),
    )


def _reason(error: http.OutboundError, deadline: Deadline) -> Unreadable:
    """Return the reason for an error, without anything that was sent."""
    if isinstance(error, http.Unreadable):
        return Unreadable("its answer can’t be used", error)
    if not deadline.seconds_left():
        return Unreadable("it doesn’t answer in time", f"DOCBOT_PAGE_SECONDS: {settings.DOCBOT_PAGE_SECONDS:g}")
    match error.__cause__:
        case PrivateIP() as private:
            return Unreadable("its address is private", f"{private}: DOCBOT_ALLOW_PRIVATE")
        case ssl.SSLCertVerificationError():
            return Unreadable("its certificate is not valid")
        case ssl.SSLError():
            return Unreadable("it doesn’t offer https: try http://")
        case socket.gaierror():
            return Unreadable("there is no such host")
        case TimeoutError():
            return Unreadable("it doesn’t answer in time")
    return Unreadable("its answer breaks off") if error.sent else Unreadable("it can’t be reached")


def _seconds(value: str) -> float:
    return float(min(int(value), 3600)) if value.isdecimal() and len(value) < 8 else 0.0
