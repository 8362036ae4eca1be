"""A visitor asks for a person: the request is stored first, together with its deliveries."""

import datetime
import uuid
from collections.abc import Iterable, Sequence

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone, translation

from webchat.conversation.accept import KeyAlreadyUsed
from webchat.limits import rates
from webchat.models import Bot, Channel, Delivery, Detail, Handover, Turn

HOUR = datetime.timedelta(hours=1)
PER_IP = 4  # times as many as per visitor


class TooManyRequests(Exception):
    """The visitor has used up the requests of an hour."""


def store_request(
    visitor: str,
    bot: Bot,
    surface: str,
    *,
    key: uuid.UUID,
    email: str,
    message: str,
    details: Sequence[Detail] = (),
    last_turn: Turn | None = None,
    is_suspect: bool = False,
) -> Handover:
    """Store the request, with what the visitor told about themselves. The same form sent twice is one request.

    `last_turn`: how far the transcript may be shown. Raises KeyAlreadyUsed.
    """
    known = Handover.objects.filter(key=key).select_related("bot").first()
    if known is None:
        try:
            with transaction.atomic():
                handover = Handover.objects.create(
                    key=key,
                    bot=bot,
                    surface=surface,
                    visitor=visitor,
                    conversation=last_turn and last_turn.conversation,
                    last_turn=last_turn,
                    email=email,
                    message=message,
                    language=translation.get_language() or "",
                    is_suspect=is_suspect,
                )
                for detail in details:
                    detail.handover = handover
                Detail.objects.bulk_create(details)
                if not is_suspect:
                    queue_deliveries(handover)
            return handover
        except IntegrityError:  # the same form was sent twice at once
            known = Handover.objects.select_related("bot").get(key=key)
    if (known.visitor, known.bot, known.email, known.message) != (visitor, bot, email, message):
        raise KeyAlreadyUsed
    return known


def queue_deliveries(handover: Handover) -> None:
    """Queue a delivery for each way in which the bot's people are notified; also when the owner sends it again."""
    Delivery.objects.bulk_create(Delivery(handover=handover, channel=each) for each in _channels(handover.bot))


def _channels(bot: Bot) -> Iterable[str]:
    if bot.handover_email:
        yield Channel.EMAIL
    if bot.webhook_url:
        yield Channel.WEBHOOK


def count_request(key: uuid.UUID, visitor: str | None, origin: str | None) -> None:
    """Count a new request before it is taken, for the visitor and for the IP address. Raises TooManyRequests.

    `visitor` is None without a session: a program without cookies never has one. `origin`: a hash of the IP.
    """
    most = settings.REQUESTS_PER_HOUR
    if not most or Handover.objects.filter(key=key).exists():
        return
    lately = Handover.objects.filter(visitor=visitor, created_at__gt=timezone.now() - HOUR)
    if lately.count() >= most:
        raise TooManyRequests
    if origin and rates.count_attempt(f"requests:{origin}", PER_IP * most, int(HOUR.total_seconds())):
        raise TooManyRequests
