"""Bytes to text, whatever encoding they are in."""

import codecs
import re

from docbot.reading import Unreadable

MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
USUAL = ("cp1252", "cp1250", "cp1251")
TURKISH = re.compile("[ðþý][a-zçöü]*[ðþý]", re.I)  # what ğ, ş and ı of cp1254 look like in cp1252
CLOSE = 0.1  # of charset-normalizer's measure of disorder
GUESSED_FROM = 200_000  # bytes: enough to tell an encoding by, and a guess costs time


def in_utf8(content: bytes, charset: str) -> bytes:
    """Convert text from this charset to UTF-8 with a byte order mark, if it is in it and has no such mark itself."""
    if not charset or content.startswith(MARKS):
        return content
    try:
        return content.decode(charset).encode("utf-8-sig")
    except (LookupError, UnicodeError):
        return content  # its server says one thing and it is another


def decode(content: bytes) -> str:
    """Decode UTF-8, what the byte order mark says, or what it looks like. Raises Unreadable."""
    encoding = "utf-8-sig"
    if content.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        encoding = "utf-32"
    elif content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    elif b"\x00" in content:
        encoding = _utf16_without_mark(content[:2000])
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        text = _guessed(content)
    # NULs can't be stored by PostgreSQL.
    return text.replace("\x00", "").replace("\r\n", "\n").replace("\r", "\n")


def _utf16_without_mark(head: bytes) -> str:
    """Tell UTF-16 from binary data: in Latin text every other byte is NUL. Raises Unreadable."""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if max(even, odd) > 0.3 * len(head) and min(even, odd) < 0.025 * len(head):
        return "utf-16-le" if odd > even else "utf-16-be"
    raise Unreadable("it holds binary data, not text")


def _guessed(content: bytes) -> str:
    import charset_normalizer

    guesses = charset_normalizer.from_bytes(content[:GUESSED_FROM])
    best = guesses.best()
    if best is None:
        raise Unreadable("it is not text in any known encoding")
    # On little text rare encodings win by a hair over the one that nearly all such files are in.
    close = [guess for guess in guesses if guess.chaos <= best.chaos + CLOSE]
    possible = {name for guess in close for name in (guess.encoding, *guess.could_be_from_charset)}
    encoding = next((name for name in USUAL if name in possible), best.encoding)
    text = content.decode(encoding, "replace")
    return content.decode("cp1254", "replace") if encoding == "cp1252" and TURKISH.search(text) else text
