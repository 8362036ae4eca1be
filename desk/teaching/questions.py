"""The questions that a bot could not answer, or whose answer didn't help."""

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Max, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from desk.teaching.names import only_the_question, without_names
from docbot.answering.smalltalk import small_talk
from docbot.models import Exchange, TrainedBot
from webchat.models import Bot, Entry, Feedback, Handover, Turn

DAYS = 90
MOST = 2_000  # the latest ones
MOST_OTHERS = 200


@dataclass(frozen=True)
class Question:
    """One message of a visitor, without what tells who they are."""

    turn: int
    conversation: UUID
    text: str
    asked_at: datetime.datetime
    reason: str


def to_teach(bot: Bot, days: int = DAYS) -> list[Question]:
    """Return the open questions, the newest first, without small talk such as asking for a person."""
    since = timezone.now() - datetime.timedelta(days=days)
    asked_for = _before_a_person(bot, since)
    answered = _entries(bot, since, Entry.Kind.MESSAGE)
    wanting = Q(outcome__in=(Turn.Outcome.NOT_KNOWN, Turn.Outcome.NOT_SURE)) | Q(feedback=Feedback.DOWN)
    by_a_person = Q(state=Turn.State.PERSON, pk__in=answered.values("after_turn")) | Q(pk__in=asked_for)
    is_open = Q(taught_turn=None) | Q(taught_turn__taught_answer__is_draft=True)
    turns = _turns(bot).filter(is_open, wanting | by_a_person, created_at__gte=since)
    return [
        question
        for turn in turns.order_by("-pk")[:MOST]
        if (question := _question(turn, _("went to a person") if turn.pk in asked_for else _reason(turn)))
    ]


def others(bot: Bot, but: set[int]) -> list[str]:
    """Return the latest other messages, each once and without names, to see what else a new answer would change."""
    latest = _turns(bot).exclude(pk__in=but).order_by("-pk")[: 5 * MOST_OTHERS]
    texts = [only_the_question(without_names(turn.message, turn.conversation)) for turn in latest]
    once = {" ".join(text.split()).casefold(): text for text in reversed(texts)}
    return list(reversed(once.values()))[:MOST_OTHERS]


def replies_of_people(turns: set[int]) -> Iterator[tuple[Entry, str]]:
    """Yield what team members wrote after these turns, the newest first, without visitors' names."""
    said = Entry.objects.filter(kind=Entry.Kind.MESSAGE, after_turn__in=turns).order_by("-pk")
    for entry in said.select_related("conversation__person__user").prefetch_related("conversation__details"):
        if text := without_names(entry.text, entry.conversation, is_reply=True):
            yield entry, text


def keep_docbots_list(trained_bot: TrainedBot, turns: set[int], *, is_done: bool) -> None:
    """Take what was asked in these turns off docbot's own list of unanswered questions, or put it back."""
    asked = set(Turn.objects.filter(pk__in=turns).values_list("message", flat=True))
    of_them = Exchange.objects.filter(chat__trained_bot=trained_bot, certainty=Exchange.Certainty.UNKNOWN)
    of_them.filter(message__in=asked).update(done_at=timezone.now() if is_done else None)


def _turns(bot: Bot) -> QuerySet[Turn]:
    turns = Turn.objects.filter(conversation__bot=bot).select_related("conversation__person__user")
    return turns.prefetch_related("conversation__details")


def _entries(bot: Bot, since: datetime.datetime, kind: Entry.Kind) -> QuerySet[Entry]:
    return Entry.objects.filter(conversation__bot=bot, kind=kind, created_at__gte=since)


def _before_a_person(bot: Bot, since: datetime.datetime) -> set[int]:
    """Return the last questions before visitors asked for a person."""
    rows = list(
        _entries(bot, since, Entry.Kind.QUEUED).order_by("-pk").values_list("conversation", "after_turn")[:MOST]
    )
    requests = Handover.objects.filter(bot=bot, is_suspect=False, created_at__gte=since, last_turn__isnull=False)
    rows += requests.values_list("conversation", "last_turn")[:MOST]
    last = dict(Turn.objects.filter(pk__in=[turn for _conversation, turn in rows]).values_list("pk", "message"))
    wishes = {turn for turn, message in last.items() if _is_small_talk(message)}
    return (last.keys() - wishes) | set(_turns_before(wishes))


def _turns_before(turns: set[int]) -> Iterator[int]:
    conversations = dict(Turn.objects.filter(pk__in=turns).values_list("conversation", "pk"))
    for conversation, turn in conversations.items():
        if before := Turn.objects.filter(conversation=conversation, pk__lt=turn).aggregate(last=Max("pk"))["last"]:
            yield before


def _question(turn: Turn, reason: str) -> Question | None:
    text = only_the_question(without_names(turn.message, turn.conversation))
    if _is_small_talk(turn.message) or _is_small_talk(text) or not any(letter.isalpha() for letter in text):
        return None
    return Question(turn.pk, turn.conversation.public_id, text, turn.created_at, reason)


def _is_small_talk(message: str) -> bool:
    return small_talk(message)[0] is not None


def _reason(turn: Turn) -> str:
    if turn.feedback == Feedback.DOWN:
        return _("thumb down")
    known = {Turn.Outcome.NOT_KNOWN: _("not known"), Turn.Outcome.NOT_SURE: _("not sure")}
    return known.get(turn.outcome, _("went to a person"))
