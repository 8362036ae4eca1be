"""System checks that stop a misconfigured start and say what to do."""

import re

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register

from webchat.notifications import webhooks
from webchat.upstream.wire import is_allowed_url


@register()
def check_upstream(app_configs: object, **kwargs: object) -> list[CheckMessage]:
    """Refuse a base URL that no key may be sent to."""
    url = settings.CHAT_BASE_URL
    if url == settings.IN_PROCESS_URL:
        return []
    if not is_allowed_url(url):
        return [
            Error(
                "CHAT_BASE_URL is not an address that the bot's key may be sent to.",
                hint="Set it to https://…, or to http://127.0.0.1:… for a bot on this machine, "
                "without user name, query or /api/public/chat.",
                id="webchat.E001",
            )
        ]
    if not settings.BOT_API_KEY:
        return [
            Warning(
                "CHAT_BASE_URL is set, BOT_API_KEY is not: bots without a key of their own can't answer.",
                hint="Set BOT_API_KEY to the key from the bot's Settings page.",
                id="webchat.W001",
            )
        ]
    return []


@register()
def check_names(app_configs: object, **kwargs: object) -> list[CheckMessage]:
    messages: list[CheckMessage] = []
    if not re.fullmatch(r"[-a-zA-Z0-9_]{1,50}", settings.DEFAULT_BOT):
        messages.append(
            Error(
                f"DEFAULT_BOT is {settings.DEFAULT_BOT!r}.",
                hint="Set it to the last part of a bot's address /chat/…/: letters, digits, hyphens and underscores.",
                id="webchat.E002",
            )
        )
    if not re.fullmatch(r"(\w+(\.\w+)*)?", settings.CHAT_REPLY_FIELD):
        messages.append(
            Error(
                f"CHAT_REPLY_FIELD is {settings.CHAT_REPLY_FIELD!r}.",
                hint="Set it to the name of the reply's field, with dots for nested ones: data.reply.",
                id="webchat.E003",
            )
        )
    if settings.CHAT_CONNECT_TIMEOUT > settings.CHAT_TIMEOUT:
        messages.append(
            Error(
                "CHAT_CONNECT_TIMEOUT is longer than CHAT_TIMEOUT, which counts in all.",
                hint="Make it the shorter one.",
                id="webchat.E004",
            )
        )
    return messages


@register()
def check_alarms(app_configs: object, **kwargs: object) -> list[CheckMessage]:
    url = settings.ALARM_WEBHOOK_URL
    if not url or (webhooks.is_allowed(url) and settings.ALARM_WEBHOOK_SECRET):
        return []
    return [
        Error(
            "ALARM_WEBHOOK_URL is not an address with https://, or ALARM_WEBHOOK_SECRET is not set.",
            hint="Set both; a secret is made with openssl rand -hex 32.",
            id="webchat.E006",
        )
    ]
