"""Tells an open page what is new while the queue or a person leads; its token says what it already shows.

A token holds ids and a count, never content, and gives no access: only the visitor's own session is told what is new.
"""

import datetime
import time
from dataclasses import dataclass, field, replace

from django.core import signing
from django.utils import timezone

from webchat.models import Conversation, Entry, Turn, hot_queries
from webchat.models.hot_queries import as_parameter

FRESH_FOR = 20  # seconds at most; an older token is replaced, and the visitor counts as present
TYPING_IS_OVER = datetime.timedelta(minutes=1)  # and the page has polled since
_SALT = "webchat updates"


@dataclass(frozen=True)
class Shown:
    """What a page shows: the ids of its last turn and entry, and the conversation's `changes` at that time."""

    conversation: int
    changes: int = 0
    turn: int = 0
    entry: int = 0
    is_fresh: bool = field(default=True, compare=False)

    @property
    def token(self) -> str:
        numbers = [self.conversation, self.changes, self.turn, self.entry, _period_of(self.conversation)]
        return signing.dumps(numbers, salt=_SALT)

    @property
    def is_up_to_date(self) -> bool:
        """Return whether nothing is new for the page, with one statement.

        With an old token the visitor counts as present again. A page that may show something that ends by itself
        (waiting, typing) gets a new answer.
        """
        if self.is_fresh:
            unchanged = hot_queries.first_row(hot_queries.CONVERSATION_UNCHANGED, [self.conversation, self.changes])
        else:
            now = timezone.now()
            moments = [as_parameter(moment) for moment in (now, now - TYPING_IS_OVER)]
            parameters = [moments[0], self.conversation, self.changes, moments[1]]
            unchanged = hot_queries.first_row(hot_queries.RECORD_VISIT_IF_UNCHANGED, parameters)
        return unchanged is not None


def _period_of(conversation: int) -> int:
    """Return the number of the current FRESH_FOR seconds, which begin at another moment for each conversation.

    Path not taken: to count from the token's creation. Pages that got theirs at the same moment, as after a restart,
    would all record their visitors' presence at the same moment, every 20 seconds, and delay messages sent then.
    """
    return int((time.time() + conversation) / FRESH_FOR)


def read(token: str | None) -> Shown | None:
    """Return what the page with this token shows; None for a token that isn't ours."""
    try:
        numbers = signing.loads(token or "", salt=_SALT)
    except signing.BadSignature:
        return None
    shown, period = numbers[:4], numbers[4:]  # the tokens of earlier versions have no period
    return Shown(*shown, is_fresh=period == [_period_of(shown[0])])


def shown_in(conversation: Conversation, turns: list[Turn], entries: list[Entry]) -> Shown:
    """Return what a page with all of these shows. Read `conversation` before them, so that nothing is missed."""
    last_turn, last_entry = (max((each.pk for each in items), default=0) for items in (turns, entries))
    return Shown(conversation.pk, conversation.changes, last_turn, last_entry)


def since(conversation: Conversation, shown: Shown) -> dict[str, object]:
    """Return, for the template, the turns and entries that the page doesn't show yet, and its new token."""
    turns = list(conversation.turns.filter(pk__gt=shown.turn))
    last_turn = max([shown.turn, *(turn.pk for turn in turns)])
    entries = list(conversation.entries.for_visitors().up_to(last_turn).filter(pk__gt=shown.entry))
    now = shown_in(conversation, turns, entries)
    now = replace(now, turn=max(now.turn, shown.turn), entry=max(now.entry, shown.entry))
    redrawn = []
    if conversation.is_led_by_bot and not turns:
        last = conversation.turns.order_by("-pk").first()
        if last and last.can_go_to_bot:  # the visitor may send it to the bot now
            last.offers_bot = True
            redrawn = [last]
    context = {"turns": turns, "entries": entries, "shown": now, "conversation": conversation, "bot": conversation.bot}
    return context | {"redrawn": redrawn}
