"""Asks for a reply as soon as its message is stored, while the browser still draws the waiting line that comes for it.

A few at a time in a process. With more under way each waiting line asks by itself, as it does for a turn that nobody
asks for: that takes one thread for a turn instead of two, and what this gains is little beside what they wait anyhow.
"""

import contextvars
import copy
import logging
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from django.db import connection

from webchat import signals
from webchat.conversation import replies
from webchat.models import Conversation, Turn

logger = logging.getLogger(__name__)

AT_ONCE = 4
LOOK_EVERY = 0.02  # seconds, at a turn that is asked elsewhere
LOOK_FOR = 10.0  # seconds; then the waiting line comes again

_pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="ahead")
_free = threading.BoundedSemaphore(AT_ONCE)
_free_to_look = threading.BoundedSemaphore(AT_ONCE)


class _Asking:
    """One turn's, by a thread of the pool."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.has_begun = threading.Event()
        self.has_ended = threading.Event()
        self.for_one = threading.Lock()

    def run(self) -> None:
        signals.waited.send_robust(Turn, turn=self.turn)  # until a thread was there
        self.has_begun.set()
        try:
            replies.answer(self.turn)
        except (Turn.DoesNotExist, Conversation.DoesNotExist):
            pass  # deleted meanwhile
        except Exception:  # the waiting line's own request will stumble over it too, and tell the visitor
            logger.exception("couldn't be asked ahead turn=%s", self.turn.key)
        finally:
            connection.close()
            signals.waiting.send_robust(Turn, turn=self.turn)
            _under_way.pop(self.turn.pk, None)
            self.has_ended.set()
            _free.release()


_under_way: dict[int, _Asking] = {}  # by the turn's id


def ask(turn: Turn) -> None:
    """Begins to, and returns when the bot is being asked. `turn` stays as it is."""
    if turn.state != Turn.State.PENDING or turn.pk in _under_way or not _free.acquire(blocking=False):
        return
    asking = _under_way[turn.pk] = _Asking(copy.copy(turn))
    try:
        _pool.submit(contextvars.copy_context().run, asking.run)
    except RuntimeError:  # no thread can be had: the waiting line asks by itself
        del _under_way[turn.pk]
        return
    with replies.waiting(turn):
        asking.has_begun.wait()


def come_for(turn: Turn) -> Turn | None:
    """The turn with what has become of it, if this process asks ahead for it; waits until it has.

    For one at a time: each waiting line takes a thread, and a visitor may send many.
    """
    asking = _under_way.get(turn.pk)
    if asking is None or not asking.for_one.acquire(blocking=False):
        return None
    with replies.waiting(turn):
        asking.has_ended.wait()
    return asking.turn


def look_for(turn: Turn) -> bool:
    """Waits for what becomes of a turn that is asked elsewhere, some seconds at most; `turn` holds it then.

    False at once when too many do so. Raises Turn.DoesNotExist when it was deleted meanwhile.
    """
    if not _free_to_look.acquire(blocking=False):
        return False
    try:
        end = time.monotonic() + LOOK_FOR
        while time.monotonic() < end and turn.is_still_asked():
            with replies.waiting(turn):
                time.sleep(LOOK_EVERY)
    finally:
        _free_to_look.release()
    turn.refresh_from_db(from_queryset=Turn.objects.select_related("conversation__bot"))
    return True
