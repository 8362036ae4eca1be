"""How a line of the log looks, for people or as JSON: with the request's id, and never with a visitor's words."""

import logging
import time
import traceback
from contextvars import ContextVar
from types import TracebackType

from pythonjsonlogger.json import JsonFormatter

# The id of the request that this thread answers; "" outside of one.
request_id: ContextVar[str] = ContextVar("request_id", default="")

# What our own loggers put into `extra`. Django's put the whole request there.
FACTS = ("bot", "turn", "code", "attempt", "requests", "ms")

# Whose words come from the machine or its owner. Others may quote what a visitor wrote: a database that refuses a row
# quotes the row.
SAFE_TYPES = ("OperationalError", "ImproperlyConfigured", "ImportError", "ModuleNotFoundError")

Raised = tuple[type[BaseException], BaseException, TracebackType | None]


def safe_message(error: BaseException) -> str:
    """What may be told of an error beside its type; "" for most of them."""
    if isinstance(error, OSError) and error.errno is not None:
        return f"{error.strerror}"
    if type(error).__name__ in SAFE_TYPES:
        return " ".join(str(error).split())[:300]
    return ""


def safe_traceback(error: BaseException) -> str:
    """A traceback, with those of the errors before it, in which nobody is quoted."""
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    before = f"{safe_traceback(cause)}\n\nwhich led to:\n\n" if cause else ""
    frames = "".join(traceback.format_tb(error.__traceback__))
    words = safe_message(error)
    return f"{before}{frames}{type(error).__name__}{f': {words}' if words else ''}"


class LineFormatter(logging.Formatter):
    """A line for people."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:
        named = request_id.get()
        return super().formatMessage(record) + (f" request={named}" if named else "")

    def formatException(self, raised: Raised) -> str:
        return safe_traceback(raised[1])

    def format(self, record: logging.LogRecord) -> str:
        record.exc_text = None  # another handler's, which may quote
        return super().format(record)


class JSONFormatter(JsonFormatter):
    """An object a line, for what collects logs."""

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
            "message": record.getMessage(),
            "request_id": request_id.get(),
            **{name: getattr(record, name, None) for name in FACTS},
        }
        if record.exc_info and record.exc_info[1]:
            log_data |= {"error": record.exc_info[0].__name__, "traceback": safe_traceback(record.exc_info[1])}


def formatter(kind: str) -> logging.Formatter:
    """For LOG_FORMAT's values."""
    return JSONFormatter() if kind == "JSON" else LineFormatter()
