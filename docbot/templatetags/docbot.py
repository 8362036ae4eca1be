"""Template filters of the dashboard."""

from django import template
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.utils.module_loading import import_string

from docbot.dashboard import reasons
from docbot.models import TrainedBot

register = template.Library()
register.filter("reason", reasons.translated)


@register.filter
def reply(text: str) -> str:
    return import_string(settings.DOCBOT_REPLY_RENDERER)(text)


@register.filter
def shown_in(location: str, bot: TrainedBot) -> str:
    return bot.shown_location(location)


@register.simple_tag
def integrity(name: str) -> str:
    """Return the integrity hash of a static file, if the storage provides it."""
    known = getattr(staticfiles_storage, "integrity", None)
    return known(name) if known else ""
