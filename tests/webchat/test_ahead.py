"""A reply is asked for when its message is stored; the waiting line comes for it, to this process or to another."""

import datetime
import logging
import threading
import time
from collections.abc import Callable
from functools import partial

import pytest
from django.utils import timezone

from tests.webchat.at_once import in_the_background, somebody_has_come_for_it, wait_until
from tests.webchat.upstream_server import UpstreamServer
from tests.webchat.visitor import Page, Visitor
from webchat import ahead
from webchat.conversation import replies
from webchat.models import Bot, Turn


@pytest.fixture
def visitor(bot_on_disk: Bot, visitor: Visitor) -> Visitor:
    return visitor


def trigger_of(fragment: Page) -> str:
    return fragment.one("form[@data-waiting]").get("hx-trigger")


def stored_reply() -> str:
    return Turn.objects.get().reply


def asked_by_another_process(visitor: Visitor) -> Page:
    sent = visitor.post_message("Hello")
    Turn.objects.update(state=Turn.State.ASKING, asked_at=timezone.now(), attempt=1)
    return sent


def test_the_bot_is_asked_before_the_waiting_line_asks(visitor: Visitor, upstream: UpstreamServer) -> None:
    sent = visitor.post_message("Hello")
    upstream.wait_for_requests(1)
    assert sent.turns[0].waits
    assert visitor.ask_for_the_reply(sent).turns[0].reply == "You said: Hello"
    assert len(upstream.requests) == 1


def test_the_waiting_line_finds_a_reply_that_was_quicker(visitor: Visitor, upstream: UpstreamServer) -> None:
    sent = visitor.post_message("Hello")
    wait_until(stored_reply)
    assert visitor.ask_for_the_reply(sent).turns[0].reply == "You said: Hello"
    assert len(upstream.requests) == 1


def test_the_waiting_line_waits_as_long_as_it_takes(
    visitor: Visitor, upstream: UpstreamServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ahead, "LOOK_FOR", 0.0)
    upstream.delay = 0.5
    assert visitor.send_live("Hello").turns[0].reply == "You said: Hello"


def test_an_alert_comes_to_the_waiting_line_as_well(visitor: Visitor, upstream: UpstreamServer) -> None:
    upstream.will_refuse("BOT_DISABLED", status=403)
    assert visitor.send_live("Hello").turns[0].alert.code == "BOT_DISABLED"


def test_when_too_much_is_under_way_the_waiting_line_asks(
    visitor: Visitor, upstream: UpstreamServer, nobody_asks_ahead: None
) -> None:
    sent = visitor.post_message("Hello")
    time.sleep(0.2)
    assert upstream.requests == []
    assert visitor.ask_for_the_reply(sent).turns[0].reply == "You said: Hello"


def test_when_no_thread_can_be_had_the_waiting_line_asks(
    visitor: Visitor, upstream: UpstreamServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[Callable[[], None]] = []

    def submit(*work: Callable[[], None]) -> None:
        left.append(partial(*work))  # as the pool does: it stays in line for the next thread
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(ahead._pool, "submit", submit)
    assert visitor.send_live("Hello").turns[0].reply == "You said: Hello"
    for work in left:
        threading.Thread(target=work).start()
    wait_until(lambda: ahead._free._value == ahead.AT_ONCE)
    assert len(upstream.requests) == 1


def test_many_at_once_all_get_their_replies(visitor: Visitor, new_visitor: type[Visitor], bot_on_disk: Bot) -> None:
    visitors = [new_visitor() for _ in range(3 * ahead.AT_ONCE)]
    waiting = [visitor.post_message(f"I am {number}") for number, visitor in enumerate(visitors)]
    answered = [visitor.ask_for_the_reply(sent) for visitor, sent in zip(visitors, waiting, strict=True)]
    assert [page.turns[0].reply for page in answered] == [f"You said: I am {number}" for number in range(len(visitors))]


def test_a_reply_that_another_process_asks_for_is_shown_when_it_comes(
    visitor: Visitor, upstream: UpstreamServer, nobody_asks_ahead: None
) -> None:
    sent = asked_by_another_process(visitor)
    fragment = in_the_background(partial(visitor.twin().ask_for_the_reply, sent))
    time.sleep(0.2)
    Turn.objects.update(state=Turn.State.ANSWERED, reply="From there", ended_at=timezone.now())
    assert fragment().turns[0].reply == "From there"
    assert upstream.requests == []


def test_a_turn_whose_process_has_gone_is_found_to_be_lost(
    visitor: Visitor, upstream: UpstreamServer, nobody_asks_ahead: None
) -> None:
    sent = asked_by_another_process(visitor)
    fragment = in_the_background(partial(visitor.twin().ask_for_the_reply, sent))
    time.sleep(0.2)
    Turn.objects.update(asked_at=timezone.now() - datetime.timedelta(hours=1))
    again = fragment()
    assert again.turns[0].waits
    assert visitor.ask_for_the_reply(again).turns[0].alert.code == "WORKER_LOST"


def test_only_a_few_look_for_what_other_processes_ask(
    visitor: Visitor, upstream: UpstreamServer, nobody_asks_ahead: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = asked_by_another_process(visitor)
    monkeypatch.setattr(ahead, "_free_to_look", threading.Semaphore(0))
    again = visitor.ask_for_the_reply(sent)
    assert again.turns[0].waits
    assert "delay:1s" in trigger_of(again)


def test_what_is_deleted_while_it_is_awaited_is_as_good_as_unknown(
    visitor: Visitor, upstream: UpstreamServer, caplog: pytest.LogCaptureFixture
) -> None:
    let_go = threading.Event()
    upstream.will_reply("Too late", once=let_go)
    sent = visitor.post_message("Hello")
    upstream.wait_for_requests(1)
    fragment = in_the_background(partial(visitor.twin().ask_for_the_reply, sent))
    wait_until(somebody_has_come_for_it)
    Turn.objects.all().delete()
    let_go.set()
    assert fragment().status == 404
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def test_a_turn_whose_asking_ahead_stumbled_is_asked_by_the_waiting_line(
    visitor: Visitor, upstream: UpstreamServer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def stumble(turn: Turn) -> None:
        raise RuntimeError

    visitor.open()
    with monkeypatch.context() as patches:
        patches.setattr(replies, "answer", stumble)
        sent = visitor.post_message("Hello")
        wait_until(lambda: caplog.records and not ahead._under_way)
    assert "couldn't be asked ahead" in caplog.text
    assert visitor.ask_for_the_reply(sent).turns[0].reply == "You said: Hello"


def test_the_same_form_again_while_it_is_asked_ahead_is_asked_once(visitor: Visitor, upstream: UpstreamServer) -> None:
    let_go = threading.Event()
    upstream.will_reply("Once", once=let_go)
    visitor.open()
    sent, again = visitor.post_message("Hello"), visitor.post_message("Hello")
    upstream.wait_for_requests(1)
    fragments = [in_the_background(partial(visitor.twin().ask_for_the_reply, page)) for page in (sent, again)]
    let_go.set()
    assert [fragment().turns[0].reply for fragment in fragments] == ["Once", "Once"]
    assert len(upstream.requests) == 1
