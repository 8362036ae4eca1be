"""The questions that a bot could not answer, or whose answer didn't help."""

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from uuid import UUID

from django.db.models import (
    BigIntegerField,
    Case,
    DateTimeField,
    Exists,
    Func,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
    prefetch_related_objects,
)
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from desk.teaching.names import only_the_question, without_names
from docbot.answering.smalltalk import small_talk
from webchat.models import Bot, Conversation, Entry, Feedback, Turn

DAYS = 90
MOST = 2_000  # the latest ones
MOST_OTHERS = 200
NEEDED = (
    *("message", "outcome", "feedback", "created_at"),
    *(f"conversation__{name}" for name in ("public_id", "bot", "customer", "reply_email")),
)
OPEN = Q(taught_turn=None) | Q(taught_turn__taught_answer__is_draft=True)

# SQL for the keys of turns since a moment, because each page of the desk counts the open questions, and the ORM takes
# longer to build these statements than SQLite to run them. UNIONs, because PostgreSQL reads every turn for an OR, and
# SQLite uses no index for `outcome IN (…)`.

# The last turns before visitors asked for a person: in the conversation, and by the form.
ASKED_FOR = """
    SELECT after_turn FROM webchat_entry, since WHERE kind = 'queued' AND created_at >= moment
    UNION
    SELECT last_turn_id FROM webchat_handover, since
    WHERE created_at >= moment AND NOT is_suspect AND last_turn_id IS NOT NULL
"""
# The last turns before what team members wrote.
ANSWERED = "SELECT after_turn FROM webchat_entry, since WHERE kind = 'message' AND created_at >= moment"
# The turn directly before one: looked up for each, as PostgreSQL would read every turn for a join.
BEFORE = "SELECT MAX(id) FROM webchat_turn WHERE conversation_id = asked.conversation_id AND id <"
# All that may be open questions, of all bots: each list is read from an index alone. The last two have the turns
# directly before those after which somebody asked for a person.
CANDIDATES = f"""
    SELECT id FROM webchat_turn, since WHERE outcome = 'not_known' AND created_at >= moment
    UNION SELECT id FROM webchat_turn, since WHERE outcome = 'not_sure' AND created_at >= moment
    UNION SELECT id FROM webchat_turn WHERE feedback = -1 AND feedback_at >= (SELECT moment FROM since)
    UNION {ANSWERED}
    UNION {ASKED_FOR}
    UNION SELECT ({BEFORE} after_turn) FROM webchat_entry AS asked, since WHERE kind = 'queued' AND created_at >= moment
    UNION SELECT ({BEFORE} last_turn_id) FROM webchat_handover AS asked, since
    WHERE created_at >= moment AND NOT is_suspect
"""  # noqa: S608 - constants only


# Why a question is to be taught: as exports and webhooks have it, and as it is shown.
REASONS = {
    "not_known": _("didn’t know"),
    "not_sure": _("not sure"),
    "thumb_down": _("thumb down"),
    "person": _("went to a person"),
    "answered": _("answered"),  # of a question that isn't on the list
}


@dataclass(frozen=True)
class Question:
    """One message of a visitor, without what identifies them."""

    turn: int
    conversation: UUID
    bot: int
    text: str
    asked_at: datetime.datetime
    reason: str  # a key of REASONS

    @property
    def shown_reason(self) -> str:
        return str(REASONS[self.reason])


def to_teach(turns: QuerySet[Turn], days: int = DAYS) -> list[Question]:
    """Return the open questions among these turns, the newest first, without what identifies the visitor."""
    return as_questions(open_questions(turns, days))


def as_questions(found: list[tuple[Turn, str]]) -> list[Question]:
    """Return these open questions without what identifies the visitor."""
    prefetch_related_objects([turn for turn, _reason in found], "conversation__details", "conversation__customer__user")
    return [
        Question(turn.pk, turn.conversation.public_id, turn.conversation.bot_id, _text(turn), turn.created_at, reason)
        for turn, reason in found
    ]


def open_questions(turns: QuerySet[Turn], days: int = DAYS, most: int = MOST) -> list[tuple[Turn, str]]:
    """Decide which of these turns are open questions; return the newest first, each with its reason. One statement.

    Small talk is left out; where it asked for a person, the question before it counts.
    """
    earliest = timezone.now() - datetime.timedelta(days=days)
    unknown = turns.filter(OPEN, outcome=Turn.Outcome.NOT_KNOWN, created_at__gte=earliest).order_by("-created_at")
    # Enough of one kind are enough of all: nothing before them is read.
    since = Coalesce(Subquery(unknown.values("created_at")[most - 1 : most]), Value(earliest, DateTimeField()))
    asked_for = Q(pk__in=_keys(ASKED_FOR, since))
    found = turns.filter(OPEN | asked_for, pk__in=_keys(CANDIDATES, since), created_at__gte=earliest)
    found = found.annotate(
        is_open=_is_true(OPEN),
        is_asked_for=_is_true(asked_for),
        is_answered=_is_true(Q(state=Turn.State.PERSON, pk__in=_keys(ANSWERED, since))),
    )
    questions = []
    asked_after: set[int] = set()  # conversations whose turn after this one only asked for a person
    for turn in found.select_related("conversation").only(*NEEDED).order_by("-pk")[:most]:
        is_asked_for = turn.is_asked_for or turn.conversation_id in asked_after
        asked_after.discard(turn.conversation_id)
        if not _is_question(turn.message):
            asked_after |= {turn.conversation_id} if turn.is_asked_for else set()
        elif turn.is_open and is_asked_for:
            questions.append((turn, "person"))
        elif turn.is_open and (reason := _reason(turn)):
            questions.append((turn, reason))
    return questions


def others(bot: Bot, but: set[int]) -> list[str]:
    """Return the latest other messages, each once and without names, to see what else a new answer would change."""
    latest = turns_of(bot).exclude(pk__in=but).select_related("conversation__customer__user")
    latest = latest.prefetch_related("conversation__details").order_by("-pk")[: 5 * MOST_OTHERS]
    texts = [_text(turn) for turn in latest]
    once = {" ".join(text.split()).casefold(): text for text in reversed(texts)}
    return list(reversed(once.values()))[:MOST_OTHERS]


def replies_of_people(turns: set[int]) -> Iterator[tuple[Entry, str]]:
    """Yield what team members wrote after these turns, the newest first, without visitors' names."""
    said = Entry.objects.filter(kind=Entry.Kind.MESSAGE, after_turn__in=turns).order_by("-pk")
    for entry in said.select_related("conversation__customer__user").prefetch_related("conversation__details"):
        if text := without_names(entry.text, entry.conversation, is_reply=True):
            yield entry, text


def turns_of(bot: Bot) -> QuerySet[Turn]:
    """Return the bot's turns, by Exists: for a join, SQLite would read all of the bot's conversations first."""
    return Turn.objects.filter(Exists(Conversation.objects.filter(pk=OuterRef("conversation"), bot=bot)))


def _keys(statement: str, since: Coalesce) -> Func:
    """Return the statement as an expression for `pk__in`."""
    with_since = f"(WITH since AS (SELECT %(expressions)s AS moment) {statement})"
    return Func(since, template=with_since, output_field=BigIntegerField())


def _is_true(condition: Q) -> Case:
    return Case(When(condition, then=True), default=False)


def _text(turn: Turn) -> str:
    return only_the_question(without_names(turn.message, turn.conversation))


@lru_cache(maxsize=2 * MOST)  # each page of the desk counts the same questions
def _is_question(message: str) -> bool:
    text = only_the_question(without_names(message))
    return not any(small_talk(each)[0] for each in (message, text)) and any(letter.isalpha() for letter in text)


def _reason(turn: Turn) -> str:
    """Return why the turn is to be taught, as a key of REASONS; "" if its reply was fine."""
    if turn.feedback == Feedback.DOWN:
        return "thumb_down"
    if turn.is_answered:
        return "person"
    return turn.outcome if turn.outcome in (Turn.Outcome.NOT_KNOWN, Turn.Outcome.NOT_SURE) else ""
