"""The steps of the set-up: their order, which of them are done, and the words that it fills in after a training."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from desk import trained_bots
from desk.models import TriedBot
from docbot.models import Document, TrainedBot
from webchat.models import Bot

TITLES = {
    "answers": _("What it answers from"),
    "look": _("Name and look"),
    "try": _("Try it"),
    "place": _("Put it to use"),
}
FIRST_NAME = "Help"  # of a new site's bot, until its owner gives it another one
MOST_TITLES = 4  # of documents, named as what the bot can help with
LONGEST_TITLE = 40  # characters


@dataclass(frozen=True)
class Step:
    name: str
    title: str
    url: str
    is_done: bool


def steps_of(bot: Bot) -> list[Step]:
    done = {
        "answers": has_answers(bot),
        "look": bool(bot.accent or bot.face or bot.logo or bot.name != FIRST_NAME),
        "try": bot.conversations.exists() or TriedBot.objects.filter(bot=bot).exists(),
        "place": bool(bot.origins),
    }
    return [Step(name, title, url_of(bot, name), done[name]) for name, title in TITLES.items()]


def url_of(bot: Bot, step: str) -> str:
    return reverse(f"admin:setup_{step}", args=[bot.slug])


def after(bot: Bot, step: str) -> str:
    """Return the URL of the next step; after the last one, of the desk."""
    names = list(TITLES)
    following = names[names.index(step) + 1 :]
    return url_of(bot, following[0]) if following else reverse("admin:index")


def has_answers(bot: Bot) -> bool:
    """Return whether the bot answers from something of its owner's that can be read, not from this site's manual."""
    trained = trained_bots.answering_for(bot)
    if trained is None:
        return bool(bot.base_url or bot.sealed_key)
    return trained.documents.filter(problem="").exclude(pk__in=trained_bots.manual_of(trained)).exists()


def topics_of(trained: TrainedBot) -> str:
    """Return titles of documents that could be read, as what the bot can help with; "" for a single one."""
    documents = trained.documents.exclude(kind=Document.Kind.TAUGHT).exclude(title="").order_by("pk")
    titles = [each for each in documents.values_list("title", flat=True)[:MOST_TITLES] if len(each) <= LONGEST_TITLE]
    return ", ".join(dict.fromkeys(titles)) if len(titles) > 1 else ""


def suggest_texts(trained_bot: TrainedBot, **kwargs: object) -> None:
    """Fill in suggested questions and topics once a bot has its first documents, also after the set-up went on."""
    run = trained_bot.runs.first()
    added = sum(change["number"] for change in run.changes if change["what"] == "added") if run else 0
    documents = trained_bot.documents.exclude(kind=Document.Kind.TAUGHT).exclude(trained_at=None)
    if not added or added < documents.count() or trained_bots.manual_of(trained_bot).exists():
        return
    questions = "\n".join(trained_bots.suggest_questions(trained_bot))
    proposed = {"suggestions": questions, "can_help": topics_of(trained_bot)}
    for bot in Bot.objects.filter(base_url=""):
        if trained_bots.answering_for(bot) == trained_bot:
            for name, words in proposed.items():
                Bot.objects.filter(pk=bot.pk, **{name: ""}).update(**{name: words})
