"""Reads and writes the JSON on the wire: the request's body, and what an answer's body says."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from outbound.public_ip import is_loopback

KEY_HEADER = "X-BOT-API-KEY"
PATH = "/api/public/chat"

# What an upstream may say about its own reply in the optional field `outcome`.
OUTCOMES = ("answered", "not_sure", "not_known")

MAX_CHAT_ID = 512  # characters

# chat-api.md, section 7
CODES = frozenset(
    {
        "INVALID_JSON",
        "MESSAGE_REQUIRED",
        "MISSING_API_KEY",
        "INVALID_API_KEY",
        "BOT_DISABLED",
        "CHAT_NOT_FOUND",
        "BOT_UNAVAILABLE",
        "INTERNAL_ERROR",
    }
)

looks_like_code = re.compile(r"[A-Z][A-Z0-9_]{2,63}").fullmatch
_mentioned_code = re.compile(rf"\b(?:{'|'.join(sorted(CODES))})\b").search
_lone_surrogates = re.compile("[\ud800-\udfff]")

_CODE_FIELDS = ("code", "errorCode", "error_code", "error", "errors", "detail", "type")
_WORD_FIELDS = ("message", "reason", "title", "description")
_ENVELOPES = ("data", "result")


class Unusable(Exception):
    """A body without an answer: not UTF-8, or not JSON."""


@dataclass(frozen=True)
class Number:
    """A JSON number as it was written: a chatId keeps its digits, and no number is too long to be read."""

    text: str

    def __float__(self) -> float:
        return float(self.text)


@dataclass(frozen=True)
class Answer:
    """What a body says, whatever its shape: a refusal (perhaps with a code), a reply, or neither."""

    refused: bool = False
    code: str | None = None
    reply: str = ""
    chat_id: str | None = None
    outcome: str = ""


def is_allowed_url(url: str) -> bool:
    """Allow https, or http to this machine.

    No user-info, query or fragment, nothing that parsers read differently.
    """
    if not url.isprintable() or re.search(r"[\s\\?#@]", url):
        return False
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
        host.encode("idna")
    except ValueError:  # includes UnicodeError
        return False
    if not host or port == 0:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and is_loopback(host))


def clean(text: str) -> str:
    """Return text that every database, browser and encoding takes: without NULs, with U+FFFD for lone surrogates."""
    return _lone_surrogates.sub("\N{REPLACEMENT CHARACTER}", text.replace("\0", ""))


def write_request(message: str, chat_id: str | None) -> bytes:
    body = {"message": clean(message)}
    if chat_id:
        body["chatId"] = chat_id
    return json.dumps(body, ensure_ascii=False).encode()


def read_answer(status: int, body: bytes, reply_field: str = "") -> Answer:
    """Return what an answer says: its code decides, except that a status from 400 is a refusal. Raises Unusable.

    `reply_field` pins the reply's place (a dotted path); without it the known names are tried.
    """
    try:
        content = json.loads(
            body.decode("utf-8-sig"), parse_int=Number, parse_float=Number, parse_constant=Number, strict=False
        )
    except UnicodeDecodeError:
        return _read_text(status, "")
    except (ValueError, RecursionError):
        return _read_text(status, body.decode("utf-8-sig"))
    if isinstance(content, str):
        return _read_text(status, content)
    if not isinstance(content, dict):
        return _read_text(status, "")
    inner = [part for name in _ENVELOPES if isinstance(part := content.get(name), dict)]
    parts = [content, *inner]
    if status >= 400 or _says_error(content) or any(_says_error_inside(part) for part in inner):
        return Answer(refused=True, code=_find_code(parts))
    reply = _pinned_text(content, reply_field) if reply_field else _find_reply(parts)
    outcome = next((part["outcome"] for part in parts if part.get("outcome") in OUTCOMES), "")
    return Answer(reply=reply, chat_id=_find_chat_id(parts), outcome=outcome)


def _read_text(status: int, text: str) -> Answer:
    """Read a body that isn't a JSON object: a bare code, an error page, or nothing that can be used."""
    code = _as_code(text)
    if code in CODES:
        return Answer(refused=True, code=code)
    if not 200 <= status < 300:
        return Answer(refused=True, code=code or _mentioned(text))
    raise Unusable("not a JSON object")


# --- Errors -----------------------------------------------------------------------------------------------------------


def _says_error(part: dict[str, Any]) -> bool:
    return (
        _says_error_inside(part)
        or _is_filled(part.get("detail"))
        or any(_is_error_code(part[name]) for name in ("code", "errorCode", "error_code", "statusCode") if name in part)
        or _is_error_status(part.get("status"))
    )


def _says_error_inside(part: dict[str, Any]) -> bool:
    """Return whether an envelope's content is an error; there, `code` or `detail` may be part of the reply."""
    return _is_filled(part.get("error")) or _is_filled(part.get("errors")) or _is_false(part.get("success"))


def _is_filled(value: Any, depth: int = 8) -> bool:
    """Return whether there is an error: `null`, `false`, 0, "" and containers of only those are none."""
    if not depth:
        return True
    match value:
        case str():
            return bool(value.strip())
        case Number():
            return float(value) != 0
        case dict():
            return any(_is_filled(each, depth - 1) for each in value.values())
        case list():
            return any(_is_filled(each, depth - 1) for each in value)
        case _:
            return bool(value)


def _is_error_code(value: Any) -> bool:
    """Return whether the code means an error: 0, 200, "OK" and "SUCCESS" don't."""
    text = value.text if isinstance(value, Number) else value
    if isinstance(text, str) and re.fullmatch(r"\s*(|0|2\d\d|ok|success)\s*", text, re.IGNORECASE):
        return False
    return _is_filled(value)


def _is_error_status(value: Any) -> bool:
    if isinstance(value, Number):
        return float(value) >= 400
    return isinstance(value, str) and value.strip().lower() in ("error", "fail", "failed")


def _is_false(value: Any) -> bool:
    return (
        value is False
        or (isinstance(value, str) and value.strip().lower() == "false")
        or (isinstance(value, Number) and float(value) == 0)
    )


def _find_code(parts: list[dict[str, Any]]) -> str | None:
    """Return a documented code from the code fields, else what looks like one there, else one from the text."""
    texts = [text for part in parts for text in _texts(part, _CODE_FIELDS)]
    codes = [code for text in texts if (code := _as_code(text))]
    documented = [code for code in codes if code in CODES]
    if documented or codes:
        return (documented or codes)[0]
    words = (text for part in parts for text in _texts(part, _CODE_FIELDS + _WORD_FIELDS))
    return next((code for text in words if (code := _mentioned(text))), None)


def _texts(value: Any, fields: tuple[str, ...], depth: int = 3) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif depth and isinstance(value, dict):
        for name in fields:
            yield from _texts(value.get(name), fields, depth - 1)
    elif depth and isinstance(value, list):
        for each in value[:8]:
            yield from _texts(each, fields, depth - 1)


def _as_code(text: str) -> str | None:
    """Return a documented code in any spelling ("bot-disabled"); an unknown one only in the usual form of codes."""
    text = text.strip()
    documented = text.replace("-", "_").upper()
    if documented in CODES:
        return documented
    return text if looks_like_code(text) else None


def _mentioned(text: str) -> str | None:
    found = _mentioned_code(text[:1000])
    return found.group() if found else None


# --- Replies ----------------------------------------------------------------------------------------------------------


def _find_reply(parts: list[dict[str, Any]]) -> str:
    """Return the first visible text among the usual names of a reply.

    `{"message": "Success", "data": {"text": "Hello"}}`: the names that an envelope uses for itself as well count in
    the envelope last.
    """
    outer, *inner = parts
    for name in ("reply", "answer", "response"):
        for part in parts:
            if text := _visible_text(part.get(name)):
                return text
    for part in (*inner, outer):
        for name in ("message", "text", "content", "output"):
            if text := _visible_text(part.get(name)):
                return text
    return ""


def _pinned_text(content: Any, reply_field: str) -> str:
    for name in reply_field.split("."):
        if isinstance(content, dict):
            content = content.get(name)
        elif isinstance(content, list) and name.isdecimal() and int(name) < len(content):
            content = content[int(name)]
        else:
            return ""
    return _visible_text(content)


def _visible_text(value: Any) -> str:
    """Return the cleaned text, or "" if nothing of it can be seen."""
    if not isinstance(value, str):
        return ""
    text = clean(value)
    return text if any(each.isprintable() and not each.isspace() for each in text) else ""


def _find_chat_id(parts: list[dict[str, Any]]) -> str | None:
    """Return the first chatId unchanged, because it is opaque; none that couldn't be sent back unchanged."""
    for value in (part.get(name) for part in parts for name in ("chatId", "chat_id")):
        text = value.text if isinstance(value, Number) else value
        if isinstance(text, str) and text.strip() and len(text) <= MAX_CHAT_ID and clean(text) == text:
            return text
    return None
