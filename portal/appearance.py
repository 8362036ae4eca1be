"""Chooses whose logo and colours the portal's own pages have."""

from django.conf import settings

from webchat.models import Bot, Surface


def portal_bot() -> Bot | None:
    """Return the bot of the start page if customers may use it, else the first one that they may use."""
    bots = Bot.objects.on(Surface.PORTAL)
    return bots.filter(slug=settings.DEFAULT_BOT).first() or bots.first()
