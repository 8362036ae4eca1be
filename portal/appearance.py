"""What the portal's own pages share: their language, and whose logo and colours they have."""

from collections.abc import Iterable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from webchat import languages
from webchat.conversation.responses import private
from webchat.models import Bot, Surface


def portal_bot(bots: Iterable[Bot] | None = None) -> Bot | None:
    """Return the bot of the start page if customers may use it, else the first one; `bots` are those that they may."""
    bots = Bot.objects.on(Surface.PORTAL) if bots is None else bots
    return min(bots, key=lambda bot: (bot.slug != settings.DEFAULT_BOT, bot.pk), default=None)


def page(request: HttpRequest, template: str, context: dict[str, object], status: int = 200) -> HttpResponse:
    languages.activate_language(request)
    response = private(TemplateResponse(request, template, context, status=status))
    languages.remember(request, response)
    return response
