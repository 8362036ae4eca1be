"""The list of a customer's conversations: newest first, paginated and searchable."""

import datetime
import uuid
from dataclasses import dataclass
from itertools import chain, groupby

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Substr
from django.utils import formats, timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from webchat.models import Conversation, Customer, Entry, Surface, Turn
from webchat.models.conversations.conversation import title_made_of
from webchat.rendering import plain_text
from webchat.rendering.bot_text import markdown

PAGE_SIZE = 15
WEEK = 7  # days
MOST_WORDS = 8  # of a search
LONGEST_SEARCH = 200  # characters
EXCERPT_MARGIN = 50  # characters of a snippet on each side of what was found
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)


@dataclass(frozen=True)
class Page:
    """A page of the list from the cursor `before` on, "" for the newest; `after` is the next one's, "" on the last."""

    rows: list[Conversation]
    before: str
    after: str

    @property
    def days(self) -> list[tuple[str, list[Conversation]]]:
        """Group the rows under “Today”, “Yesterday” …; the first heading is "" if the page before ended with it."""
        moment = _moment(self.before)
        last = _day_of(moment) if moment else None
        grouped = [(day, list(rows)) for day, rows in groupby(self.rows, lambda row: _day_of(row.last_at))]
        return [("" if day == last else day, rows) for day, rows in grouped]


def list_page(customer: Customer | None, search: str = "", before: str = "") -> Page:
    """Return one page of the list; in the desk's preview, where nobody is signed in, it is empty.

    Each row has a `heading`, `has_new_reply` if a person has answered since it was opened, and, for a search, an
    excerpt in `found`, which may be the heading.
    """
    words = search[:LONGEST_SEARCH].split()[:MOST_WORDS]
    conversations = _with_words(newest(customer.visitor if customer else None), words)
    messages = Entry.objects.filter(conversation=OuterRef("pk"), kind=Entry.Kind.MESSAGE)
    unread = messages.filter(pk__gt=OuterRef("visitor_read_to"))
    conversations = conversations.annotate(has_new_reply=Exists(unread))
    rows = list(_before(conversations, before)[: PAGE_SIZE + 1])
    more = len(rows) > PAGE_SIZE
    rows = rows[:PAGE_SIZE]
    snippets = _snippets(rows, max(words, key=len)) if words else {}  # “a” says nothing
    for row in rows:
        row.heading = heading_of(row)
        row.found = snippets.get(row.pk)
        row.is_found_by_heading = bool(row.found) and "".join(row.found) == row.heading
    return Page(rows, before, _cursor(rows[-1]) if more else "")


def heading_of(conversation: Conversation) -> str:
    return conversation.title or title_made_of(conversation.opening or "") or conversation.bot.name


def anonymous_conversations(visitor: str, declined: list[str]) -> QuerySet[Conversation]:
    """Return this browser's conversations from before the sign-in that the customer hasn't kept or declined."""
    anonymous = Conversation.objects.filter(visitor=visitor, customer=None, surface=Surface.CHAT, ended_at=None)
    offered = anonymous.filter(bot__in_portal=True).exclude(public_id__in=declined)
    return offered.select_related("bot").annotate(opening=_opening()).order_by("-started_at")


def _opening() -> Subquery:
    first = Turn.objects.filter(conversation=OuterRef("pk")).order_by("pk")
    return Subquery(first.annotate(start=Substr("message", 1, 200)).values("start")[:1])


def newest(visitor: str | None) -> QuerySet[Conversation]:
    """Return the customer's conversations, the latest first, each with its `opening`."""
    mine = Conversation.objects.of_customer(visitor)
    return mine.annotate(opening=_opening()).order_by("-last_at", "-public_id")


# --- Page by page -----------------------------------------------------------------------------------------------------


def _cursor(row: Conversation) -> str:
    return f"{(row.last_at - _EPOCH) // datetime.timedelta(microseconds=1)}-{row.public_id.hex}"


def _before(conversations: QuerySet[Conversation], cursor: str) -> QuerySet[Conversation]:
    """Return the conversations after the cursor; an invalid cursor means the first page."""
    at = _moment(cursor)
    if at is None:
        return conversations
    public_id = uuid.UUID(cursor.partition("-")[2])
    return conversations.filter(Q(last_at__lt=at) | Q(last_at=at, public_id__lt=public_id), last_at__lte=at)


def _moment(cursor: str) -> datetime.datetime | None:
    """Return the cursor's time; None if the cursor isn't valid."""
    moment, _dash, name = cursor.partition("-")
    try:
        uuid.UUID(name)
        return _EPOCH + datetime.timedelta(microseconds=int(moment))
    except (ValueError, OverflowError):
        return None


def _day_of(at: datetime.datetime) -> str:
    """Return the heading for a conversation of that time."""
    day, today = timezone.localdate(at), timezone.localdate()
    ago = (today - day).days
    if ago <= 1:
        return _("Yesterday") if ago == 1 else _("Today")
    if ago <= WEEK:
        return _("The last seven days")
    return capfirst(formats.date_format(day, "YEAR_MONTH_FORMAT"))


# --- Searching --------------------------------------------------------------------------------------------------------


def _with_words(conversations: QuerySet[Conversation], words: list[str]) -> QuerySet[Conversation]:
    """Return the conversations that contain every word."""
    for word in words:
        said = Exists(Turn.objects.filter(_contains(word, "message", "reply"), conversation=OuterRef("pk")))
        by_people = Exists(Entry.objects.for_visitors().filter(_contains(word, "text"), conversation=OuterRef("pk")))
        conversations = conversations.filter(_contains(word, "title") | Q(said) | Q(by_people))
    return conversations


def _contains(word: str, *fields: str) -> Q:
    """Match case-insensitively; SQLite does so for ASCII only, so other words are tried in several cases."""
    condition = Q()
    for written in {word, word.lower(), word.upper(), word.capitalize()} if not word.isascii() else {word}:
        for field in fields:
            condition |= Q(**{f"{field}__icontains": written})
    return condition


def _snippets(rows: list[Conversation], word: str) -> dict[int, tuple[str, str, str]]:
    """Map each conversation to its first match: the text before, the word as written, and the text after."""
    turns = Turn.objects.filter(_contains(word, "message", "reply"), conversation__in=rows).order_by("pk")
    by_people = Entry.objects.for_visitors().filter(_contains(word, "text"), conversation__in=rows).order_by("pk")
    found: dict[int, tuple[str, str, str]] = {}
    for conversation, message, answer in chain(
        turns.values_list("conversation", "message", "reply"), by_people.values_list("conversation", Value(""), "text")
    ):
        if conversation not in found and (
            excerpt := _excerpt(message, word) or _excerpt(plain_text.from_html(markdown(answer)), word)
        ):
            found[conversation] = excerpt
    return found


def _excerpt(text: str, word: str) -> tuple[str, str, str] | None:
    line = " ".join(text.split())
    at = line.lower().find(word.lower())
    if at < 0:
        return None
    end = at + len(word)
    before = ("… " if at > EXCERPT_MARGIN else "") + line[max(0, at - EXCERPT_MARGIN) : at]
    return (
        before,
        line[at:end],
        line[end : end + 2 * EXCERPT_MARGIN] + (" …" if len(line) > end + 2 * EXCERPT_MARGIN else ""),
    )
