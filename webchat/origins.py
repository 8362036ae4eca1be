"""Which sites may show a bot in a frame: lines such as `https://www.example.com` or `https://*.example.com`."""

import re
from urllib.parse import SplitResult, urlsplit

_ENTRY = re.compile(r"https?://(\*\.)?[a-z0-9]([-a-z0-9.]*[a-z0-9])?(:[0-9]{1,5})?")


def parse(text: str) -> list[str]:
    """Return the origins, one a line, in lower case, with https:// if they have neither.

    Raises ValueError with the first line that isn't one.
    """
    origins = []
    for line in text.splitlines():
        entry = line.strip().rstrip("/").lower()
        if not entry:
            continue
        if "://" not in entry and "." in entry:
            entry = f"https://{entry}"
        if not _ENTRY.fullmatch(entry):
            raise ValueError(line.strip())
        origins.append(entry)
    return origins


def parts_of(url: str) -> SplitResult:
    """Split a URL that a browser sent; one that can't be read has no parts."""
    try:
        return urlsplit(url)
    except ValueError:
        return urlsplit("")


def allows(origins: list[str], origin: str) -> bool:
    """Return whether pages of `origin` may frame, as browsers read `frame-ancestors` (CSP level 3, section 6.7.2.8)."""
    return any(_matches(entry, origin.lower()) for entry in origins)


def _matches(entry: str, origin: str) -> bool:
    allowed, asked = urlsplit(entry.replace("*.", "any.", 1)), parts_of(origin)
    if (allowed.scheme, _port(allowed)) != (asked.scheme, _port(asked)):
        return False
    host = asked.hostname or ""
    if "*." in entry:
        return host.endswith(allowed.hostname.removeprefix("any"))
    return host == allowed.hostname


def _port(parts: object) -> int:
    try:
        return parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        return 0
