"""Concurrent requests: repeated forms, two tabs, many visitors; on a database file, as in production."""

import logging
import os
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import pytest
from django.contrib.sessions.models import Session
from django.db import connection, connections, transaction
from django.utils import timezone

from chatsite.sqlite import base as sqlite
from outbound.deadline import Deadline
from tests.webchat.concurrency import run_concurrently, run_in_background, wait_until
from tests.webchat.pending import leave_asked, leave_pending
from tests.webchat.upstream_server import UpstreamServer
from tests.webchat.visitor import Page, Visitor
from webchat.conversation import answer
from webchat.models import Bot, Conversation, Turn


@pytest.fixture
def on_disk(bot_on_disk: Bot, visitor: Visitor) -> Visitor:
    return visitor


def ask_until_answered(visitor: Visitor, fragment) -> None:
    while fragment.turns[0].waits:
        fragment = visitor.ask_for_the_reply(fragment)


def start_asking(
    visitor: Visitor, upstream: UpstreamServer, message: str = "Hello", **reply: str
) -> tuple[Callable[[], Page], threading.Event]:
    """Send a message whose reply is held back until the event is set; return a function that waits for the response."""
    let_go = upstream.will_hold(**reply)
    visitor.open()
    sent = run_in_background(partial(visitor.twin().post_message, message))
    upstream.wait_for_requests(1)
    visitor.open()
    return sent, let_go


def test_the_same_form_twenty_times_at_once_is_one_turn_and_one_message(on_disk, upstream):
    upstream.delay = 0.2
    on_disk.open()
    twins = [on_disk.twin() for _ in range(20)]
    sent = run_concurrently(*(partial(twin.post_message, "Hello") for twin in twins))
    assert [page.status for page in sent] == [200] * 20
    run_concurrently(*(partial(ask_until_answered, twin, page) for twin, page in zip(twins, sent, strict=True)))
    assert len(upstream.requests) == 1
    assert [turn.reply for turn in Turn.objects.all()] == ["You said: Hello"]
    assert (Session.objects.count(), Conversation.objects.count()) == (1, 1)
    assert {twin.client.cookies["sessionid"].value for twin in twins} == {Session.objects.get().session_key}


def test_two_first_messages_of_one_browser_begin_one_conversation(on_disk, upstream):
    on_disk.open()
    one, other = on_disk.twin(), on_disk.twin()
    one.open(), other.open()
    run_concurrently(partial(one.send_live, "One"), partial(other.send_live, "Other"))
    assert (Session.objects.count(), Conversation.objects.count()) == (1, 1)
    on_disk.client.cookies = one.client.cookies  # from whichever response came last
    assert one.client.cookies["sessionid"].value == other.client.cookies["sessionid"].value
    assert Counter(turn.message for turn in on_disk.open().turns) == Counter(["One", "Other"])


def test_one_turn_of_a_conversation_is_asked_at_a_time(on_disk, upstream):
    asked_meanwhile, is_asked = [], threading.Lock()

    def reply_slowly(message: str, earlier: list[str]) -> str:
        asked_meanwhile.append(is_asked.locked())
        with is_asked:
            time.sleep(0.05)
        return f"{message}!"

    upstream.compose = reply_slowly
    on_disk.send("Hello")
    twins = [on_disk.twin() for _ in range(5)]
    keys = [f"00000000-0000-4000-8000-{n:012}" for n in range(5)]
    sent = run_concurrently(*(partial(twin.post_message, f"{n}", key=keys[n]) for n, twin in enumerate(twins)))
    run_concurrently(*(partial(ask_until_answered, on_disk.twin(), page) for page in sent))
    assert asked_meanwhile == [False] * 6
    assert len({request.chat_id for request in upstream.requests[1:]}) == 1
    assert {turn.reply for turn in on_disk.open().turns} == {"Hello!", "0!", "1!", "2!", "3!", "4!"}


def test_a_turn_sent_while_another_is_asked_waits_and_takes_the_chat_id_of_its_reply(on_disk, upstream):
    first, let_go = start_asking(on_disk, upstream, "One", text="First", chat_id="chat-of-the-first")
    second = run_in_background(partial(on_disk.twin().post_message, "Two"))
    time.sleep(0.3)
    assert len(upstream.requests) == 1
    let_go.set()
    assert first().turns[0].reply == "First"
    assert second().turns[0].reply == "You said: Two"
    assert [request.chat_id for request in upstream.requests] == [None, "chat-of-the-first"]


def test_a_page_that_lost_its_response_gets_the_same_reply(on_disk, upstream):
    sent, let_go = start_asking(on_disk, upstream, text="At last")
    tabs = [run_in_background(partial(on_disk.twin().ask_for_the_reply, on_disk.page)) for _ in range(3)]
    time.sleep(0.2)
    let_go.set()
    assert [tab().turns[0].reply for tab in tabs] == ["At last"] * 3
    assert sent().turns[0].reply == "At last"
    assert len(upstream.requests) == 1


def test_a_reply_that_another_process_asked_for_is_shown_when_it_arrives(on_disk, upstream):
    page = leave_asked(on_disk)
    fragment = run_in_background(partial(on_disk.twin().ask_for_the_reply, page))
    time.sleep(0.2)
    Turn.objects.update(state=Turn.State.ANSWERED, reply="From there", ended_at=timezone.now())
    assert fragment().turns[0].reply == "From there"
    assert upstream.requests == []


forgotten: list[tuple] = []  # the copies that the upstream was told to delete
forget = forgotten.extend


def test_a_turn_deleted_during_the_wait_is_not_found_and_the_upstream_forgets_it(on_disk, upstream, caplog, settings):
    settings.CHAT_HISTORIES = [f"{__name__}.forget"]
    sent, let_go = start_asking(on_disk, upstream, text="Too late")
    again = run_in_background(partial(on_disk.twin().ask_for_the_reply, on_disk.page))
    time.sleep(0.2)
    Turn.objects.all().delete()
    let_go.set()
    assert (sent().status, again().status) == (404, 404)
    assert [message for message, *_ in forgotten] == ["Hello"]
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


def test_above_the_limit_of_waiting_requests_the_page_is_told_to_ask_later(on_disk, upstream, monkeypatch):
    monkeypatch.setattr(answer, "_places_to_wait", places := threading.BoundedSemaphore(1))
    page = leave_asked(on_disk)
    waits = run_in_background(partial(on_disk.twin().ask_for_the_reply, page))
    while places.acquire(blocking=False):
        places.release()
        time.sleep(0.05)
    turned_away = on_disk.ask_for_the_reply(page)
    assert turned_away.turns[0].waits
    assert "delay:1s" in turned_away.one("form[@data-waiting]").get("hx-trigger")
    Turn.objects.update(state=Turn.State.ANSWERED, reply="From there", ended_at=timezone.now())
    assert waits().turns[0].reply == "From there"
    with answer._places_to_wait:  # a place is free again
        pass


def test_no_database_connection_is_held_while_the_bot_is_awaited(on_disk, upstream, database_on_disk):
    """Count the database's open files (without idle connections), or the connections taken from the pool."""
    held: list[int] = []

    def connections_held() -> int:
        if pool := getattr(connection, "pool", None):
            return pool.get_stats()["pool_size"] - pool.get_stats()["pool_available"]
        paths = [
            os.readlink(f"/proc/self/fd/{fd}")
            for fd in os.listdir("/proc/self/fd")
            if os.path.lexists(f"/proc/self/fd/{fd}")
        ]
        return sum(path == str(database_on_disk) for path in paths) - len(sqlite.idle_connections(database_on_disk))

    upstream.compose = lambda message, earlier: held.append(connections_held()) or "Hello"
    on_disk.open()
    connection.ensure_connection()
    assert connections_held() > 0
    connections.close_all()
    twin = on_disk.twin()
    run_concurrently(partial(twin.send, "Hello"))
    assert held == [0]


@contextmanager
def lock_out_writers(file: Path) -> Iterator[None]:
    if connection.vendor == "sqlite":
        with closing(sqlite3.connect(file, isolation_level=None)) as busy:
            busy.execute("BEGIN IMMEDIATE")
            yield
            busy.execute("ROLLBACK")
    else:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("LOCK TABLE webchat_turn IN SHARE MODE")
            yield


def test_a_turn_that_waited_too_long_for_the_database_is_not_asked(
    on_disk, upstream, settings, database_on_disk, monkeypatch
):
    """Otherwise it would count as lost while it is asked: the visitor would send it again, and the owner pay twice."""
    sent = leave_pending(on_disk)
    settings.CHAT_TIMEOUT = 0.3
    deadlines: list[Deadline] = []
    monkeypatch.setattr(answer, "Deadline", lambda seconds: deadlines.append(Deadline(seconds)) or deadlines[0])
    with lock_out_writers(database_on_disk):
        answered = run_in_background(partial(on_disk.twin().ask_for_the_reply, sent))
        wait_until(lambda: deadlines and not deadlines[0].seconds_left())
    assert answered().turns[0].alert.code == "UNREACHABLE"
    assert upstream.requests == []


def test_pressing_a_button_many_times_asks_once(on_disk, upstream):
    upstream.will_close()
    upstream.delay = 0.1
    page = on_disk.send("Hello")
    assert page.turns[0].alert.controls == ["resend"]
    run_concurrently(*(partial(on_disk.twin().press, "resend") for _ in range(6)))
    assert len(upstream.requests) == 2
    assert on_disk.open().turns[0].reply == "You said: Hello"


def test_concurrent_visitors_never_exceed_the_bots_daily_budget(bot_on_disk, new_visitor, upstream):
    Bot.objects.update(daily_budget=3)
    visitors = [new_visitor() for _ in range(8)]
    for visitor in visitors:
        visitor.open()
    pages = run_concurrently(*(partial(visitor.send, "Hello") for visitor in visitors))
    assert len(upstream.requests) == 3
    codes = Counter(page.turns[0].alert.code for page in pages if page.turns[0].alert)
    assert codes == {"BUDGET_SPENT": 5}
