"""Reports errors to Sentry or a compatible service: types and locations, nothing a visitor wrote. Needs SENTRY_DSN.

Path not taken: Sentry's Django integration. It reports bodies, cookies and headers of requests unless each is removed,
and adds headers to requests to the bot.
"""

import logging
from typing import Any

import sentry_sdk
from django.core.exceptions import ImproperlyConfigured
from sentry_sdk.integrations.dedupe import DedupeIntegration
from sentry_sdk.integrations.logging import LoggingIntegration
from sentry_sdk.utils import BadDsn

from chatsite.monitoring import logs

Event = dict[str, Any]

# Fields of an event that are sent; everything else is dropped.
KEPT = ("event_id", "timestamp", "level", "logger", "platform", "release", "environment", "sdk")


def start(dsn: str, environment: str) -> None:
    try:
        sentry_sdk.init(
            dsn,
            environment=environment,
            default_integrations=False,
            auto_enabling_integrations=False,
            integrations=[LoggingIntegration(level=None, event_level=logging.ERROR), DedupeIntegration()],
            before_send=_scrub,
            include_local_variables=False,
            include_source_context=False,
            max_request_body_size="never",
            max_breadcrumbs=0,
            send_default_pii=False,
            server_name="",
        )
    except BadDsn as error:
        raise ImproperlyConfigured(
            "SENTRY_DSN is not the DSN of a Sentry project. Set it to one such as https://key@host/number."
        ) from error


def _scrub(event: Event, hint: dict[str, Any]) -> Event:
    """Return a new event with allowed fields only."""
    record: logging.LogRecord | None = hint.get("log_record")
    fields = {name: str(getattr(record, name)) for name in logs.EXTRA_FIELDS if hasattr(record, name)}
    clean = {name: event[name] for name in KEPT if name in event}
    clean["tags"] = {"request_id": logs.request_id.get(), **fields}
    if record is not None:
        clean["logentry"] = {"message": record.getMessage() if record.name.startswith(OURS) else str(record.msg)}
        clean["fingerprint"] = (
            [record.name, str(record.msg).split()[0], fields.get("code", "")] if fields else ["{{ default }}"]
        )
    raised = hint.get("exc_info")
    if raised and "exception" in event:
        messages = {type(error).__name__: logs.safe_message(error) for error in _chain(raised[1])}
        values = event["exception"].get("values", [])
        clean["exception"] = {"values": [_scrub_exception(value, messages) for value in values]}
    return clean


OURS = ("webchat", "docbot", "outbound", "chatsite", "kiosk", "portal", "desk")


def _chain(error: BaseException | None) -> list[BaseException]:
    found: list[BaseException] = []
    while error is not None and error not in found:
        found.append(error)
        error = error.__cause__ or error.__context__
    return found


def _scrub_exception(value: Event, messages: dict[str, str]) -> Event:
    frames = value.get("stacktrace", {}).get("frames", [])
    places = [{name: frame.get(name) for name in ("filename", "function", "module", "lineno")} for frame in frames]
    return {"type": value.get("type"), "value": messages.get(value.get("type"), ""), "stacktrace": {"frames": places}}
