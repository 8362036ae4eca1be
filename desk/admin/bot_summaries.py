"""What a bot's overview says of each of its tabs, in a sentence, with the link there."""

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from desk import trained_bots
from desk.admin.bot_pages import ANSWERS
from desk.bot_tabs import SETTINGS
from desk.overview.cards import Item, Link, counted
from docbot.models import TrainedBot
from webchat.models import Bot, BotWords

# What a bot has of its own, by what it lacks: colour, face, greeting.
LOOKS = {
    (False, False, False): gettext_lazy("Its own colour and face."),
    (True, False, False): gettext_lazy("No colour of its own."),
    (False, True, False): gettext_lazy("No face of its own."),
    (False, False, True): gettext_lazy("No greeting of its own."),
    (True, True, False): gettext_lazy("No colour or face of its own."),
    (True, False, True): gettext_lazy("No colour or greeting of its own."),
    (False, True, True): gettext_lazy("No face or greeting of its own."),
    (True, True, True): gettext_lazy("No colour, face or greeting of its own."),
}


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
        text = counted(ngettext("%(number)s conversation", "%(number)s conversations", number), number)
        items.append(Item(text, links=[Link(_("Conversations"), conversations)]))
    return items


def _answers(bot: Bot) -> Item:
    links = [Link(_("Answers"), reverse(f"admin:{ANSWERS}", args=[bot.pk]))]
    trained = trained_bots.answering_for(bot)
    if trained is None:
        return Item(_("A service answers, from what it knows."), links=links)
    with_counts = TrainedBot.objects.with_counts().get(pk=trained.pk)
    number = with_counts.document_count
    sentence = ngettext(
        "The trained bot “%(bot)s” answers, from %(number)s document.",
        "The trained bot “%(bot)s” answers, from %(number)s documents.",
        number,
    )
    return Item(counted(sentence, number, bot=trained), links=links, level="" if number else "warn")


def _look(bot: Bot) -> str:
    """Say what it has of its own, or what it lacks, and how many questions it suggests."""
    lacks = tuple(not value for value in (bot.accent, bot.face, bot.greeting))
    number = len(bot.suggested_questions)
    questions = counted(ngettext("%(number)s suggested question.", "%(number)s suggested questions.", number), number)
    return f"{LOOKS[lacks]} {questions}"


def _words(bot: Bot, look: Link) -> list[Item]:
    """Say what the owner has not written yet, in languages that they have chosen."""
    names, written = dict(settings.LANGUAGES), {each.language: each for each in bot.translations.all()}
    missing = {code: len((written.get(code) or BotWords(bot=bot)).missing()) for code in bot.more_languages}
    said = ", ".join(f"{names[code]} {number}" for code, number in missing.items() if number)
    return (
        [
            Item(
                _("Texts that are missing in a language: %(languages)s.") % {"languages": said},
                links=[look],
                level="warn",
            )
        ]
        if said
        else []
    )


def _places(bot: Bot) -> str:
    websites, kiosks = len(bot.allowed_origins), bot.kiosks.count()
    places = [
        # Translators: where the bot is shown: these stand beside each other, with “·” between them
        _("On its page"),
        counted(ngettext("on %(number)s website", "on %(number)s websites", websites), websites),
        *([counted(ngettext("on %(number)s kiosk", "on %(number)s kiosks", kiosks), kiosks)] if kiosks else []),
        *([_("in the portal")] if bot.in_portal else []),
    ]
    return " · ".join(places)


def _people(bot: Bot) -> str:
    hours = _("Open by its hours") if bot.hours.strip() else _("Always open")
    holidays = ", ".join(days for days, _times in bot.week.coming)
    return " · ".join(
        [
            pgettext("a bot", "Closed") if bot.closed else hours,
            *([_("holidays: %(days)s") % {"days": holidays}] if holidays else []),
            _("people answer in the inbox") if bot.people_answer else _("nobody answers in person"),
            *([_("requests come by e-mail")] if bot.handover else []),
        ]
    )


def _limits(bot: Bot) -> str:
    most, days = bot.daily_budget or 0, bot.retention_days or 0
    budget = ngettext("At most %(number)s message a day.", "At most %(number)s messages a day.", most)
    kept = ngettext("Conversations are kept for %(number)s day.", "Conversations are kept for %(number)s days.", days)
    return " ".join(
        [
            counted(budget, most) if most else _("No daily limit."),
            counted(kept, days) if days else _("Conversations are kept until you delete them."),
        ]
    )


def _service(bot: Bot, link: Link) -> Item:
    if not bot.upstream_key:
        return Item(_("There is no key for its service: nothing can be answered."), links=[link], level="bad")
    return Item(_("It has a key of its own.") if bot.sealed_key else _("It has the site’s key."), links=[link])
