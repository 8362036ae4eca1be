"""One line about each tab of a bot for its overview, and about each folded section for its title."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from desk import trained_bots
from desk.access.rights import MAY_READ
from desk.bot.pages import ANSWERS, further_words, missing_on
from desk.bot.tabs import SETTINGS
from desk.cards import Item, Link, counted
from webchat.models import Bot

# Sentences keyed by what the bot lacks: colour, face, greeting.
LOOKS = {
    (False, False, False): gettext_lazy("Its own colour and profile picture."),
    (True, False, False): gettext_lazy("No colour of its own."),
    (False, True, False): gettext_lazy("No profile picture."),
    (False, False, True): gettext_lazy("No greeting of its own."),
    (True, True, False): gettext_lazy("No colour or profile picture of its own."),
    (True, False, True): gettext_lazy("No colour or greeting of its own."),
    (False, True, True): gettext_lazy("No profile picture or greeting of its own."),
    (True, True, True): gettext_lazy("No colour, profile picture or greeting of its own."),
}


def summaries_of(request: HttpRequest, bot: Bot) -> list[Item]:
    look, places, people, limits, service = (Link(str(tab.title), tab.url(bot)) for tab in SETTINGS)
    items = [
        _answers(bot),
        Item(_look(bot), links=[look]),
        *_words(bot),
        Item(_places(bot), links=[places]),
        Item(_people(bot), links=[people]),
        Item(f"{_budget(bot)} {_kept(bot)}", links=[limits]),
        _service(bot, service),
    ]
    if request.user.has_perm(MAY_READ):
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
    number = trained.documents.filter(taught_answer=None, trained_at__isnull=False).count()
    sentence = ngettext(
        "The trained bot “%(bot)s” answers, from %(number)s document.",
        "The trained bot “%(bot)s” answers, from %(number)s documents.",
        number,
    )
    unread = trained.documents.exclude(problem="").count()
    said = ngettext("%(number)s could not be read", "%(number)s could not be read", unread)
    more = counted(said, unread) if unread else ""
    return Item(counted(sentence, number, bot=trained), more, links, "" if number and not unread else "warn")


def _look(bot: Bot) -> str:
    """Return what look of its own the bot has or lacks, and how many questions it suggests."""
    lacks = tuple(not value for value in (bot.accent, bot.face, bot.greeting))
    number = len(bot.suggested_questions)
    questions = counted(ngettext("%(number)s suggested question.", "%(number)s suggested questions.", number), number)
    return f"{LOOKS[lacks]} {questions}"


def _words(bot: Bot) -> list[Item]:
    """Say what the owner has not written yet, in languages that they have chosen; link to the first one of each tab."""
    names, missing, links = dict(settings.LANGUAGES), Counter(), {}
    languages = further_words(bot)
    for tab in SETTINGS:
        for words in languages:
            if fields := missing_on(tab, words):
                missing[words.language] += len(fields)
                url = f"{tab.url(bot)}?words={words.language}#id_{fields[0]}"
                links.setdefault(tab.page, Link(str(tab.title), url))
    if not links:
        return []
    # Each name in a direction of its own: its number stays beside it.
    said = ", ".join(
        f"\u2068{names[words.language]} {missing[words.language]}\u2069"
        for words in languages
        if words.language in missing
    )
    text = _("Texts that are missing in a language: %(languages)s.") % {"languages": said}
    return [Item(text, links=list(links.values()), level="warn")]


def _websites(bot: Bot) -> str:
    number = len(bot.allowed_origins)
    return counted(ngettext("on %(number)s website", "on %(number)s websites", number), number)


def _places(bot: Bot) -> str:
    kiosks = bot.kiosks.count()
    places = [
        # Translators: where the bot is shown: these stand beside each other, with “·” between them
        _("On its page"),
        _websites(bot),
        *([counted(ngettext("on %(number)s kiosk", "on %(number)s kiosks", kiosks), kiosks)] if kiosks else []),
        *([_("in the portal")] if bot.in_portal else []),
    ]
    return " · ".join(places)


def _hours(bot: Bot) -> str:
    return _("Open during its business hours") if bot.hours.strip() else _("Always open")


def _holidays(bot: Bot) -> str:
    return ", ".join(days for days, _times in bot.week.upcoming_holidays)


def _closed(bot: Bot) -> str:
    return pgettext("a bot", "Closed") if bot.closed else ""


def _people(bot: Bot) -> str:
    return " · ".join(
        [
            _closed(bot) or _hours(bot),
            *([_("holidays: %(days)s") % {"days": holidays}] if (holidays := _holidays(bot)) else []),
            _("people answer in the inbox") if bot.people_answer else _("nobody answers in person"),
            *([_("requests come by e-mail")] if bot.handover else []),
        ]
    )


def _budget(bot: Bot) -> str:
    most = bot.daily_budget or 0
    budget = ngettext("At most %(number)s message a day.", "At most %(number)s messages a day.", most)
    return counted(budget, most) if most else _("No daily limit.")


def _kept(bot: Bot) -> str:
    days = bot.retention_days or 0
    kept = ngettext("Conversations are kept for %(number)s day.", "Conversations are kept for %(number)s days.", days)
    return counted(kept, days) if days else _("Conversations are kept until you delete them.")


def _service(bot: Bot, link: Link) -> Item:
    if not bot.upstream_key:
        return Item(_("There is no key for its service: nothing can be answered."), links=[link], level="bad")
    return Item(_("It has a key of its own.") if bot.sealed_key else _("It has the site’s key."), links=[link])


def _is_on(*fields: str) -> Callable[[Bot], str]:
    """Return a function that says whether one of the fields is set."""
    on, off = pgettext_lazy("a setting", "on"), pgettext_lazy("a setting", "off")
    return lambda bot: str(on if any(getattr(bot, field) for field in fields) else off)


# The summary of a collapsible section, by its first field.
IN_SECTION: dict[str, Callable[[Bot], str]] = {
    "people_answer": _is_on("people_answer"),
    "holidays": _holidays,
    "closed": _closed,
    "origins": _websites,
    "daily_budget": _budget,
    "language": lambda bot: ", ".join(
        name for code, name in settings.LANGUAGES if code in (bot.language, *bot.more_languages)
    ),
    "accent": lambda bot: bot.accent or _("The page’s own blue."),
    "launcher_icon": lambda bot: bot.get_launcher_icon_display(),
    "teaser": lambda bot: bot.teaser or _is_on("teaser")(bot),
    "tells_page": _is_on("tells_page", "shares_text"),
    "in_portal": _is_on("in_portal"),
    "hours": _hours,
    "contact": lambda bot: _("requests come by e-mail") if bot.handover else _is_on("handover")(bot),
    "asks_details": lambda bot: bot.get_asks_details_display() if bot.asks_details else _is_on("asks_details")(bot),
    "offers_person_when_not_known": _is_on(
        *("offers_person_when_not_known", "offers_person_after_thumbs_down"),
        *("offers_person_after_failures", "offers_person_when_asked_for"),
    ),
    "privacy_note": _kept,
    "alarm_email": _is_on("alarm_email", "webhook_url"),
}


def folded(bot: Bot, title: str, options: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return a tab's section as a collapsible one, with its current content in the title."""
    first = options["fields"][0]
    said = IN_SECTION.get(first if isinstance(first, str) else first[0])
    return heading(title, said(bot) if said else ""), options | {"classes": ["collapse"]}


def heading(title: str, now: object) -> str:
    return format_html('{} <bdi class="now">{}</bdi>', title, now) if now != "" else title
