"""Template filters of the dashboard."""

from django import template
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.utils.module_loading import import_string

from docbot.dashboard import reasons
from docbot.models import Exchange, TrainedBot

register = template.Library()
register.filter("reason", reasons.translated)


@register.filter
def reply(text: str) -> str:
    return import_string(settings.DOCBOT_REPLY_RENDERER)(text)


@register.filter
def shown_in(location: str, bot: TrainedBot) -> str:
    return bot.shown_location(location)


@register.filter
def certainty(value: str) -> str:
    return Exchange.Certainty(value).label


@register.simple_tag
def integrity(name: str) -> str:
    """Return the integrity hash of a static file, if the storage provides it."""
    known = getattr(staticfiles_storage, "integrity", None)
    return known(name) if known else ""
