"""Accepts a message: decides whether the bot takes it, and stores it as a pending turn before anything is sent."""

import datetime
import uuid
from collections.abc import Iterable, Sequence

from django.db import IntegrityError, transaction
from django.utils import timezone

from webchat.limits import rates
from webchat.limits.proof_of_work import NotProven
from webchat.models import Bot, Conversation, Detail, Surface, Turn
from webchat.upstream import failure_rules


class NotAdmitted(Exception):
    """The bot takes no messages at the moment, or none from this visitor yet. `code` is one of failure_rules."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class KeyAlreadyUsed(Exception):
    """The form's key belongs to another message, file or request: send this one again with a new key."""


def admit(visitor: str | None, bot: Bot, agreed_to: str) -> None:
    """Check that the bot takes messages from this visitor, before a session is stored for them. Raises NotAdmitted.

    `agreed_to`: the version of the consent text that the visitor has just agreed to.
    """
    if bot.refusal_code and not Conversation.objects.with_people(visitor, bot).exists():
        raise NotAdmitted(bot.refusal_code)
    if has_to_agree(visitor, bot) and agreed_to != bot.consent_version:
        raise NotAdmitted(failure_rules.CONSENT_MISSING)


def has_to_agree(visitor: str | None, bot: Bot) -> bool:
    """Return whether the visitor still has to agree to the bot's consent text, or to its new version."""
    return bool(bot.words.consent) and not Conversation.objects.agreed(visitor, bot).exists()


def accept(
    visitor: str,
    bot: Bot,
    surface: str,
    key: uuid.UUID,
    message: str,
    public_id: uuid.UUID | None = None,
    limits: Iterable[rates.Limit] = (),
    details: Sequence[Detail] = (),
    is_proven: bool = True,
) -> Turn:
    """Store the message as a pending turn; `public_id` names a conversation of the portal.

    `details`: what the visitor told about themselves with it. `is_proven`: may it go to the bot?
    The same form sent twice gives the same turn and counts once, by the visitor and in the other `limits`. Raises
    KeyAlreadyUsed, NotProven, rates.TooManyMessages, rates.TooManyConversations, and Conversation.DoesNotExist.
    """
    try:
        with transaction.atomic():
            # First: on PostgreSQL its lock makes the visitor's other messages wait until this one is stored.
            rates.count_message(visitor, limits)
            conversation = Conversation.objects.open_or_begin(visitor, bot, surface, public_id)
            if conversation.is_led_by_bot and not is_proven:  # when the proof was checked, people led it
                raise NotProven(failure_rules.PROOF_EXPIRED)
            conversation.touch()
            if conversation.is_new:
                rates.count_conversation(visitor)
            conversation.agree()
            if not conversation.is_led_by_bot:
                conversation.notify_pages(visitor_typing_at=None)
            turn = Turn.objects.begin(conversation, key, message)
            if details:
                conversation.store_details(details)
            return turn
    except (IntegrityError, rates.TooManyMessages, rates.TooManyConversations):
        known = _turn_with_key(key, visitor, bot, surface, message)
        if known is None:
            raise
        return known


def _turn_with_key(key: uuid.UUID, visitor: str, bot: Bot, surface: str, message: str) -> Turn | None:
    """Return the turn if this same message was stored before. Raises KeyAlreadyUsed if another one has the key."""
    known = Turn.objects.filter(key=key).select_related("conversation__bot").first()
    if known is None:
        return None
    stored = known.conversation
    elsewhere = stored.surface != surface and surface != Surface.PORTAL  # the portal shows those of all surfaces
    is_same = (stored.visitor, stored.bot, stored.ended_at, known.message) == (visitor, bot, None, message)
    if elsewhere or not is_same:
        raise KeyAlreadyUsed
    return known


def ask_again(turn: Turn, limits: Iterable[rates.Limit] = ()) -> None:
    """Ask again for a turn that failed or that no person answered; if it is too early, the turn keeps its alert."""
    if turn.state not in (Turn.State.FAILED, Turn.State.PERSON) or turn.seconds_to_wait:
        return
    if turn.state == Turn.State.PERSON and turn.conversation.bot.asks_for_proof:
        return  # people need no proof, so it may have come without one
    try:
        with transaction.atomic():
            rates.count_message(turn.conversation.visitor, limits)
    except rates.TooManyMessages as refusal:
        turn.wait_until(timezone.now() + datetime.timedelta(seconds=refusal.wait))
    else:
        turn.ask_again()
