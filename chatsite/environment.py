"""Reads settings from environment variables; invalid values raise an error that says what to do."""

import os
import re
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.core.exceptions import ImproperlyConfigured

TRUE = {"1", "true", "yes", "on"}
FALSE = {"0", "false", "no", "off", ""}

# The hosts that Django accepts.
_ORIGIN = re.compile(r"(?P<scheme>https?)://(?P<host>[a-z0-9.-]+|\[[0-9a-f]*:[0-9a-f.:]+\])(:(?P<port>\d{1,5}))?")


def text(name: str, default: str = "") -> str:
    """Return the variable without surrounding white space; an empty one counts as not set."""
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
    """Return a number from `least` to `most`, an integer if the default is one."""
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


def one_of(name: str, default: str, choices: tuple[str, ...]) -> str:
    """Return one of the choices, ignoring case."""
    value = text(name, default).upper()
    if value not in choices:
        raise ImproperlyConfigured(f"{name} is {value!r}. Set it to one of {', '.join(choices)}.")
    return value


def time_zone(name: str, default: str) -> str:
    """Return the name of a time zone, as the system's time zone database has it."""
    value = text(name, default)
    try:
        ZoneInfo(value)
    except (ValueError, OSError, ZoneInfoNotFoundError) as error:
        raise ImproperlyConfigured(f"{name} is {value!r}. Set it to a time zone such as Europe/Berlin.") from error
    return value


def items(name: str) -> list[str]:
    """Return a comma-separated list."""
    return [word.strip() for word in os.environ.get(name, "").split(",") if word.strip()]


def networks(name: str, default: str) -> list[IPv4Network | IPv6Network]:
    """Return a comma-separated list of IP addresses and networks."""
    found = []
    for word in text(name, default).split(","):
        try:
            found += [ip_network(word.strip(), strict=False)] if word.strip() else []
        except ValueError as error:
            raise ImproperlyConfigured(
                f"{name} holds {word.strip()!r}. "
                "Set it to IP addresses or networks such as 10.0.0.0/8, separated by commas."
            ) from error
    return found


def folder(name: str, default: Path) -> Path:
    return Path(text(name, str(default))).expanduser().resolve()


def origin(name: str) -> str:
    """Return `https://host[:port]` as browsers write it, without a path, or "" if the variable isn't set."""
    value = text(name)
    if not value:
        return ""
    match = _ORIGIN.fullmatch(value.rstrip("/").lower())
    if not match or not 0 < int(match["port"] or 1) <= 65535:
        raise ImproperlyConfigured(
            f"{name} is {value!r}. "
            "Set it to the address that visitors open, such as https://chat.example.com, without a path."
        )
    default_port = {"http": "80", "https": "443"}[match["scheme"]]
    port = f":{match['port']}" if match["port"] not in (None, default_port) else ""
    return f"{match['scheme']}://{match['host']}{port}"


class MailServer(NamedTuple):
    """The mail server; `host` is "" if there is none."""

    host: str = ""
    port: int = 25
    user: str = ""
    password: str = ""
    starttls: bool = False
    tls: bool = False


_MAIL_PORTS = {"smtp": 587, "smtps": 465, "smtp+plain": 25}


def mail_server(name: str) -> MailServer:
    """Parse `smtp://user:password@host:port` (STARTTLS), `smtps://…` (TLS) or `smtp+plain://…` (neither)."""
    value = text(name)
    if not value:
        return MailServer()
    try:
        parts = urlsplit(value)
        port = parts.port or _MAIL_PORTS[parts.scheme]
        usable = parts.hostname and not (parts.path.strip("/") or parts.query or parts.fragment)
    except (KeyError, ValueError):
        usable = False
    if not usable:
        raise ImproperlyConfigured(  # without its value, which holds a password
            f"{name} is not the address of a mail server. Set it to one such as "
            "smtp://user:password@mail.example.com:587, or smtps://… for port 465."
        )
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return MailServer(parts.hostname, port, user, password, parts.scheme == "smtp", parts.scheme == "smtps")
