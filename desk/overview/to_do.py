"""What needs attention: alarms, visitors who wait, questions without an answer, documents, budgets."""

import datetime

from django.contrib.humanize.templatetags.humanize import intcomma
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext

from desk.access.rights import MAY_READ
from desk.bot.tabs import link_to_field
from desk.cards import Card, Item, Link, counted, link
from desk.inbox import listing
from desk.overview import badges
from desk.statistics.budgets import UsedToday
from docbot.models import TrainedBot
from webchat.models import Alarm, Bot, Conversation, Leader
from webchat.models.team import MAY_ANSWER

MOST_ITEMS = 5  # of one card
VIEW_DOCUMENTS = "docbot.view_document"
OPEN_REQUESTS = "?done_at__isnull=True"
NEARLY_USED = 80  # per cent of a budget
REFUSED = {
    "INVALID_API_KEY": _("{bot}’s service has refused its key since {since}. Visitors get no replies."),
    "MISSING_API_KEY": _("{bot} has had no key for its service since {since}. Visitors get no replies."),
}
SENTENCES = {
    Alarm.Cause.KEY_REFUSED: _("{bot}’s key or address has not worked since {since}. Visitors get no replies."),
    Alarm.Cause.BOT_DISABLED: _("{bot} has been switched off at its service since {since}. Visitors get no replies."),
    Alarm.Cause.FAILURES: _("{failed} of {all} messages to {bot} failed in the {minutes} minutes before {latest}."),
    Alarm.Cause.UNDELIVERED: _(
        "A request for a person that was sent to {bot} could not be delivered: nobody was told of it."
    ),
}


def current_alarms(request: HttpRequest) -> list[list[Alarm]]:
    """Return what is wrong now, for those who may see alarms: of each bot and cause the alarms, the newest first."""
    may = request.user.has_perm("webchat.view_alarm")
    return list(badges.current_alarms(request.user).values()) if may else []


def alarm_card(request: HttpRequest, raised: list[list[Alarm]]) -> Card | None:
    """Say in words what each current alarm means, and link to where it can be fixed."""
    items = [_alarm_item(request, newest_first) for newest_first in raised]
    links = link(request, "webchat.view_alarm", _("All alarms"), "webchat_alarm_changelist")
    return Card("alarms", _("Something is wrong"), items, links) if items else None


def waiting_for(request: HttpRequest) -> list[Conversation]:
    """Return what waits in the inbox of this account; nothing without the right to answer. One statement."""
    if not request.user.has_perm(MAY_ANSWER):
        return []
    return list(listing.waiting_for(request.user).select_related("bot", "customer__user").order_by("led_since"))


def waiting_card(request: HttpRequest, waiting: list[Conversation], bots: list[Bot]) -> Card | None:
    """Name who waits in the queue, and count the new messages and the requests that came by the form."""
    queue = [conversation for conversation in waiting if conversation.led_by == Leader.QUEUE]
    items = [_queue_item(conversation) for conversation in queue[:MOST_ITEMS]]
    if more := len(queue) - len(items):
        sentence = ngettext("And %(number)s more visitor.", "And %(number)s more visitors.", more)
        items.append(Item(counted(sentence, more)))
    if unread := len(waiting) - len(queue):
        sentence = ngettext(
            "New messages in %(number)s conversation of yours.",
            "New messages in %(number)s conversations of yours.",
            unread,
        )
        items.append(Item(counted(sentence, unread)))
    links = link(request, MAY_ANSWER, _("Open the inbox"), "inbox") if waiting else []
    requests = sum(bot.open_requests for bot in bots)
    if requests and request.user.has_perm("webchat.view_handover"):
        sentence = ngettext(
            "%(number)s open request for an answer by e-mail.",
            "%(number)s open requests for an answer by e-mail.",
            requests,
        )
        items.append(Item(counted(sentence, requests)))
        links += _link_to_requests(request)
    return Card("waiting", _("Waiting for a person"), items, links) if items else None


def to_teach(request: HttpRequest) -> int:
    """Count the questions to teach, for those who see the list of them. One statement."""
    return badges.questions_to_teach(request.user) if request.user.has_perm(MAY_ANSWER) else 0


def teach_card(request: HttpRequest, number: int) -> Card | None:
    if not number:
        return None
    if number == badges.MOST_COUNTED:
        sentence = _("At least %(number)s questions got no helpful answer.")
    else:
        sentence = ngettext(
            "%(number)s question got no helpful answer.", "%(number)s questions got no helpful answer.", number
        )
    links = link(request, MAY_ANSWER, _("Teach"), "teach")
    return Card("to-teach", _("Teach"), [Item(counted(sentence, number))], links)


def documents_card(request: HttpRequest, trained_bots: list[TrainedBot]) -> Card | None:
    """Say of which trained bots documents could not be read."""
    items = []
    for bot in trained_bots:
        if bot.failed_documents and request.user.has_perm(VIEW_DOCUMENTS):
            query = f"?trained_bot__id__exact={bot.pk}&problem=yes"
            why = link(request, VIEW_DOCUMENTS, _("See why"), "docbot_document_changelist", more=query)
            sentence = ngettext(
                "%(number)s document of %(bot)s could not be read.",
                "%(number)s documents of %(bot)s could not be read.",
                bot.failed_documents,
            )
            items.append(Item(counted(sentence, bot.failed_documents, bot=bot), links=why))
    return Card("documents", _("Documents"), items) if items else None


def budget_card(request: HttpRequest, bots: list[Bot]) -> Card | None:
    """Say how much of each budget is used today, and how long it lasts."""
    if not request.user.has_perm("desk.view_tally"):
        return None
    budgets = [UsedToday(bot, bot.used_today) for bot in bots if bot.daily_budget]
    budgets.sort(key=lambda budget: -budget.share)
    items = [_budget_item(request, budget) for budget in budgets[:MOST_ITEMS]]
    links = link(request, "desk.view_tally", _("All budgets"), "insights", more="#budgets")
    is_to_do = any(item.level for item in items)
    return Card("budget", _("Today’s budget"), items, links, is_to_do) if items else None


def _alarm_item(request: HttpRequest, newest_first: list[Alarm]) -> Item:
    alarm, times = newest_first[0], sum(1 + each.held_back for each in newest_first)
    words = {
        "bot": alarm.bot.name,
        "since": _moment(newest_first[-1].raised_at),
        "latest": _moment(alarm.raised_at),
        **alarm.facts,
    }
    sentence = str(REFUSED.get(str(alarm.facts.get("code")), SENTENCES[alarm.cause]))
    happened = ngettext("It has happened %(number)s time.", "It has happened %(number)s times.", times)
    more = counted(happened, times) if times > 1 else ""
    return Item(sentence.format_map(words), more, _remedies(request, alarm), "bad")


def _remedies(request: HttpRequest, alarm: Alarm) -> list[Link]:
    bot = alarm.bot
    test = link(request, "webchat.change_bot", _("Test it"), "desk_test", bot.pk)
    if alarm.cause == Alarm.Cause.KEY_REFUSED:
        return [*link_to_field(request, _("Enter the key again"), bot, "new_key"), *test]
    if alarm.cause == Alarm.Cause.BOT_DISABLED:
        trained = link(request, "docbot.view_trainedbot", _("Trained bots"), "docbot_trainedbot_changelist")
        return [*([] if bot.base_url else trained), *test]
    if alarm.cause == Alarm.Cause.FAILURES:
        failed = f"?bot={bot.slug}&outcome=failed"
        return [*link(request, MAY_READ, _("See what failed"), "webchat_conversation_changelist", more=failed), *test]
    return _link_to_requests(request)


def _link_to_requests(request: HttpRequest) -> list[Link]:
    return link(
        request, "webchat.view_handover", _("Read the requests"), "webchat_handover_changelist", more=OPEN_REQUESTS
    )


def _queue_item(conversation: Conversation) -> Item:
    url = reverse("admin:inbox_conversation", args=[conversation.public_id])
    return Item(
        str(conversation.customer or _("Visitor")),
        # Translators: where a visitor waits, beside their name
        _("Bot: %(bot)s") % {"bot": conversation.bot.name},
        [Link(pgettext("to do", "Answer"), url)],
        since=conversation.led_since,
    )


def _budget_item(request: HttpRequest, budget: UsedToday) -> Item:
    used = _("%(bot)s: %(used)s of %(all)s used (%(share)d%%)") % {
        "bot": budget.bot.name,
        "used": intcomma(budget.used),
        "all": intcomma(budget.bot.daily_budget),
        "share": budget.share,
    }
    level, more = "", ""
    if not budget.left:
        level = "bad"
        more = _("Nothing is sent to the bot until midnight, and visitors are told that the chat is closed.")
    elif budget.gone_at and budget.share >= NEARLY_USED:
        time = date_format(budget.gone_at, "TIME_FORMAT")
        level, more = "warn", _("At this rate it lasts until about %(time)s.") % {"time": time}
    links = link_to_field(request, _("Change the limit"), budget.bot, "daily_budget")
    return Item(used, more, links, level, share=budget.share)


def _moment(at: datetime.datetime) -> str:
    """Return the time of today, or the date and time of another day."""
    local = timezone.localtime(at)
    return date_format(local, "TIME_FORMAT" if local.date() == timezone.localdate() else "DATETIME_FORMAT")
