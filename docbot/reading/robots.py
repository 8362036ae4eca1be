"""What a website's robots.txt lets docbot read (RFC 9309).

Path not taken: urllib.robotparser takes the first rule that fits instead of the longest, and knows no wildcards.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, unquote, urlsplit

NAME = "docbot"
MOST_BYTES = 500 << 10  # the least that RFC 9309 wants to be read; nobody needs more


@dataclass(frozen=True)
class Robots:
    rules: tuple[tuple[str, bool], ...] = ()  # path pattern, allowed?
    delay: float = 0.0  # seconds between requests
    sitemaps: tuple[str, ...] = ()

    def allow(self, address: str) -> bool:
        """The longest rule that fits decides; of two as long, the one that allows."""
        parts = urlsplit(address)
        path = _plain(parts.path or "/") + (f"?{_plain(parts.query)}" if parts.query else "")
        fitting = [(len(pattern), allowed) for pattern, allowed in self.rules if _fits(pattern, path)]
        return max(fitting)[1] if fitting else True


EVERYTHING = Robots()
NOTHING = Robots(rules=(("/", False),))


def parse(content: bytes) -> Robots:
    """The rules of the group for docbot, or of the one for everybody."""
    groups: dict[str, list[tuple[str, str]]] = {}
    sitemaps: list[str] = []
    names: list[str] = []
    in_rules = False
    for line in content[:MOST_BYTES].decode("utf-8", "replace").lstrip("\ufeff").splitlines():
        key, colon, value = line.partition("#")[0].partition(":")
        key, value = key.strip().lower(), value.strip()
        if not colon:
            continue
        if key == "sitemap":
            sitemaps.append(value)
        elif key == "user-agent":
            if in_rules:
                names, in_rules = [], False
            names.append(value.lower().partition("/")[0])
            groups.setdefault(names[-1], [])
        elif key in ("allow", "disallow", "crawl-delay"):
            in_rules = True
            for name in names:
                groups[name].append((key, value))
    lines = groups.get(NAME, groups.get("*", []))
    rules = tuple((_plain(value), key == "allow") for key, value in lines if key != "crawl-delay" and value)
    delays = [value for key, value in lines if key == "crawl-delay"]
    return Robots(rules, _seconds(delays[0]) if delays else 0.0, tuple(sitemaps))


def _seconds(value: str) -> float:
    try:
        return max(0.0, min(float(value), 3600.0))
    except ValueError:
        return 0.0


def _plain(path: str) -> str:
    """The same path in one way of writing, whatever was escaped in it."""
    return quote(unquote(path, errors="surrogateescape"), safe="/*$?&=%+,;:@!~'()", errors="surrogateescape")


def _fits(pattern: str, path: str) -> bool:
    """`*` is anything, a `$` at the end is the end. Without regular expressions, which a hostile pattern slows down."""
    whole = pattern.endswith("$")
    first, *others = pattern.removesuffix("$").split("*")
    if not path.startswith(first):
        return False
    place = len(first)
    for number, part in enumerate(others):
        if whole and number == len(others) - 1:
            return len(path) - len(part) >= place and path.endswith(part)
        place = path.find(part, place)
        if place < 0:
            return False
        place += len(part)
    return not whole or place == len(path)
