"""Generates demo conversations for the desk: a shop's visitors over weeks, with good and bad days."""

import datetime
import math
import random
import secrets
from collections.abc import Iterator

from django.db import transaction
from django.utils import timezone

from desk.statistics.counting import count_day
from desk.statistics.insights import midnight
from webchat.models import Bot, Conversation, Feedback, Surface, Turn

MARK = "demo-"  # real visitor names are hashes, so none starts like this

FIRST = (
    ("When are you open?", "We are open **Monday to Friday** from 9 to 18:30, and on Saturdays from 10 to 16.", 18),
    ("Where is my order?", "Your order is on its way. You find its number in the e-mail from the carrier.", 15),
    (
        "How do I return something?",
        "Within 30 days:\n\n1. Pack it\n2. Stick on the label that came along\n3. Bring it to any post office",
        12,
    ),
    ("What does shipping cost?", "Shipping costs 4.90 €; from 50 € on it is free.", 10),
    ("Can I pay by invoice?", "Yes, from your second order on. Cards and bank transfer work at once.", 8),
    ("Do you repair bicycles?", "Yes. A repair takes about three days; bring it by without an appointment.", 7),
    ("Is the blue one still in stock?", "The blue one is in stock in sizes S and M.", 6),
    ("Do you ship to Switzerland?", "Yes, within five days. Duties are paid at the door.", 5),
    ("I forgot my password", "Choose *Forgot password* at the sign-in, and we send you a link.", 5),
    ("What warranty is there?", "Two years on everything we sell. Keep the receipt.", 4),
    (
        "Can I change my delivery address?",
        "As long as the parcel hasn’t left: write to shop@example.com with your order’s number.",
        4,
    ),
    ("Gibt es einen Parkplatz?", "Ja, hinter dem Haus, die erste Stunde ist frei.", 3),
    ("هل تشحنون إلى دبي؟", "نعم، خلال **سبعة أيام** تقريبًا.", 2),
    ("Do you have gift cards?", "Yes, from 10 € on, to print or in a nice envelope.", 2),
    ("How long does a tyre last?", "That depends on the road: about 5,000 km.", 1),
)
NEXT = (
    ("And on Sundays?", "We are closed on Sundays.", 6),
    ("Thank you!", "You’re welcome. Is there anything else?", 8),
    ("How long does it take?", "Two to three working days.", 5),
    ("Can I talk to a person?", "Yes: call 030 123456 or use *Contact us*.", 3),
    ("I don’t understand", "Sorry. Let me put it in other words: tell me your order’s number, and I look it up.", 2),
)
SURFACES = ((Surface.CHAT, 52), (Surface.EMBED, 36), (Surface.PORTAL, 8), (Surface.KIOSK, 4))
FAILURES = (
    ("BOT_UNAVAILABLE", 40),
    ("NO_ANSWER", 25),
    ("RATE_LIMITED", 15),
    ("INTERNAL_ERROR", 12),
    ("UNREACHABLE", 8),
)
HOURS = tuple(max(0.02, math.exp(-((hour - 14.5) ** 2) / 22)) for hour in range(24))
BATCH = 1000


def create(bots: list[Bot], days: int, conversations_a_day: int, seed: int = 1) -> int:
    """Create conversations up to now, update the statistics, and return the number of conversations."""
    dice = random.Random(seed)  # noqa: S311 - reproducible, not secret
    today = timezone.localdate()
    bad_days = set(dice.sample(range(days), k=min(days, 1 + days // 30)))
    made = 0
    for ago in range(days - 1, -1, -1):
        day = today - datetime.timedelta(days=ago)
        trend = 0.6 + 0.8 * (days - ago) / days
        weekday = (1.0, 1.1, 1.05, 1.0, 0.9, 0.55, 0.35)[day.weekday()]
        for share, bot in enumerate(bots, start=1):
            wanted = conversations_a_day * trend * weekday * dice.uniform(0.8, 1.2) / share
            made += _make_day(dice, bot, day, round(wanted), bad=ago in bad_days)
        count_day(day)
    return made


def remove() -> int:
    """Delete all demo conversations and recount their days; return how many were deleted."""
    marked = Conversation.objects.filter(visitor__startswith=MARK)
    days = set(Turn.objects.filter(conversation__in=marked).dates("created_at", "day"))
    removed = 0
    while batch := list(marked.values_list("pk", flat=True)[:BATCH]):
        Conversation.objects.filter(pk__in=batch).delete()
        removed += len(batch)
    for day in sorted(days):
        count_day(day)
    return removed


def _make_day(dice: random.Random, bot: Bot, day: datetime.date, number: int, *, bad: bool) -> int:
    now = timezone.now()
    conversations, turns = [], []
    for _ in range(number):
        at = midnight(day) + datetime.timedelta(seconds=(dice.choices(range(24), HOURS)[0] + dice.random()) * 3600)
        if at > now:
            continue
        conversation = Conversation(
            bot=bot,
            surface=_one_of(dice, SURFACES),
            visitor=MARK + secrets.token_hex(16),
            is_present=False,
            started_at=at,
            last_at=at,
            ended_at=at + datetime.timedelta(minutes=30),
        )
        conversations.append(conversation)
        turns += _turns(dice, conversation, at, failing=0.35 if bad and 10 <= at.hour < 14 else 0.02, slow=bad)
    with transaction.atomic():
        Conversation.objects.bulk_create(conversations, batch_size=BATCH)
        Turn.objects.bulk_create(turns, batch_size=BATCH)
    return len(conversations)


def _turns(
    dice: random.Random, conversation: Conversation, at: datetime.datetime, *, failing: float, slow: bool
) -> Iterator[Turn]:
    for position in range(1 + min(7, int(dice.expovariate(0.7)))):
        message, reply = _exchange(dice, first=position == 0)
        seconds = min(58, dice.lognormvariate(0.9 + 0.5 * slow, 0.55))
        turn = Turn(conversation=conversation, message=message, created_at=at, asked_at=at, attempt=1)
        turn.ended_at = at + datetime.timedelta(seconds=seconds)
        if dice.random() < failing:
            turn.state, turn.code, turn.failures = Turn.State.FAILED, _one_of(dice, FAILURES), 1
        else:
            turn.state, turn.reply = Turn.State.ANSWERED, reply
            if dice.random() < 0.12:
                turn.feedback = Feedback.DOWN if dice.random() < (0.5 if slow else 0.18) else Feedback.UP
                turn.feedback_at = turn.ended_at + datetime.timedelta(seconds=8)
        yield turn
        at = turn.ended_at + datetime.timedelta(seconds=dice.uniform(5, 90))


def _exchange(dice: random.Random, *, first: bool) -> tuple[str, str]:
    known = FIRST if first or dice.random() < 0.3 else NEXT
    message, reply, _weight = dice.choices(known, [weight for *_, weight in known])[0]
    if dice.random() < 0.3:
        message = dice.choice(
            (
                message.lower(),
                message.rstrip("?!"),
                f"Hello, {message}",
                f"{message} Order {dice.randrange(10000, 99999)}",
            )
        )
    return message, reply


def _one_of(dice: random.Random, weighted: tuple[tuple[str, int], ...]) -> str:
    return dice.choices([name for name, _ in weighted], [weight for _, weight in weighted])[0]
