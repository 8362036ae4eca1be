"""What a bot's overview says of each of its tabs, in a sentence, with the link there."""

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from desk import trained_bots
from desk.admin.bot_pages import ANSWERS
from desk.bot_tabs import SETTINGS
from desk.overview.cards import Item, Link, counted
from docbot.models import TrainedBot
from webchat.models import Bot, BotWords


def summaries_of(request: HttpRequest, bot: Bot) -> list[Item]:
    look, places, people, limits, service = (Link(str(tab.title), tab.url(bot)) for tab in SETTINGS)
    items = [
        _answers(bot),
        Item(_look(bot), links=[look]),
        *_words(bot, look),
        Item(_places(bot), links=[places]),
        Item(_people(bot), links=[people]),
        Item(_limits(bot), links=[limits]),
        _service(bot, service),
    ]
    if request.user.has_perm("webchat.view_conversation"):
        conversations = f"{reverse('admin:webchat_conversation_changelist')}?bot={bot.slug}"
        number = bot.conversations.count()
        items.append(Item(counted(number, "conversation"), links=[Link("Conversations", conversations)]))
    return items


def _answers(bot: Bot) -> Item:
    links = [Link("Answers", reverse(f"admin:{ANSWERS}", args=[bot.pk]))]
    trained = trained_bots.answering_for(bot)
    if trained is None:
        return Item("A service answers, from what it knows.", links=links)
    with_counts = TrainedBot.objects.with_counts().get(pk=trained.pk)
    text = f"The trained bot “{trained}” answers, from {counted(with_counts.document_count, 'document')}."
    return Item(text, links=links, level="" if with_counts.document_count else "warn")


def _look(bot: Bot) -> str:
    missing = [
        name for name, value in (("colour", bot.accent), ("face", bot.face), ("greeting", bot.greeting)) if not value
    ]
    questions = counted(len(bot.suggested_questions), "suggested question")
    return (
        f"{questions}; no {' or '.join(missing)} of its own." if missing else f"Its own colour and face; {questions}."
    )


def _words(bot: Bot, look: Link) -> list[Item]:
    """Say what the owner has not written yet, in languages that they have chosen."""
    names, written = dict(settings.LANGUAGES), {each.language: each for each in bot.translations.all()}
    missing = {code: len((written.get(code) or BotWords(bot=bot)).missing()) for code in bot.more_languages}
    said = ", ".join(f"{names[code]} {number}" for code, number in missing.items() if number)
    return [Item(f"Texts that are missing in a language: {said}.", links=[look], level="warn")] if said else []


def _places(bot: Bot) -> str:
    websites = counted(len(bot.allowed_origins), "website")
    kiosks = bot.kiosks.count()
    on_kiosks = f", on {counted(kiosks, 'kiosk')}" if kiosks else ""
    return f"On its page, on {websites}{on_kiosks}{' and in the portal' if bot.in_portal else ''}."


def _people(bot: Bot) -> str:
    hours = "Open by its hours" if bot.hours.strip() else "Always open"
    who = "people answer in the inbox" if bot.people_answer else "nobody answers in person"
    return f"{'Closed' if bot.closed else hours}; {who}{', requests come by e-mail' if bot.handover else ''}."


def _limits(bot: Bot) -> str:
    budget = f"At most {counted(bot.daily_budget, 'message')} a day" if bot.daily_budget else "No daily limit"
    kept = f"for {counted(bot.retention_days, 'day')}" if bot.retention_days else "until you delete them"
    return f"{budget}; conversations are kept {kept}."


def _service(bot: Bot, link: Link) -> Item:
    if not bot.upstream_key:
        return Item("There is no key for its service: nothing can be answered.", links=[link], level="bad")
    return Item(f"It has {'a key of its own' if bot.sealed_key else 'the site’s key'}.", links=[link])
