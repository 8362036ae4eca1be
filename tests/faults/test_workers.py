"""A worker is killed at each step of a turn: the message is stored once, and asked again only if the visitor agrees."""

import signal
import threading
from concurrent.futures import Future

import pytest
import requests

from tests.browser.site import Site, bot_row
from tests.chatsite.http_visitor import HttpVisitor
from tests.faults.moments import (
    awaiting_reply,
    database_locked,
    in_background,
    sending,
    wait_for_turn,
    wait_until_a_worker_has_it,
)
from tests.webchat.upstream_server import UpstreamServer
from tests.webchat.visitor import SeenTurn


def expect_no_answer(future: Future) -> None:
    with pytest.raises(requests.ConnectionError):
        future.result(30)


def let_time_pass(site: Site) -> None:
    """Age the turns that are being asked by the longest time an answer can take."""
    site.ask_database("UPDATE webchat_turn SET asked_at = datetime(asked_at, '-1 hour') WHERE state = 'asking'")


def look_when_it_is_back(visitor: HttpVisitor) -> list[SeenTurn]:
    for _ in range(300):
        try:
            return visitor.open().turns
        except (requests.ConnectionError, requests.Timeout):
            threading.Event().wait(0.1)
    raise AssertionError("no worker came back")


def expect_sent_again_by_the_visitor(visitor: HttpVisitor, site: Site, upstream: UpstreamServer) -> None:
    """Expect one turn, which is shown as lost after a while and continues when the visitor presses "Send again"."""
    asked = len(upstream.requests)
    (turn,) = look_when_it_is_back(visitor)
    assert turn.waits
    let_time_pass(site)
    (turn,) = visitor.open().turns
    assert (turn.alert.code, turn.alert.controls) == ("WORKER_LOST", ["resend"])
    assert len(upstream.requests) == asked
    (turn,) = visitor.press("resend").turns
    assert turn.reply == "You said: Hello"
    assert len(upstream.requests) == asked + 1


def test_a_worker_killed_before_the_message_is_stored(visitor, site, upstream):
    """The visitor saw no confirmation; sending the same form again gives the one message."""
    with database_locked(site), in_background(visitor.post_message, "Hello") as sent:
        threading.Event().wait(0.5)
        wait_until_a_worker_has_it(site)
        site.kill_workers()
        expect_no_answer(sent)
    form, typed = visitor.page, "Hello"
    assert look_when_it_is_back(visitor) == []
    visitor.page = form
    assert visitor.send_live(typed).turns[0].reply == "You said: Hello"
    assert [turn.message for turn in visitor.open().turns] == ["Hello"]
    assert len(upstream.requests) == 1


def test_a_worker_killed_before_the_message_is_sent_to_the_bot(visitor, site, upstream):
    """It was waiting for another one to be answered."""
    upstream.will_hang()
    visitor.open()
    with sending(visitor, upstream) as first:
        other = visitor.twin()
        other.open()
        with in_background(other.post_message, "Still there?") as second:
            wait_for_turn(site, "message = 'Still there?'")
            site.kill_workers()
            expect_no_answer(first)
            expect_no_answer(second)
    assert [turn.waits for turn in look_when_it_is_back(visitor)] == [True, True]
    let_time_pass(site)
    assert visitor.show_the_reply().turns[1].reply == "You said: Still there?"
    assert upstream.messages == ["Hello", "Still there?"]


def test_a_worker_killed_while_the_bot_is_answering(visitor, site, upstream):
    upstream.will_hang()
    with sending(visitor, upstream) as sent:
        site.kill_workers()
        expect_no_answer(sent)
    expect_sent_again_by_the_visitor(visitor, site, upstream)


def test_a_worker_killed_between_the_bots_answer_and_its_storing(visitor, site, upstream):
    with awaiting_reply(visitor, upstream, "Nobody will read this") as (asking, let_reply_come), database_locked(site):
        let_reply_come()
        while not upstream.durations:  # until the response is on its way
            threading.Event().wait(0.05)
        threading.Event().wait(0.5)
        site.kill_workers()
        expect_no_answer(asking)
    expect_sent_again_by_the_visitor(visitor, site, upstream)


def test_a_worker_killed_between_storing_the_reply_and_its_response(visitor, site, upstream):
    arrives = upstream.will_hold("Just in time")
    visitor.open()
    visitor.client.timeout = 0.5
    with pytest.raises(requests.Timeout):  # the visitor goes away
        visitor.post_message("Hello")
    visitor.client.timeout = 30
    arrives.set()
    wait_for_turn(site, "reply = 'Just in time'")
    site.kill_workers()
    assert look_when_it_is_back(visitor)[0].reply == "Just in time"
    assert len(upstream.requests) == 1


def test_a_reload_and_a_stop_wait_for_the_reply_of_a_visitor_who_has_left(upstream, settings_of_site, tmp_path):
    """Longer than gunicorn's own worker time-out."""
    settings = settings_of_site | {"GUNICORN_CMD_ARGS": "--timeout 2", "DATABASE_URL": "", "WEB_PROCESSES": 1}
    with Site(tmp_path, upstream.base_url, [bot_row(1, "help")], **settings) as site:
        for number, told in enumerate((signal.SIGHUP, signal.SIGTERM), start=1):
            arrives = upstream.will_hold(f"For later: {number}")
            visitor = HttpVisitor(site.url)
            visitor.open()
            visitor.client.timeout = 1
            with pytest.raises(requests.Timeout):  # the visitor goes away
                visitor.post_message("Hello")
            upstream.wait_for_requests(number)
            site.tell(told)
            threading.Event().wait(4)
            arrives.set()
            wait_for_turn(site, f"reply = 'For later: {number}'")
    assert len(upstream.requests) == 2
