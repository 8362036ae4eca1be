"""URLs of a bot's pages at the desk."""

from webchat.models import Bot

LIST = "/admin/webchat/bot/"
TABS = ("change/", "answers/", "look/", "places/", "people/", "limits/", "service/")


def url(bot: Bot, rest: str = "change/") -> str:
    return f"{LIST}{bot.pk}/{rest}"
