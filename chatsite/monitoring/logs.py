"""Log formatters for text and JSON, with the request's id and without anything that a visitor wrote."""

import logging
import re
import time
import traceback
from contextvars import ContextVar
from types import TracebackType

from pythonjsonlogger.json import JsonFormatter

# The id of the request that this thread answers; "" outside of one.
request_id: ContextVar[str] = ContextVar("request_id", default="")

# The fields of `extra` that are logged; Django also puts the whole request there.
EXTRA_FIELDS = ("bot", "turn", "code", "attempt", "requests", "ms")

SECRET_PARTS = {"token", "code"}  # of a path, as the routes name them
UNKNOWN_PATH = "url"  # the name that the desk's last route gives to whatever it matches
_AFTER_THE_FIRST_PART = re.compile(r"(?<=[^/]/).+")

# Exceptions whose messages come from the system or its owner. Others may quote a visitor: a database error quotes
# a row.
SAFE_TYPES = ("OperationalError", "ImproperlyConfigured", "ImportError", "ModuleNotFoundError")

Raised = tuple[type[BaseException], BaseException, TracebackType | None]


def safe_message(error: BaseException) -> str:
    """Return the error's message if it can't quote a visitor, else ""."""
    if isinstance(error, OSError) and error.errno is not None:
        return f"{error.strerror}"
    if type(error).__name__ in SAFE_TYPES:
        return " ".join(str(error).split())[:300]
    return ""


def safe_traceback(error: BaseException) -> str:
    """Return the traceback, causes included, with safe messages only."""
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    before = f"{safe_traceback(cause)}\n\nwhich led to:\n\n" if cause else ""
    frames = "".join(traceback.format_tb(error.__traceback__))
    words = safe_message(error)
    return f"{before}{frames}{type(error).__name__}{f': {words}' if words else ''}"


def message_of(record: logging.LogRecord) -> str:
    """Return the message; where it names a request's path, without the token of a link that may still work."""
    message, request = record.getMessage(), getattr(record, "request", None)
    if not hasattr(request, "resolver_match"):
        return message
    named = request.resolver_match.kwargs if request.resolver_match else {UNKNOWN_PATH: ""}
    path = request.path.encode("unicode_escape").decode()  # as Django logs it
    if UNKNOWN_PATH in named:  # perhaps a link with more or less than belongs to it
        return message.replace(path, _AFTER_THE_FIRST_PART.sub("…", path))
    for name in SECRET_PARTS & named.keys():
        message = message.replace(str(named[name]).encode("unicode_escape").decode(), "…")
    return message


class LineFormatter(logging.Formatter):
    """Formats a record as text."""

    converter = time.gmtime

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:
        named = request_id.get()
        record.exc_text = None  # cached by another handler, may quote a visitor
        record.message = message_of(record)
        return super().formatMessage(record) + (f" request={named}" if named else "")

    def formatException(self, raised: Raised) -> str:
        return safe_traceback(raised[1])


class JSONFormatter(JsonFormatter):
    """Formats a record as one JSON object a line."""

    converter = time.gmtime

    def process_log_record(self, log_data: dict[str, object]) -> dict[str, object]:
        return {name: value for name, value in log_data.items() if value not in (None, "")}

    def add_fields(
        self, log_data: dict[str, object], record: logging.LogRecord, message_dict: dict[str, object]
    ) -> None:
        log_data |= {
            "time": self.formatTime(record, "%Y-%m-%dT%H:%M:%S") + f".{int(record.msecs):03}Z",
            "level": record.levelname,
            "logger": record.name,
            "message": message_of(record),
            "request_id": request_id.get(),
            **{name: getattr(record, name, None) for name in EXTRA_FIELDS},
        }
        if record.exc_info and record.exc_info[1]:
            log_data |= {"error": record.exc_info[0].__name__, "traceback": safe_traceback(record.exc_info[1])}


def formatter(kind: str) -> logging.Formatter:
    """Return the formatter for a value of LOG_FORMAT."""
    return JSONFormatter() if kind == "JSON" else LineFormatter()
