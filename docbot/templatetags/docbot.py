"""How the dashboard's templates show replies, certainties and scores."""

from django import template
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.utils.module_loading import import_string

from docbot.models import Exchange

register = template.Library()


@register.filter
def reply(text: str) -> str:
    """The Markdown of a reply as its visitors see it, by the renderer that the site names; without one, the text."""
    name = getattr(settings, "DOCBOT_REPLY_RENDERER", "")
    return import_string(name)(text) if name else text


@register.filter
def certainty(value: str) -> str:
    return Exchange.Certainty(value).label


@register.filter
def unlocalized(number: float) -> str:
    """For attributes: a decimal comma is no number to a browser."""
    return f"{number:.3f}"


@register.simple_tag
def integrity(name: str) -> str:
    """The fingerprint of a static file, if the site's storage knows it."""
    known = getattr(staticfiles_storage, "integrity", None)
    return known(name) if known else ""
