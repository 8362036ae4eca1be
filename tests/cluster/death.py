"""A machine dies while it asks for one message and another waits behind it: the other machine takes up both."""

import threading
import time
import uuid
from collections.abc import Callable

from tests.chaos.upstream import UnreliableUpstream
from tests.chaos.verdict import ask
from tests.chaos.visitors import Message, RandomVisitor
from tests.cluster.machine import Machine

PATIENCE = 180  # seconds
AT_ONCE = 30  # seconds within which all must happen while the first message is being asked
TRIES = 3


def die_while_asking(
    dying: Machine, other: Machine, visitor: RandomVisitor, upstream: UnreliableUpstream, database: str
) -> list[str]:
    """Return what went wrong. The visitor sends the first message again: nobody can know whether it arrived."""
    other.go_down()  # so that nginx sends both to this machine
    tries = (_ask(dying, visitor, upstream, database) for _ in range(TRIES))
    asked, waiting = next((messages for messages in tries if messages), ("", ""))
    try:
        assert asked, f"{dying.name} wasn't seen asking"
        dying.go_down()
        other.come_back()
        _until(lambda: _is_settled(visitor))
        assert (_states(database, asked), _states(database, waiting)) == (["failed"], ["answered"])
        _until(lambda: _send_again(visitor, asked))
        _until(lambda: _is_settled(visitor) and _states(database, asked) == ["answered"])
        times = [[request.message for request in upstream.requests].count(message) for message in (asked, waiting)]
        assert times == [2, 1], f"the upstream was asked {times} times"
    except (TimeoutError, AssertionError) as error:
        return [
            f"{other.name} has to take up {asked!r}: {_states(database, asked)}, {_states(database, waiting)} {error}"
        ]
    finally:
        for machine in (dying, other):
            machine.come_back()
    return []


def _ask(
    machine: Machine, visitor: RandomVisitor, upstream: UnreliableUpstream, database: str
) -> tuple[str, str] | None:
    """Send two messages, the second waiting for the first; return None if the first was answered too soon."""
    asked, waiting = (f"{what} on {machine.name}: {uuid.uuid4()}" for what in ("Asked", "Waiting"))
    visitor.messages |= {asked: Message(), waiting: Message()}
    upstream.will_hang()
    try:
        _post(visitor, asked)
        _until(lambda: _states(database, asked) == ["asking"], AT_ONCE)
        _post(visitor, waiting)
        _until(lambda: _states(database, waiting) == ["pending"], AT_ONCE)
    except TimeoutError:
        return None
    return asked, waiting


def _post(visitor: RandomVisitor, message: str) -> None:
    """Post from another tab, again while nginx knows no machine; don't wait for the answer."""
    _until(visitor.open_page)
    tab = visitor.browser.twin()

    def post_until_accepted() -> None:
        for _ in range(PATIENCE):
            answer = visitor.attempt(tab.post_message, message)
            if answer is None or answer.status == 200:
                return
            time.sleep(1)

    threading.Thread(target=post_until_accepted, daemon=True).start()


def _send_again(visitor: RandomVisitor, message: str) -> bool:
    """Press "Send again" until a machine takes it: nginx may still try the dead one."""
    for button in visitor.browser.page.all("*[@data-action='resend']") if visitor.open_page() else []:
        (turn,) = button.xpath("ancestor::*[@data-turn]")
        if message in turn.text_content():
            visitor.messages[message].asked_again = 1
            answer = visitor.attempt(visitor.browser.submit_live, next(button.iterancestors("form")))
            return answer is not None and answer.status == 200
    return visitor.browser.page is not None  # taken already: the button is gone


def _states(database: str, message: str) -> list[str]:
    return [state for state, text in ask(database, "SELECT state, message FROM webchat_turn") if text == message]


def _is_settled(visitor: RandomVisitor) -> bool:
    if not visitor.open_page():
        return False
    visitor.ask_for_replies()
    return visitor.open_page() and not any(turn.waits for turn in visitor.browser.turns)


def _until(is_so: Callable[[], bool], seconds: float = PATIENCE) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.5)
