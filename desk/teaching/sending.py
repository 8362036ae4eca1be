"""Periodic task: sends each new question to teach to the webhook of its bot, where that is switched on."""

from collections.abc import Iterator

from desk.teaching.questions import to_teach, turns_of
from webchat.models import Bot, Channel, Delivery

DAYS = 1  # older questions are only in the list and its CSV


def send_new() -> None:
    """Queue the questions of the last day that have not been sent; the outbox signs and delivers them."""
    for bot in Bot.objects.filter(sends_questions=True).exclude(webhook_url=""):
        Delivery.objects.bulk_create(_new(bot), ignore_conflicts=True)  # another process may run the task, too


def _new(bot: Bot) -> Iterator[Delivery]:
    questions = to_teach(turns_of(bot), DAYS)
    sent = set(Delivery.objects.filter(turn__in=[one.turn for one in questions]).values_list("turn", flat=True))
    for one in questions:
        if one.turn not in sent:
            told = {"question": one.text, "reason": one.reason, "conversation": str(one.conversation)}
            yield Delivery(turn_id=one.turn, channel=Channel.WEBHOOK, question=told)
