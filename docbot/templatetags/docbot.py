"""Template filters of the dashboard."""

from django import template
from django.utils.translation import gettext

from docbot.dashboard.pages import translated
from docbot.models import TrainedBot

register = template.Library()
register.filter("reason", translated)


@register.filter
def shown_in(location: str, bot: TrainedBot) -> str:
    """Return where a document is as its owner knows it: of an upload its name, not its place on this server."""
    folder = str(bot.upload_folder)
    return gettext("uploaded files") if location == folder else location.removeprefix(f"{folder}/")
