"""Counts conversations and turns day by day. Counting a day again is idempotent, so it may be interrupted."""

import datetime
import re
from collections import Counter, defaultdict
from collections.abc import Iterable

from django.db import transaction
from django.db.models import Count, Min, Q
from django.db.models.functions import TruncDate
from django.utils import timezone
from django.utils.crypto import salted_hmac

from desk.models import AskedQuestion, Tally, Watermark
from desk.statistics.insights import midnight
from desk.statistics.reply_times import bucket_of
from webchat.models import Bot, Conversation, Turn

MOST_QUESTIONS = 100  # of a bot's day
NAME = "tallies"
SETTLED = 7  # days; older days aren't recounted, because some of their turns may have been deleted
OVERLAP = datetime.timedelta(minutes=5)  # an outcome is stored a moment after its timestamp
Measure = Tally.Measure
UNSURE = {Turn.Outcome.NOT_SURE: Measure.NOT_SURE, Turn.Outcome.NOT_KNOWN: Measure.NOT_KNOWN}
_NO_WORD = re.compile(r"[\W_]+")


def count_changed_days() -> None:
    """Periodic task: count again the days on which anything has changed since the last run."""
    now = timezone.now()
    mark = Watermark.objects.filter(name=NAME).first()
    for day in _changed_days(mark.until - OVERLAP if mark else None):
        count_day(day)
    Watermark.objects.update_or_create(name=NAME, defaults={"until": now})


def _changed_days(since: datetime.datetime | None) -> list[datetime.date]:
    turns = Turn.objects.order_by()
    if since:
        kept = Bot.objects.aggregate(least=Min("retention_days"))["least"] or SETTLED
        limit = timezone.now() - datetime.timedelta(days=min(kept, SETTLED))
        changed = Q(ended_at__gte=since) | Q(feedback_at__gte=since)
        turns = turns.filter(Q(created_at__gte=since) | Q(changed, created_at__gte=limit))
    return sorted(turns.annotate(day=TruncDate("created_at")).values_list("day", flat=True).distinct())


def count_day(day: datetime.date) -> None:
    """Count a day and replace its earlier counts."""
    span = (midnight(day), midnight(day + datetime.timedelta(days=1)))
    with transaction.atomic():
        Tally.objects.filter(day=day).delete()
        AskedQuestion.objects.filter(day=day).delete()
        tallies, questions = _count_turns(span)
        tallies.update(_count_conversations(span))
        Tally.objects.bulk_create(
            [
                Tally(day=day, bot_id=bot, surface=surface, measure=measure, name=name, number=number)
                for (bot, surface, measure, name), number in tallies.items()
            ],
            batch_size=500,
        )
        AskedQuestion.objects.bulk_create([AskedQuestion(day=day, **row) for row in questions], batch_size=500)


def _count_conversations(span: tuple[datetime.datetime, datetime.datetime]) -> dict[tuple, int]:
    begun = Conversation.objects.filter(started_at__gte=span[0], started_at__lt=span[1]).order_by()
    return {
        (bot, surface, Measure.CONVERSATIONS, ""): number
        for bot, surface, number in begun.values_list("bot", "surface").annotate(number=Count("pk"))
    }


def _count_turns(span: tuple[datetime.datetime, datetime.datetime]) -> tuple[Counter, list[dict[str, object]]]:
    tallies: Counter = Counter()
    asked: dict[tuple, list[int]] = defaultdict(lambda: [0, 0, 0])  # asked, failed, last turn
    turns = Turn.objects.filter(created_at__gte=span[0], created_at__lt=span[1]).order_by("pk")
    columns = (
        *("pk", "conversation__bot", "conversation__surface", "state", "code", "asked_at", "ended_at"),
        *("message", "feedback", "attachment", "outcome"),
    )
    rows = turns.values_list(*columns).iterator()
    for pk, bot, surface, state, code, asked_at, ended_at, message, feedback, has_file, outcome in rows:
        failed = state == Turn.State.FAILED
        if failed:
            tallies[bot, surface, Measure.FAILED, code] += 1
        elif state == Turn.State.ANSWERED:
            tallies[bot, surface, UNSURE.get(outcome, Measure.ANSWERED), ""] += 1
            if asked_at and ended_at:
                milliseconds = (ended_at - asked_at).total_seconds() * 1000
                tallies[bot, surface, Measure.REPLY_TIME, str(bucket_of(milliseconds))] += 1
        else:
            tallies[bot, surface, Measure.PERSON if state == Turn.State.PERSON else Measure.WAITING, ""] += 1
        if feedback is not None:
            tallies[bot, surface, Measure.FEEDBACK, str(feedback)] += 1
        question = asked[bot, surface, "" if has_file else normalize(message)]
        question[0] += 1
        question[1] += failed
        question[2] = pk
    return tallies, list(_most_asked(asked))


def _most_asked(asked: dict[tuple, list[int]]) -> Iterable[dict[str, object]]:
    by_bot: dict[int, list[tuple]] = defaultdict(list)
    for (bot, surface, text), (number, failed, turn) in asked.items():
        if text:
            by_bot[bot].append((number, failed, turn, surface, text))
    for bot, questions in by_bot.items():
        for number, failed, turn, surface, text in sorted(questions, reverse=True)[:MOST_QUESTIONS]:
            yield {
                "bot_id": bot,
                "surface": surface,
                "fingerprint": fingerprint(text),
                "number": number,
                "failed": failed,
                "turn_id": turn,
            }


def normalize(message: str) -> str:
    """Return the question without case and punctuation, to group different spellings."""
    return _NO_WORD.sub(" ", message.casefold()).strip()


def fingerprint(text: str) -> str:
    """Return a keyed hash: without SECRET_KEY nobody can test guesses of what was asked."""
    return salted_hmac("desk.statistics.counting", text, algorithm="sha256").hexdigest()[:32]
