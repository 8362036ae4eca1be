"""Template filters of the dashboard."""

from django import template

from docbot.dashboard import reasons
from docbot.models import TrainedBot

register = template.Library()
register.filter("reason", reasons.translated)


@register.filter
def shown_in(location: str, bot: TrainedBot) -> str:
    return bot.shown_location(location)
