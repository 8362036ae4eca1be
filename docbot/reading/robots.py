"""Parses robots.txt (RFC 9309)."""

import re

from protego import Protego

NAME = "docbot"
MOST_BYTES = 500 << 10  # the minimum that RFC 9309 demands


def parse(content: bytes) -> Protego:
    text = content[:MOST_BYTES].decode("utf-8", "replace").lstrip("\ufeff")
    # Accept "User-agent: docbot/1.0", although the version doesn't belong there.
    return Protego.parse(re.sub(r"(?im)^([ \t]*user-agent[ \t]*:[ \t]*[^\s/#]+)/[^\s#]*", r"\1", text))


EVERYTHING = parse(b"")
