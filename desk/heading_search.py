"""Finds questions for the search on the widget's home: headings of the trained bot that answers for the bot."""

from desk import trained_bots
from docbot.answering.quoting import label
from docbot.content import QUESTION_MARKS
from docbot.models import Passage
from webchat.models import Bot

MOST_FOUND = 5
MOST_PASSAGES = 3000  # looked at


def find(bot: Bot, words: str) -> list[str] | None:
    """Return headings that contain all of the words, questions first; None if no trained bot answers for the bot."""
    trained = trained_bots.answering_for(bot)
    if trained is None:
        return None
    if not words.strip():
        return []
    passages = Passage.objects.filter(document__trained_bot=trained).exclude(heading="").order_by("pk")
    rows = passages.values_list("document__title", "heading")[:MOST_PASSAGES]
    asked = dict.fromkeys(label(title, heading) for title, heading in rows)
    wanted = words.casefold().split()
    fitting = [each for each in asked if each and all(word in each.casefold() for word in wanted)]
    return sorted(fitting, key=lambda each: not each.endswith(QUESTION_MARKS))[:MOST_FOUND]
