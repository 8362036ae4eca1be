"""Bytes to text, whatever encoding they are in."""

import codecs
import re

from docbot.reading import Unreadable

MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
USUAL = ("cp1252", "cp1250", "cp1251")
NOT_TEXT = re.compile(r"[\x01-\x08]")
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
    """Decode UTF-8, else the encoding that it looks like. Raises Unreadable."""
    try:
        text = _guessed(content) if b"\x00" in content else content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = _guessed(content)
    # NULs can't be stored by PostgreSQL.
    return text.replace("\x00", "").replace("\r\n", "\n").replace("\r", "\n")


def _guessed(content: bytes) -> str:
    import charset_normalizer

    guesses = charset_normalizer.from_bytes(content[:GUESSED_FROM])
    best = guesses.best()
    if best is None or NOT_TEXT.search(str(best)):
        if b"\x00" in content:
            raise Unreadable("it holds binary data, not text")
        raise Unreadable("it is not text in any known encoding")
    # On little text rare encodings win by a hair over the one that nearly all such files are in.
    close = [guess for guess in guesses if guess.chaos <= best.chaos + CLOSE]
    possible = {name for guess in close for name in (guess.encoding, *guess.could_be_from_charset)}
    encoding = next((name for name in USUAL if name in possible), best.encoding)
    text = content.decode(encoding, "replace")
    return content.decode("cp1254", "replace") if encoding == "cp1252" and TURKISH.search(text) else text
