"""The circuit breaker: while an upstream is down, turns fail at once and one visitor's turn at a time probes it."""

import datetime
import logging
import time
from functools import partial

import pytest
from django.db import connection
from django.db.models import F
from django.utils import timezone

from tests.webchat.concurrency import run_concurrently, run_in_background
from webchat.models import Bot, Circuit, Conversation, Turn, hot_queries

NOWHERE = "http://127.0.0.1:9"


@pytest.fixture(autouse=True)
def few_failures(settings) -> None:
    settings.CIRCUIT_FAILURES = 3


def pass_time(seconds: float) -> None:
    """Let the circuit's pause end this many seconds earlier."""
    Circuit.objects.filter(open_until__isnull=False).update(open_until=F("open_until") - _span(seconds))


def _span(seconds: float) -> datetime.timedelta:
    return datetime.timedelta(seconds=seconds)


def make_turns_fail(new_visitor, upstream, times: int = 3) -> None:
    upstream.will_answer(504, times=times)
    for _ in range(times):
        assert new_visitor().send_live("Hello").turns[0].alert.code == "NO_ANSWER"


def test_after_failures_in_a_row_the_circuit_opens_and_nobody_waits(new_visitor, upstream, settings):
    settings.CHAT_TIMEOUT = 0.5
    for _ in range(3):
        upstream.will_hang()
        assert new_visitor().send_live("Hello").turns[0].alert.code == "NO_ANSWER"
    settings.CHAT_TIMEOUT = 30.0
    upstream.will_hang()
    began = time.monotonic()
    alert = new_visitor().send_live("Hello").turns[0].alert
    assert time.monotonic() - began < 10
    assert (alert.code, alert.controls) == ("UNREACHABLE", ["retry"])
    assert alert.sentence.startswith("The bot can’t answer right now. Your message is kept.")
    assert 1 <= alert.wait <= 7
    assert len(upstream.requests) == 3


DOWN_OR_NOT = {
    "a gateway without a bot": (lambda upstream: upstream.will_answer(503, {}, times=9), True),
    "a bare 500": (lambda upstream: upstream.will_answer(500, "oops", times=3), False),
    "a bot that is disabled": (lambda upstream: upstream.will_refuse("BOT_DISABLED", status=503, times=3), False),
    "the bot's own refusal": (lambda upstream: upstream.will_refuse("BOT_UNAVAILABLE", status=503, times=9), False),
    "too many messages": (lambda upstream: upstream.will_answer(429, {}, times=9), False),
}


@pytest.mark.parametrize(("arrange", "is_down"), DOWN_OR_NOT.values(), ids=DOWN_OR_NOT)
def test_an_upstream_that_refuses_counts_as_reachable(arrange, is_down, new_visitor, upstream):
    arrange(upstream)
    for _ in range(3):
        assert new_visitor().send_live("Hello").turns[0].alert
    assert (new_visitor().send_live("Hello").turns[0].reply is None) is is_down


def test_each_visitor_counts_once(new_visitor, upstream):
    visitor = new_visitor()
    upstream.will_answer(502, times=5)
    for number in range(4):
        visitor.send_live(f"Poison {number}")
    new_visitor().send_live("Hello")
    assert new_visitor().send_live("Hello").turns[0].reply
    upstream.will_answer(502)
    new_visitor().send_live("Hello")
    assert new_visitor().send_live("Hello").turns[0].alert.code == "UNREACHABLE"


def test_failures_among_more_replies_do_not_open_the_circuit(new_visitor, upstream):
    for _ in range(5):
        new_visitor().send_live("Hello")
    make_turns_fail(new_visitor, upstream, times=4)
    assert new_visitor().send_live("Hello").turns[0].reply
    make_turns_fail(new_visitor, upstream, times=2)
    assert new_visitor().send_live("Hello").turns[0].alert.code == "UNREACHABLE"


def test_old_replies_and_those_of_other_upstreams_do_not_count(new_visitor, upstream):
    for _ in range(5):
        new_visitor().send_live("Hello")
    Turn.objects.update(ended_at=F("ended_at") - _span(61))
    elsewhere = Conversation.objects.create(bot=Bot.objects.create(slug="b", name="B", base_url=NOWHERE), visitor="x")
    for _ in range(5):
        Turn.objects.create(conversation=elsewhere, state=Turn.State.ANSWERED, ended_at=timezone.now())
    make_turns_fail(new_visitor, upstream)
    assert new_visitor().send_live("Hello").turns[0].alert.code == "UNREACHABLE"


def test_old_failures_do_not_count(new_visitor, upstream):
    make_turns_fail(new_visitor, upstream, times=2)
    circuit = Circuit.objects.get()
    circuit.failed = {visitor: at - 61 for visitor, at in circuit.failed.items()}
    circuit.save()
    make_turns_fail(new_visitor, upstream, times=2)
    assert new_visitor().send_live("Hello").turns[0].reply


def test_concurrent_failures_are_all_counted(bot_on_disk, new_visitor, upstream):
    upstream.will_answer(502, times=3)
    visitors = [new_visitor() for _ in range(3)]
    for visitor in visitors:
        visitor.open()
    run_concurrently(*(partial(visitor.send, "Hello") for visitor in visitors))
    assert Circuit.objects.get().open_until


def test_a_circuit_stores_no_visitor(new_visitor, upstream):
    make_turns_fail(new_visitor, upstream, times=1)
    assert Conversation.objects.get().visitor not in str(Circuit.objects.get().failed)


def test_one_visitors_turn_probes_and_its_reply_closes_the_circuit(new_visitor, upstream, caplog):
    make_turns_fail(new_visitor, upstream)
    pass_time(10)
    assert new_visitor().send("Are you back?").turns[0].reply == "You said: Are you back?"
    assert new_visitor().send_live("Hello").turns[0].reply
    told = [record.levelno for record in caplog.records if "upstream is" in record.getMessage()]
    assert told == [logging.ERROR, logging.WARNING]


def test_a_turn_that_comes_while_a_probe_closes_the_circuit_is_asked(new_visitor, upstream):
    make_turns_fail(new_visitor, upstream)

    def close_after_look(execute, sql, *args):
        """Let the turn see the circuit open, and close it before the turn can probe."""
        result = execute(sql, *args)
        if sql == hot_queries.CIRCUIT_IS_OPEN:
            Circuit.objects.update(open_until=None)
        return result

    with connection.execute_wrapper(close_after_look):
        page = new_visitor().send_live("Hello")
    assert page.turns[0].reply == "You said: Hello"


def test_a_refusal_closes_the_circuit_too(new_visitor, upstream):
    make_turns_fail(new_visitor, upstream)
    pass_time(10)
    upstream.will_refuse("BOT_DISABLED", status=403)
    assert new_visitor().send("Are you back?").turns[0].alert.code == "BOT_DISABLED"
    assert new_visitor().send_live("Hello").turns[0].reply


def test_each_failed_probe_makes_the_pause_longer(new_visitor, upstream):
    make_turns_fail(new_visitor, upstream)
    pauses = []
    for _ in range(3):
        pass_time(100)
        make_turns_fail(new_visitor, upstream, times=1)
        circuit = Circuit.objects.get()
        pauses.append(circuit.open_until - circuit.last_failure_at)
    assert pauses[0] < pauses[1] < pauses[2] < _span(80)


def test_a_probe_that_sent_nothing_is_left_to_the_next_turn(new_visitor, upstream):
    make_turns_fail(new_visitor, upstream)
    pass_time(10)
    Bot.objects.update(daily_budget=1)
    new_visitor().send("The day's only one")
    Circuit.objects.update(open_until=F("last_failure_at"))
    assert new_visitor().send_live("Hello").turns[0].alert.code == "BUDGET_SPENT"
    Bot.objects.update(daily_budget=None)
    assert new_visitor().send_live("Hello").turns[0].reply


def test_each_upstream_has_a_circuit_of_its_own(new_visitor, upstream):
    shop = Bot(slug="shop", name="Shop", base_url=NOWHERE)
    shop.set_key("key")
    shop.save()
    for _ in range(4):
        visitor = new_visitor()
        visitor.open("/chat/shop/")
        visitor.send_live("Hello")
    assert Circuit.objects.get().open_until
    assert new_visitor().send_live("Hello").turns[0].reply


def test_only_one_of_many_concurrent_turns_probes(bot_on_disk, new_visitor, upstream, settings):
    make_turns_fail(new_visitor, upstream)
    pass_time(10)
    settings.CHAT_TIMEOUT = 10.0
    let_go = upstream.will_hold("Back again")
    asked = len(upstream.requests)
    first = new_visitor()
    first.open()
    answer = run_in_background(partial(first.send, "Hello"))
    upstream.wait_for_requests(asked + 1)
    others = [new_visitor() for _ in range(8)]
    for visitor in others:
        visitor.open()
    pages = run_concurrently(*(partial(visitor.send, "Hello") for visitor in others))
    assert {page.turns[0].alert.code for page in pages} == {"UNREACHABLE"}
    assert len(upstream.requests) == asked + 1
    let_go.set()
    assert answer().turns[0].reply == "Back again"
    assert others[0].in_another_tab().send_live("Hello").turns[-1].reply == "You said: Hello"
