"""Whose logo and colours the portal's own pages have."""

from django.conf import settings

from webchat.models import Bot, Surface


def portal_bot() -> Bot | None:
    """The bot of the site's first page if customers may use it, else the first that they may."""
    bots = Bot.objects.on(Surface.PORTAL)
    return bots.filter(slug=settings.DEFAULT_BOT).first() or bots.first()
