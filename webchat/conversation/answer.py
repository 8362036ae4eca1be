"""Answers a turn: asks the upstream and stores the outcome, or waits for the request that already does."""

import datetime
import logging
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from django.conf import settings
from django.db import (
    DatabaseError,
    InterfaceError,
    OperationalError,
    close_old_connections,
    connection,
)
from django.utils import timezone

from outbound.concurrency_limit import waiting
from outbound.deadline import Deadline
from webchat import signals
from webchat.conversation.erasure import erase_copies_of
from webchat.limits import budget, circuit
from webchat.models import Bot, Turn
from webchat.notifications import alarms
from webchat.upstream import failure_rules
from webchat.upstream.client import Refused, Reply, UpstreamError, client_for

logger = logging.getLogger(__name__)
T = TypeVar("T")

# Seconds between the attempts to store an outcome while the database is away.
PAUSES = (0.2, 1, 3, 6)

LONGEST_WAIT = 10.0  # seconds to wait for another request's answer; then the waiting line asks again
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 0.5  # seconds between two checks; each pause is half as long again
# Requests of this process that may wait like this: most threads stay free for new messages.
MOST_WAITING = 64
_places_to_wait = threading.BoundedSemaphore(MOST_WAITING)


def answer(turn: Turn) -> None:
    """Ask the upstream for a pending turn and store the outcome in it, unless another request is asking already.

    Blocks for at most settings.CHAT_TIMEOUT seconds, without a database connection. The turn stays as it is if another
    request is asking for it, or if it waits for an earlier turn of its conversation.
    """
    if not turn.is_waiting:
        return
    # Before the claim, so that a slow database doesn't make the turn look lost.
    deadline = Deadline(settings.CHAT_TIMEOUT)
    # A turn whose worker died, this one or one that blocks it, fails first.
    if not turn.claim() and not (turn.conversation.turns.give_up_on_lost() and turn.claim()):
        turn.refresh_from_db(from_queryset=Turn.objects.select_related("conversation__bot"))
        return
    signals.asking.send_robust(Turn, turn=turn)  # robust: a count that fails costs no reply
    try:
        _answer_claimed(turn, deadline)
    finally:
        signals.asked.send_robust(Turn, turn=turn, seconds=deadline.seconds_passed())


def answer_or_wait(turn: Turn) -> bool:
    """Answer the turn, or wait up to LONGEST_WAIT seconds for the request that does; return whether it waited.

    Raises Turn.DoesNotExist if the turn has been deleted in the meantime.
    """
    answer(turn)
    if not turn.is_waiting or not _places_to_wait.acquire(blocking=False):
        return False
    try:
        has_waited = _wait_while_conversation_is_asked(turn)
    finally:
        _places_to_wait.release()
    answer(turn)  # even without a wait: the other request may just have stored the outcome
    return has_waited


def _wait_while_conversation_is_asked(turn: Turn) -> bool:
    end, pause, has_waited = time.monotonic() + LONGEST_WAIT, FIRST_PAUSE, False
    while turn.is_blocked() and time.monotonic() < end:
        close_old_connections()
        with waiting():
            time.sleep(pause)
        pause, has_waited = min(pause * 1.5, LONGEST_PAUSE), True
    return has_waited


def _answer_claimed(turn: Turn, deadline: Deadline) -> None:
    bot = turn.conversation.bot
    if refusal := bot.refusal_code:
        _fail(turn, deadline, refusal)
        return
    try:
        call = circuit.start_call(turn.conversation)
        day = budget.reserve(bot) if bot.daily_budget else None
    except circuit.CircuitOpen as refusal:
        _fail(turn, deadline, failure_rules.UNREACHABLE, not_before=refusal.until, tells_owner=False)
    except budget.BudgetSpent as refusal:
        call.record_not_sent()
        _fail(turn, deadline, failure_rules.BUDGET_SPENT, not_before=refusal.until, tells_owner=refusal.is_first)
    except DatabaseError:
        _fail(turn, deadline, failure_rules.NOT_COUNTED)  # a message that can't be counted isn't sent
    else:
        _ask_and_store(turn, deadline, call, day)


def _ask_and_store(turn: Turn, deadline: Deadline, call: circuit.Call, day: datetime.date | None) -> None:
    """`day`: the day whose budget the message was taken from; None if the bot has no budget."""
    close_old_connections()  # wait without a database connection
    try:
        reply = _ask(turn, deadline)
    except UpstreamError as error:
        if day and not error.requests_made:
            _give_back(turn.conversation.bot, day)
        wait = error.retry_after
        not_before = None if wait is None else timezone.now() + datetime.timedelta(seconds=wait)
        _store_with_retries(partial(_fail, turn, deadline, error.code, not_before=not_before))
        _report(call, error)
    else:
        try:
            _store_with_retries(partial(turn.store_reply, reply.text, reply.chat_id or "", reply.outcome))
        except Turn.DoesNotExist:
            erase_copies_of([turn])  # the turn was deleted while it was asked, before the upstream had a copy to delete
            raise
        call.record_answer()
        _log(logging.INFO, "answered", turn, deadline, requests=reply.requests_made)


def _ask(turn: Turn, deadline: Deadline) -> Reply:
    """Ask; if the upstream no longer knows the conversation, start the turn over and ask again without the chat_id."""
    bot = turn.conversation.bot
    client = client_for(bot.upstream_url, bot.upstream_key)
    chat_id = turn.conversation.chat_id or None
    may_retry = partial(_may_ask_again, turn)
    try:
        with waiting():
            return client.ask(turn.message, chat_id, deadline=deadline, may_retry=may_retry)
    except Refused as refusal:
        if refusal.code != "CHAT_NOT_FOUND" or chat_id is None:
            raise
        logger.info("the upstream had ended the conversation bot=%s turn=%s", bot.slug, turn.key)
        if not _store_with_retries(turn.start_over):
            raise
    close_old_connections()
    with waiting():
        return client.ask(turn.message, None, deadline=deadline, may_retry=may_retry)


def _may_ask_again(turn: Turn) -> bool:
    """Return whether the upstream may be asked again: not if a person has taken over or the database is away."""
    try:
        return turn.is_still_the_bots()
    except DatabaseError:
        return False
    finally:
        close_old_connections()


def _give_back(bot: Bot, day: datetime.date) -> None:
    """Give the message back to the day's budget. Don't retry: given back twice, it would raise the budget."""
    try:
        budget.give_back(bot, day)
    except DatabaseError as error:
        logger.warning("a message that wasn't sent stays counted bot=%s error=%s", bot.slug, type(error).__name__)
        connection.close()


def _report(call: circuit.Call, error: UpstreamError) -> None:
    if error.is_outage:
        call.record_no_answer()
    elif error.requests_made:
        call.record_answer()
    else:
        call.record_not_sent()


def _store_with_retries(store: Callable[[], T]) -> T:
    """Store the outcome, and retry while the database is away: an outcome that isn't stored is lost."""
    for pause in PAUSES:
        try:
            return store()
        except (OperationalError, InterfaceError) as error:
            logger.warning("an outcome waits for the database error=%s", type(error).__name__)
            connection.close()
            with waiting():
                time.sleep(pause)
    return store()


def _fail(
    turn: Turn,
    deadline: Deadline,
    code: str,
    *,
    not_before: datetime.datetime | None = None,
    tells_owner: bool = True,
) -> None:
    """Store the failure. `tells_owner`: also log it and raise an alarm as failure_rules says."""
    turn.store_failure(code, not_before=not_before)
    level = failure_rules.rule(code).level if tells_owner else logging.INFO
    known = failure_rules.presentable(code) or (code if code in failure_rules.RULES else "UNKNOWN")
    _log(level, "failed", turn, deadline, code=known)
    if tells_owner:
        alarms.raise_alarm_for(turn, code)


def _log(level: int, what: str, turn: Turn, deadline: Deadline, **more: object) -> None:
    """Log the fields as text and as `extra`: never a message, a key or the upstream's text."""
    if not logger.isEnabledFor(level):
        return
    facts = {"bot": turn.conversation.bot.slug, "turn": str(turn.key), **more, "attempt": turn.attempt}
    facts["ms"] = round(deadline.seconds_passed() * 1000)
    logger.log(level, f"{what} " + " ".join([f"{name}={value}" for name, value in facts.items()]), extra=facts)
