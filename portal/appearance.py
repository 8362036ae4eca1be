"""Chooses whose logo and colours the portal's own pages have."""

from collections.abc import Iterable

from django.conf import settings

from webchat.models import Bot, Surface


def portal_bot(bots: Iterable[Bot] | None = None) -> Bot | None:
    """Return the bot of the start page if customers may use it, else the first one; `bots` are those that they may."""
    bots = Bot.objects.on(Surface.PORTAL) if bots is None else bots
    return min(bots, key=lambda bot: (bot.slug != settings.DEFAULT_BOT, bot.pk), default=None)
