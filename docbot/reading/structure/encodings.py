"""Bytes to text, whatever encoding they are in."""

import codecs
import re

from docbot.reading import Unreadable

MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
USUAL = ("cp1252", "cp1250", "cp1251")
TURKISH = re.compile("[ðþý][a-zçöü]*[ðþý]", re.I)  # what ğ, ş and ı of cp1254 look like in cp1252
CLOSE = 0.1  # of charset-normalizer's measure of disorder
GUESSED_FROM = 200_000  # bytes: enough to tell an encoding by, and a guess costs time


def decode(content: bytes) -> str:
    """Decode UTF-8, what the byte order mark says, or what it looks like. Raises Unreadable."""
    for mark, encoding in MARKS:
        if content.startswith(mark):
            return _clean(content.decode(encoding, "replace"))
    unmarked = _utf16_without_mark(content)
    if unmarked:
        return _clean(content.decode(unmarked, "replace"))
    if b"\x00" in content:
        raise Unreadable("it holds binary data, not text")
    try:
        return _clean(content.decode("utf-8"))
    except UnicodeDecodeError:
        return _clean(_guessed(content))


def _utf16_without_mark(content: bytes) -> str:
    """Detect UTF-16 without a mark: in Latin text every other byte is NUL."""
    head = content[:2000]
    if len(head) < 4:
        return ""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    if odd > half * 0.6 and even < half * 0.05:
        return "utf-16-le"
    return "utf-16-be" if even > half * 0.6 and odd < half * 0.05 else ""


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


def _clean(text: str) -> str:
    """Remove NULs, which PostgreSQL can't store, and use one kind of line end."""
    return text.replace("\x00", "").replace("\r\n", "\n").replace("\r", "\n")
