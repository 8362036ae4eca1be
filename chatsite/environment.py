"""Reads settings from environment variables and refuses odd values with a sentence that says what to do."""

import os
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

TRUE = {"1", "true", "yes", "on"}
FALSE = {"0", "false", "no", "off", ""}


def text(name: str, default: str = "") -> str:
    """The variable without surrounding white space; an empty one counts as not set."""
    return os.environ.get(name, "").strip() or default


def boolean(name: str, default: bool) -> bool:
    value = os.environ.get(name)
    if value is None:
        return default
    if value.strip().lower() in TRUE:
        return True
    if value.strip().lower() in FALSE:
        return False
    raise ImproperlyConfigured(f"{name} is {value!r}. Set it to 1 or 0.")


def number(name: str, default: float, *, least: float, most: float) -> float:
    """A number of `least` to `most`, whole if the default is whole."""
    value = text(name)
    if not value:
        return default
    kind = type(default)
    try:
        result = kind(value)
    except ValueError:
        result = None
    if result is None or not least <= result <= most:
        whole = "a whole number" if kind is int else "a number"
        raise ImproperlyConfigured(f"{name} is {value!r}. Set it to {whole} from {least} to {most}.")
    return result


def words(name: str) -> list[str]:
    """A list separated by commas."""
    return [word.strip() for word in os.environ.get(name, "").split(",") if word.strip()]


def folder(name: str, default: Path) -> Path:
    return Path(text(name, str(default))).expanduser().resolve()


def origin(name: str) -> str:
    """`https://host[:port]` without a path, or "" when the variable isn't set."""
    value = text(name)
    if not value:
        return ""
    parts = urlsplit(value.rstrip("/"))
    try:
        bare = (
            parts.scheme in ("http", "https")
            and parts.hostname
            and f"{parts.scheme}://{parts.netloc}" == value.rstrip("/")
        )
        bare = bare and "@" not in parts.netloc and (parts.port is None or parts.port > 0)
    except ValueError:
        bare = False
    if not bare:
        raise ImproperlyConfigured(
            f"{name} is {value!r}. "
            "Set it to the address that visitors open, such as https://chat.example.com, without a path."
        )
    return value.rstrip("/").lower()
