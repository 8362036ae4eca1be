"""What a website's robots.txt lets docbot read (RFC 9309)."""

import re

from protego import Protego

NAME = "docbot"
MOST_BYTES = 500 << 10  # the least that RFC 9309 wants to be read; nobody needs more


def parse(content: bytes) -> Protego:
    text = content[:MOST_BYTES].decode("utf-8", "replace").lstrip("\ufeff")
    # "User-agent: docbot/1.0" is meant for us as well, though only the name belongs there.
    return Protego.parse(re.sub(r"(?im)^([ \t]*user-agent[ \t]*:[ \t]*[^\s/#]+)/[^\s#]*", r"\1", text))


EVERYTHING = parse(b"")
