"""The search on the widget's home, in what the bot knows, if the site can look into it. The upstream is not asked."""

from django.conf import settings
from django.http import HttpRequest
from django.utils.module_loading import import_string

from webchat.limits import rates
from webchat.limits.client_ip import origin_of
from webchat.models import Bot

LONGEST = 100  # characters
MOST, SECONDS = 60, 60  # searches from one IP address: one for each pause while typing


def is_possible(bot: Bot) -> bool:
    return _find(bot, "") is not None


def search(request: HttpRequest, bot: Bot) -> list[str]:
    """Return questions for the words that the request brings. Raises rates.TooManyMessages."""
    origin = origin_of(request)
    if origin and (wait := rates.count_attempt(f"searches:{origin}", MOST, SECONDS)):
        raise rates.TooManyMessages(wait, is_own=False)
    return _find(bot, request.POST.get("search", "")[:LONGEST]) or []


def _find(bot: Bot, words: str) -> list[str] | None:
    """Return what is found, None where there is no search: a bot that takes no message tells nothing either."""
    return import_string(settings.HEADING_SEARCH)(bot, words) if bot.takes_messages else None
