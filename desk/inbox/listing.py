"""The list of conversations: who waits, whose they are, what is unread, and the search."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from desk.access.rights import visible
from desk.inbox.rights import conversations_of
from webchat.models import Conversation, Detail, Entry, Leader, TeamMember, Turn
from webchat.models.conversations import word_search

MOST = 50  # rows of one group
OPEN, ALL, CLOSED = "open", "all", "closed"
TABS = {
    OPEN: pgettext_lazy("conversations", "Open"),
    ALL: pgettext_lazy("conversations", "All"),
    CLOSED: pgettext_lazy("conversations", "Closed"),
}


@dataclass(frozen=True)
class Selection:
    """What the list shows: one of its tabs, and the words that are searched for."""

    tab: str = OPEN
    words: str = ""

    @classmethod
    def of(cls, request: HttpRequest) -> "Selection":
        words = request.GET.get("q", "").strip()[:200]
        tab = request.GET.get("show", "")
        return cls(tab if tab in TABS else ALL if words else OPEN, words)

    @property
    def query(self) -> str:
        """Return the selection as a query string."""
        chosen = {"show": self.tab if self.tab != OPEN else "", "q": self.words}
        return urlencode({name: value for name, value in chosen.items() if value})


@dataclass(frozen=True)
class Group:
    """Conversations under one heading."""

    heading: str
    rows: list[Conversation]
    empty: str = ""
    is_mine: bool = False

    @property
    def has_new(self) -> bool:
        return any(row.has_new for row in self.rows)


def groups(member: TeamMember, selection: Selection) -> list[Group]:
    """Return what the list shows, each group's rows in their order."""
    rows = _rows(member)
    if selection.tab == CLOSED:
        closed = rows.filter(resolved_at__isnull=False).order_by("-resolved_at")
        return [Group(TABS[CLOSED], _first(closed, MOST, selection.words), _("Nothing has been closed yet."))]
    if selection.tab == ALL:
        newest = rows.order_by("-pk") if selection.words else rows.filter(ended_at=None).order_by("-pk")
        return [Group(_("Newest first"), _first(newest, MOST, selection.words), _("No conversation found."))]
    led = _first(rows.exclude(led_by=Leader.BOT).order_by("led_since"), 4 * MOST, selection.words)
    waiting = [row for row in led if row.led_by == Leader.QUEUE]
    mine = [row for row in led if row.team_member_id == member.pk]
    others = [row for row in led if row.led_by == Leader.PERSON and row.team_member_id != member.pk]
    found = [
        Group(pgettext_lazy("conversations", "Waiting"), waiting, _("Nobody is waiting.")),
        Group(pgettext_lazy("conversations", "Mine"), mine, _("You have no conversations."), is_mine=True),
    ]
    return [*found, Group(pgettext_lazy("conversations", "Colleagues’"), others)] if others else found


def waiting_for(user: Any) -> QuerySet[Conversation]:
    """Return what waits for this account: visitors in the queue, and its own conversations with an unread message."""
    waits = Q(led_by=Leader.QUEUE) | Q(team_member__user=user) & _has_unread()
    return visible(user, Conversation.objects.exclude(led_by=Leader.BOT).filter(waits))


def unread(user: Any) -> int:
    return waiting_for(user).count()


def _has_unread() -> Q:
    return Q(Exists(Turn.objects.filter(conversation=OuterRef("pk"), pk__gt=OuterRef("team_read_to"))))


def _rows(member: TeamMember) -> QuerySet[Conversation]:
    """Annotate by subqueries, which the database evaluates only for the rows on the page.

    `has_new`: whether it is the member's and has a message that they haven't read.
    """
    last = Turn.objects.filter(conversation=OuterRef("pk")).order_by("-pk")
    rows = conversations_of(member).select_related("bot", "customer__user", "team_member")
    return rows.annotate(
        has_new=Q(team_member=member) & _has_unread(),
        last_message=Subquery(last.values("message")[:1]),
        last_state=Subquery(last.values("state")[:1]),
        last_outcome=Subquery(last.values("outcome")[:1]),
    )


def _first(listed: QuerySet[Conversation], most: int, words: str) -> list[Conversation]:
    """Return the first rows of an ordered list; with `words`, only those that contain them."""
    if words:
        listed = listed.filter(word_search.holding_in_first(words, listed, most) | _besides(words))
    return list(listed[:most])


def _besides(words: str) -> Q:
    """Find conversations with all the words in one entry, in what the visitor told, or in their name or e-mail."""
    said = word_search.in_one_of(Entry.objects.all(), words)
    said |= Q(pk__in=Detail.objects.filter(text__icontains=words).values("conversation"))
    names = (
        "customer__name",
        "customer__email",
        "customer__user__first_name",
        "customer__user__last_name",
        "reply_email",
    )
    for name in names:
        said |= Q(**{f"{name}__icontains": words})
    return said
