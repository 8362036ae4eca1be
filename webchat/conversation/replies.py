"""The one use case: take a message as a turn, ask the upstream, store what became of it."""

import datetime
import logging
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial

from django.conf import settings
from django.db import DatabaseError, IntegrityError, InterfaceError, OperationalError, connection, transaction
from django.utils import timezone

from outbound.deadline import Deadline
from webchat import signals
from webchat.limits import circuit, rates
from webchat.models import Bot, Conversation, Surface, Turn
from webchat.notifications import alarms
from webchat.upstream import failure_rules
from webchat.upstream.client import Refused, Reply, UpstreamClient, UpstreamError

logger = logging.getLogger(__name__)

# Seconds between the attempts to store an outcome that may have cost a message, while the database is away.
PAUSES = (0.2, 1, 3, 6)


class NotAdmitted(Exception):
    """The bot takes no message now, or not this visitor's yet; `code` is the playbook's."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class KeyAlreadyUsed(Exception):
    """The form's key belongs to another message: this one has to be sent with a fresh key."""


def admit(visitor: str | None, bot: Bot, *, agreed: bool) -> None:
    """Before anything is stored, a session included. Raises NotAdmitted."""
    if code := _shut(bot):
        raise NotAdmitted(code)
    if not agreed and has_to_agree(visitor, bot):
        raise NotAdmitted(failure_rules.CONSENT_MISSING)


def refuse_key_of_another(key: uuid.UUID, find_visitor: Callable[[], str | None]) -> None:
    """Before a session is made for who is new. Raises KeyAlreadyUsed.

    The visitor is looked for after the turn: whoever stored that had a session by then.
    """
    owner = Turn.objects.filter(key=key).values_list("conversation__visitor", flat=True).first()
    if owner is not None and owner != find_visitor():
        raise KeyAlreadyUsed


def has_to_agree(visitor: str | None, bot: Bot) -> bool:
    """Each visitor is asked once by each bot, and again when its text has changed."""
    return bool(bot.consent) and not Conversation.objects.agreed(visitor, bot).exists()


def _shut(bot: Bot) -> str:
    """The code for why nothing may be sent upstream; "" when it may."""
    if not bot.switched_on:
        return failure_rules.SWITCHED_OFF
    return "" if bot.takes_messages else failure_rules.CLOSED


def take(
    visitor: str,
    bot: Bot,
    surface: str,
    key: uuid.UUID,
    message: str,
    public_id: uuid.UUID | None = None,
    within: Iterable[rates.Limit] = (),
) -> Turn:
    """Stores the message as a pending turn before anything is sent; `public_id` names a conversation of the portal.

    The same form sent twice gives the same turn and counts once, by the visitor and `within` other limits. Raises
    KeyAlreadyUsed, limits.TooManyMessages, limits.TooManyConversations, and Conversation.DoesNotExist.
    """
    try:
        with transaction.atomic():
            # First, because on PostgreSQL it holds the visitor's other messages up until this one is stored.
            rates.count_message(visitor, within)
            if surface == Surface.PORTAL:
                conversation = Conversation.objects.named_or_begin(visitor, bot, public_id)
            else:
                conversation = Conversation.objects.open_or_begin(visitor, bot, surface)
            conversation.touch()
            if conversation.has_begun:
                rates.count_conversation(visitor)
            conversation.agree(bot.consent)
            return Turn.objects.begin(conversation, key, message)
    except (IntegrityError, rates.TooManyMessages, rates.TooManyConversations):
        known = _turn_with(key, visitor, bot, surface, message)
        if known is None:
            raise
        return known


def _turn_with(key: uuid.UUID, visitor: str, bot: Bot, surface: str, message: str) -> Turn | None:
    known = Turn.objects.filter(key=key).select_related("conversation__bot").first()
    if known is None:
        return None
    place = known.conversation
    elsewhere = place.surface != surface and surface != Surface.PORTAL  # which shows what was said on all of them
    if elsewhere or (place.visitor, place.bot, place.ended_at) != (visitor, bot, None):
        raise KeyAlreadyUsed
    if known.message != message:
        raise KeyAlreadyUsed
    return known


def answer(turn: Turn) -> None:
    """Asks the upstream for a pending turn, if nobody else does; afterwards the turn holds what became of it.

    Blocks for at most settings.CHAT_TIMEOUT seconds, without a database connection. A turn that is being asked
    elsewhere, or that another turn of the conversation is in the way of, is left as it is.
    """
    if not turn.is_waiting:
        return
    deadline = Deadline(settings.CHAT_TIMEOUT)  # from here on, so that no wait for the database lets it look lost
    if not _claim(turn):
        turn.refresh_from_db(from_queryset=Turn.objects.select_related("conversation__bot"))
        return
    started = time.monotonic()
    signals.asking.send_robust(Turn, turn=turn)
    try:
        _answer(turn, deadline)
    finally:
        signals.asked.send_robust(Turn, turn=turn, seconds=time.monotonic() - started)


def _answer(turn: Turn, deadline: Deadline) -> None:
    """What is left to do for a turn that is claimed."""
    bot = turn.conversation.bot
    started = time.monotonic()
    if code := _shut(bot):
        _fail(turn, code, started)
        return
    try:
        passage = circuit.enter(turn.conversation)
        day = rates.reserve(bot)
    except circuit.Open as refusal:
        _fail(turn, failure_rules.UNREACHABLE, started, not_before=refusal.until, is_news=False)
    except rates.BudgetSpent as refusal:
        passage.not_asked()
        _fail(turn, failure_rules.BUDGET_SPENT, started, not_before=refusal.until, is_news=refusal.is_first)
    except DatabaseError:
        _fail(turn, failure_rules.NOT_COUNTED, started)  # what isn't counted isn't sent
    else:
        _ask_and_store(turn, deadline, passage, day)


def _ask_and_store(turn: Turn, deadline: Deadline, passage: circuit.Passage, day: datetime.date) -> None:
    started = time.monotonic()
    try:
        reply, started_over = _ask(turn, deadline)
    except UpstreamError as error:
        if not error.requests_made:
            _give_back(turn.conversation.bot, day)
        wait = error.retry_after
        not_before = None if wait is None else timezone.now() + datetime.timedelta(seconds=wait)
        forget = error.code == "CHAT_NOT_FOUND"
        _insist(partial(_fail, turn, error.code, started, not_before=not_before, forget_chat_id=forget))
        _report(passage, error)
    else:
        kept = "" if started_over else turn.conversation.chat_id
        _insist(partial(turn.store_reply, reply.text, reply.chat_id or kept, started_over=started_over))
        passage.answered()
        _tell(logging.INFO, "answered", turn, started, requests=reply.requests_made)


def ask_again(turn: Turn, within: Iterable[rates.Limit] = ()) -> None:
    """failed → pending at the visitor's wish; too early, the turn keeps its alert, which says how long to wait."""
    if turn.state != Turn.State.FAILED or turn.seconds_to_wait:
        return
    try:
        with transaction.atomic():
            rates.count_message(turn.conversation.visitor, within)
    except rates.TooManyMessages as refusal:
        turn.wait_until(timezone.now() + datetime.timedelta(seconds=refusal.wait))
    else:
        turn.ask_again()


def _claim(turn: Turn) -> bool:
    """Also when a turn whose worker died stands in the way, or is this one: that turn has failed, then."""
    return turn.claim() or (turn.conversation.turns.give_up_on_lost() > 0 and turn.claim())


def _ask(turn: Turn, deadline: Deadline) -> tuple[Reply, bool]:
    """The reply, and whether the upstream had forgotten the conversation, so that this turn began a new one."""
    client = turn.conversation.bot.client()
    chat_id = turn.conversation.chat_id or None
    try:
        return _wait_for(client, turn, chat_id, deadline), False
    except Refused as refusal:
        if refusal.code != "CHAT_NOT_FOUND" or chat_id is None:
            raise
    logger.info("the upstream had ended the conversation bot=%s turn=%s", turn.conversation.bot.slug, turn.key)
    return _wait_for(client, turn, None, deadline), True


def _wait_for(client: UpstreamClient, turn: Turn, chat_id: str | None, deadline: Deadline) -> Reply:
    with waiting(turn):
        return client.ask(turn.message, chat_id, deadline=deadline)


@contextmanager
def waiting(turn: Turn) -> Iterator[None]:
    """Costs a thread and nothing else: no database connection, no place among those who work."""
    if not connection.in_atomic_block:  # a test's own transaction can't be left
        connection.close()
    signals.waiting.send_robust(Turn, turn=turn)
    try:
        yield
    finally:
        signals.waited.send_robust(Turn, turn=turn)


def _give_back(bot: Bot, day: datetime.date) -> None:
    """Once at most: done twice, more would be sent than the day has."""
    try:
        rates.give_back(bot, day)
    except DatabaseError as error:
        logger.warning("a message that wasn't sent stays counted bot=%s error=%s", bot.slug, type(error).__name__)
        connection.close()


def _report(passage: circuit.Passage, error: UpstreamError) -> None:
    if error.nobody_there:
        passage.not_there()
    elif error.requests_made:
        passage.answered()
    else:
        passage.not_asked()


def _insist(store: Callable[[], None]) -> None:
    """Stores it as soon as the database is back; nobody would ever know what the message has brought."""
    for pause in PAUSES:
        try:
            return store()
        except (OperationalError, InterfaceError) as error:
            if connection.in_atomic_block:
                raise
            logger.warning("an outcome waits for the database error=%s", type(error).__name__)
            connection.close()
            time.sleep(pause)
    return store()


def _fail(
    turn: Turn,
    code: str,
    started: float,
    *,
    not_before: datetime.datetime | None = None,
    forget_chat_id: bool = False,
    is_news: bool = True,
) -> None:
    """`is_news`: is the owner to be told, as loudly as the playbook says?"""
    turn.store_failure(code, not_before=not_before, forget_chat_id=forget_chat_id)
    level = failure_rules.rule(code).level if is_news else logging.INFO
    known = failure_rules.presentable(code) or (code if code in failure_rules.RULES else "UNKNOWN")
    _tell(level, "failed", turn, started, code=known)
    if is_news:
        alarms.note(turn, code)


def _tell(level: int, what: str, turn: Turn, started: float, **more: object) -> None:
    """One line for the owner: never a text, a key or an upstream's words. The same is in the record's fields."""
    facts = {"bot": turn.conversation.bot.slug, "turn": str(turn.key), **more, "attempt": turn.attempt}
    facts["ms"] = round((time.monotonic() - started) * 1000)
    logger.log(level, f"{what} " + " ".join(f"{name}={value}" for name, value in facts.items()), extra=facts)
