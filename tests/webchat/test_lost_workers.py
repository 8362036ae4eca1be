"""A worker that dies while asking: the turn counts as lost after the deadline, and a late outcome is never doubled."""

import datetime
import logging
import uuid

import pytest
from django.utils import timezone

from tests.webchat.pending import leave_pending
from tests.webchat.visitor import Visitor
from webchat.conversation import answer
from webchat.models import GRACE, Conversation, Turn


@pytest.fixture
def lost_turn(visitor: Visitor, settings) -> Turn:
    """A turn whose worker was killed after asking, too long ago for an answer to come."""
    leave_pending(visitor)
    return claim(seconds_ago=settings.CHAT_TIMEOUT + GRACE + 1)


def claim(seconds_ago: float) -> Turn:
    turn = Turn.objects.select_related("conversation").get()
    assert turn.claim()
    Turn.objects.update(asked_at=timezone.now() - datetime.timedelta(seconds=seconds_ago))
    return turn


def test_a_lost_turn_shows_an_alert_that_says_what_is_not_known_and_is_reported_once(
    lost_turn, visitor, upstream, caplog
):
    for _ in range(2):
        (turn,) = visitor.open().turns
        assert (turn.state, turn.alert.code, turn.alert.controls) == ("failed", "WORKER_LOST", ["resend"])
        assert "may have got your message" in turn.alert.sentence
        assert turn.message == "Hello"
    assert upstream.requests == []
    (record,) = [record for record in caplog.records if "WORKER_LOST" in record.getMessage()]
    assert record.levelno == logging.WARNING


def test_a_turn_may_still_be_answered_before_the_deadline(visitor, settings, monkeypatch):
    monkeypatch.setattr(answer, "LONGEST_WAIT", 0.1)
    leave_pending(visitor)
    claim(seconds_ago=settings.CHAT_TIMEOUT + GRACE - 5)
    assert visitor.open().turns[0].waits
    assert visitor.ask_for_the_reply(visitor.page).turns[0].waits


def test_a_lost_turn_does_not_block_the_next_one(lost_turn, visitor, upstream):
    page = visitor.send("Next", key=str(uuid.uuid4()))
    assert [(turn.message, turn.state) for turn in page.turns] == [("Hello", "failed"), ("Next", "answered")]


def test_a_late_reply_counts_when_nobody_asked_again_and_an_older_button_sends_nothing(lost_turn, visitor, upstream):
    assert visitor.open().turns[0].alert
    lost_turn.store_reply("Late, but here", "late-chat")
    assert visitor.press("resend").turns[0].reply == "Late, but here"
    assert upstream.requests == []
    visitor.send("Next")
    assert upstream.requests[0].chat_id == "late-chat"


@pytest.mark.parametrize("late", ["reply", "failure"])
def test_a_late_outcome_does_not_change_that_of_a_second_attempt(late, lost_turn, visitor, upstream):
    visitor.open()
    upstream.will_reply("Second", chat_id="second-chat")
    assert visitor.press("resend").turns[0].reply == "Second"
    if late == "reply":
        lost_turn.store_reply("First", "first-chat")
    else:
        lost_turn.store_failure("BOT_DISABLED", not_before=None)
    assert (lost_turn.state, lost_turn.reply) == ("answered", "Second")  # as the first attempt's own request shows it
    assert visitor.open().turns[0].reply == "Second"
    visitor.send("Next")
    assert upstream.requests[-1].chat_id == "second-chat"


def test_a_late_reply_does_not_end_a_second_attempt_in_progress(lost_turn, visitor, settings):
    visitor.open()
    second = Turn.objects.get()
    assert second.ask_again()
    assert second.claim()
    lost_turn.store_reply("First", "first-chat")
    assert visitor.open().turns[0].waits
    second.store_reply("Second", "second-chat")
    assert visitor.open().turns[0].reply == "Second"


def test_the_chat_id_of_a_late_reply_does_not_replace_that_of_a_later_turn(lost_turn, visitor, upstream):
    visitor.open()
    upstream.will_reply("Fresh", chat_id="fresh-chat")
    visitor.send("Next")
    lost_turn.store_reply("Late", "late-chat")
    assert [turn.reply for turn in visitor.open().turns] == ["Late", "Fresh"]
    assert Conversation.objects.get().chat_id == "fresh-chat"


@pytest.mark.parametrize("failures", ["", "0", "2", "x", "9" * 5000])
def test_a_button_from_before_other_failures_sends_nothing(failures, visitor, upstream):
    upstream.will_close()
    form = visitor.send("Hello").one("*[@data-alert]//form")
    page = visitor.submit(form, {"failures": failures})
    assert page.turns[0].alert.code == "NO_ANSWER"
    assert len(upstream.requests) == 1
