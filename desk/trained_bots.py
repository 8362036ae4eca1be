"""Which of docbot's trained bots answers for a bot of this site: only the desk knows both."""

from collections.abc import Iterable
from itertools import chain, count

from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from docbot.content import QUESTION_MARKS
from docbot.endpoint import keys
from docbot.models import Document, Passage, TrainedBot
from docbot.reading import folders
from webchat import encryption
from webchat.models import Bot

QUESTIONS = 3  # suggested at a time
LONGEST_QUESTION = 60  # characters that fit on a button
MOST_PASSAGES = 2000  # looked at for questions


def is_possible() -> bool:
    """Return whether trained bots can answer here: only if docbot is the site's service, so that no other gets keys."""
    return settings.CHAT_BASE_URL == settings.IN_PROCESS_URL


def available() -> QuerySet[TrainedBot]:
    """Return the trained bots that can answer here."""
    return TrainedBot.objects.all() if is_possible() else TrainedBot.objects.none()


def of_the_site() -> TrainedBot | None:
    """Return the one that answers for bots with neither a URL nor a key of their own."""
    key = keys.find(settings.IN_PROCESS_KEY) if available().exists() else None
    return key.trained_bot if key else None


def answering_for(bot: Bot) -> TrainedBot | None:
    """Return the one that answers for the bot, or None if another service does."""
    if bot.base_url or bot.pk is None:
        return None
    if not bot.sealed_key:
        return of_the_site()
    try:
        key = keys.find(encryption.unseal(bot.sealed_key))
    except encryption.CannotUnseal:
        return None
    return key.trained_bot if key and key.trained_bot in available() else None


def answering(bots: Iterable[Bot]) -> dict[int, int]:
    """Return which trained bot answers for each of the bots, by primary keys, in one statement."""
    if not is_possible():
        return {}
    sent = {
        bot.pk: encryption.unseal_or_empty(bot.sealed_key) if bot.sealed_key else settings.IN_PROCESS_KEY
        for bot in bots
        if not bot.base_url
    }
    trained = keys.bots_of(set(sent.values()) - {""})
    return {pk: trained[key] for pk, key in sent.items() if key in trained}


def with_counts(bots: Iterable[Bot]) -> dict[int, TrainedBot]:
    """Return the trained bot that answers for each of the bots, by the bots' primary keys, in two statements."""
    of_bots = answering(bots)
    trained = TrainedBot.objects.with_counts().in_bulk(set(of_bots.values()))
    return {pk: trained[key] for pk, key in of_bots.items()}


def answered_by(trained: TrainedBot, last: int | None = None) -> Bot | None:
    """Return the bot that it answers for.

    Of several the last one viewed, or the one with the same slug, or the first.
    """
    bots = sorted(Bot.objects.filter(base_url=""), key=lambda bot: (bot.pk != last, bot.slug != trained.slug))
    return next((bot for bot in bots if answering_for(bot) == trained), None)


def make_for(bot: Bot) -> TrainedBot:
    """Make a trained bot with the bot's name, and its slug or the next free one."""
    taken = set(TrainedBot.objects.values_list("slug", flat=True))
    slugs = chain([bot.slug], (f"{bot.slug}-{number}" for number in count(2)))
    slug = next(slug for slug in slugs if slug not in taken)
    return TrainedBot.objects.create(slug=slug, name=bot.name)


def rename(bot: Bot, former: str) -> None:
    """Give the trained bot that answers for the bot its new name, unless it had a name of its own."""
    trained = answering_for(bot)
    if trained and trained.name == former:
        TrainedBot.objects.filter(pk=trained.pk).update(name=bot.name)


def link(bot: Bot, trained: TrainedBot) -> None:
    """Let the trained bot answer for the bot, with a key that nobody sees. The caller saves the bot."""
    bot.base_url = ""
    bot.set_key(keys.issue(trained, _("The bot %(bot)s") % {"bot": bot.slug})[1])


def manual_of(trained: TrainedBot) -> QuerySet[Document]:
    """Return the pages of this site's own manual that the bot was trained on, as the demo."""
    return trained.documents.filter(origin=folders.location_of(settings.MANUAL))


def suggest_questions(trained: TrainedBot, most: int = QUESTIONS) -> list[str]:
    """Return headings of the bot's documents that fit on a button, of different documents if possible.

    Questions come first, single words last. "1. The contract", a heading with a number, is none that anybody asks for.
    """
    passages = Passage.objects.filter(document__trained_bot=trained).exclude(heading="").order_by("position", "pk")
    rows = passages.values_list("document", "document__title", "heading")[:MOST_PASSAGES]
    fitting = [
        (document, heading)
        for document, title, heading in dict.fromkeys(rows)
        if len(heading) <= LONGEST_QUESTION and heading != title and not heading[0].isdigit()
    ]
    fitting.sort(key=lambda row: _rank(row[1]))
    chosen: dict[int, str] = {}
    for document, heading in fitting:
        chosen.setdefault(document, heading)
    rest = [heading for _document, heading in fitting]
    once = dict.fromkeys([*chosen.values(), *rest])
    return sorted(once, key=_rank)[:most]


def _rank(heading: str) -> int:
    """Return how far down the list the heading goes. Some languages write a question without a space."""
    if heading.endswith(QUESTION_MARKS):
        return 0
    return 1 if len(heading.split()) > 1 else 2
