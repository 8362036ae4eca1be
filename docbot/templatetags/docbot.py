"""Template filters of the dashboard."""

from django import template

from docbot.dashboard.pages import translated
from docbot.models import TrainedBot

register = template.Library()
register.filter("reason", translated)


@register.filter
def shown_in(location: str, bot: TrainedBot) -> str:
    return bot.shown_location(location)
