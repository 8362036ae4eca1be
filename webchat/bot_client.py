"""Builds the HTTP client of a bot's upstream from the bot and the settings."""

from django.conf import settings
from django.utils.module_loading import import_string

from webchat.models import Bot
from webchat.upstream.client import UpstreamClient


def client_for(bot: Bot) -> UpstreamClient:
    adapter = settings.CHAT_ADAPTERS.get(bot.upstream_url)
    return UpstreamClient(
        bot.upstream_url,
        bot.upstream_key,
        reply_field=settings.CHAT_REPLY_FIELD,
        connect_timeout=settings.CHAT_CONNECT_TIMEOUT,
        total_timeout=settings.CHAT_TIMEOUT,
        adapter=import_string(adapter)() if adapter else None,
    )
