"""The protocol's test finds each of these planted bugs."""

import datetime
from collections.abc import Callable
from unittest import mock

import pytest
from django.db import connection, transaction
from django.db.models import F, Q
from django.utils import timezone

from tests.people import machine
from tests.people.protocol import Broken
from webchat.models import Conversation, Entry, Leader, Turn, hot_queries
from webchat.models.conversations import turns
from webchat.models.conversations.entries import EntryQuerySet
from webchat.models.conversations.turns import TurnQuerySet

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(600),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="the test of the test needs no second database"),
]

SCHEDULES = 5000  # at most, for one bug; the rarest takes some 450
_lead, _write = Conversation._lead, Conversation._write
_add_entry = EntryQuerySet.add_entry
Bug = Callable[[pytest.MonkeyPatch], None]


def claim_without_the_condition(patch):
    def claim(own, member):
        taken = Q(state__in=["pending", "asking"])
        return own._lead(Q(), Leader.PERSON, "joined", member, member, takes=taken, resolved_at=None)

    patch.setattr(Conversation, "claim", claim)


def claim_that_leaves_what_is_being_asked_to_the_bot(patch):
    def claim(own, member):
        free, taken = ~Q(led_by=Leader.PERSON), Q(state="pending")
        return own._lead(free, Leader.PERSON, "joined", member, member, takes=taken, resolved_at=None)

    patch.setattr(Conversation, "claim", claim)


def claim_that_forgets_what_was_given_up_as_lost(patch):
    def claim(own, member):
        free, taken = ~Q(led_by=Leader.PERSON), Q(state__in=["pending", "asking"])
        return own._lead(free, Leader.PERSON, "joined", member, member, takes=taken, resolved_at=None)

    patch.setattr(Conversation, "claim", claim)


def claim_in_two_commits(patch):
    def lead(own, *arguments, takes=None, **more):
        changed = _lead(own, *arguments, **more)
        if changed and takes:
            own.turns.filter(takes).update(state="person", code="", ended_at=None)
        return changed

    patch.setattr(Conversation, "_lead", lead)


def claim_that_looks_before_it_writes(patch):
    def claim(own, member):
        if own.led_by == Leader.PERSON:
            return False
        taken = Q(state__in=["pending", "asking"])
        return own._lead(Q(), Leader.PERSON, "joined", member, member, takes=taken, resolved_at=None)

    patch.setattr(Conversation, "claim", claim)


def hand_back_that_forgets_the_chat(patch):
    patch.setattr(
        Conversation,
        "hand_back",
        lambda own, member: own._lead(Q(team_member=member), Leader.BOT, "handed_back", by=member, chat_id=""),
    )


def hand_back_by_whoever_presses_it(patch):
    patch.setattr(
        Conversation,
        "hand_back",
        lambda own, member: own._lead(Q(led_by=Leader.PERSON), Leader.BOT, "handed_back", by=member),
    )


def a_colleague_is_given_what_one_has_not(patch):
    def hand_over_to(own, member, colleague):
        return own._lead(Q(led_by=Leader.PERSON), Leader.PERSON, "joined", colleague, colleague)

    patch.setattr(Conversation, "hand_over_to", hand_over_to)


def the_queue_is_left_although_somebody_has_come(patch):
    patch.setattr(Conversation, "leave_queue", lambda own: own._lead(~Q(led_by="bot"), Leader.BOT, "left"))


def the_end_of_what_a_page_believes_to_be_the_bots(patch):
    def end(own):
        if not own.is_bots:
            own.leave()
        Conversation.objects.filter(pk=own.pk, ended_at=None).update(ended_at=timezone.now(), chat_id="")

    patch.setattr(Conversation, "end", end)


def every_message_is_the_bots(patch):
    patch.setattr(
        TurnQuerySet,
        "begin",
        lambda turns, conversation, key, message: turns.create(conversation=conversation, key=key, message=message),
    )


def try_again_asks_the_bot_whoever_leads(patch):
    def ask_again(turn):
        changes = {"state": "pending", "code": "", "not_before": None, "ended_at": None}
        Turn.objects.filter(pk=turn.pk, state="failed", attempt=turn.attempt).update(**changes)

    patch.setattr(Turn, "ask_again", ask_again)


def a_late_reply_is_shown(patch):
    shown = hot_queries.STORE_REPLY.replace("state = 'asking' OR", "state IN ('asking', 'person') OR")
    patch.setattr(hot_queries, "STORE_REPLY", shown)


def a_late_reply_forgets_its_chat(patch):
    def store_reply(turn, text, chat_id="", outcome=""):
        with transaction.atomic(), connection.cursor() as cursor:
            moment = connection.ops.adapt_datetimefield_value(timezone.now())
            cursor.execute(hot_queries.STORE_REPLY, [text, outcome, moment, turn.pk, turn.attempt, "WORKER_LOST"])
            if cursor.rowcount:
                turn._remember_chat_id(chat_id)
            else:
                turn._store_late_reply(text)

    patch.setattr(Turn, "store_reply", store_reply)


def messages_are_asked_out_of_their_order(patch):
    waits = " OR (other.state = 'pending' AND other.id < webchat_turn.id)"
    assert waits in hot_queries.CLAIM
    patch.setattr(hot_queries, "CLAIM", hot_queries.CLAIM.replace(waits, ""))


def a_message_that_is_asked_is_asked_once_more(patch):
    patch.setattr(hot_queries, "CLAIM", hot_queries.CLAIM.replace("state = 'pending' AND", "state <> 'answered' AND"))


def an_upstream_that_is_busy_is_asked_again_after_a_claim(patch):
    patch.setattr(Turn, "is_still_mine", lambda turn: True)


def slow_replies_are_given_up_at_once(patch):
    far = datetime.timedelta(days=9)
    patch.setattr(turns, "_answerable", lambda: (timezone.now() + far, timezone.now() + 2 * far))


def anybody_may_write(patch):
    patch.setattr(Conversation, "say", lambda own, member, key, text: own._write(Q(), "message", member, key, text))


def the_same_words_stand_there_twice(patch):
    def write(own, allowed, kind, member, key, text):
        with transaction.atomic():
            Conversation.objects.filter(allowed, pk=own.pk, ended_at=None).update(changes=F("changes") + 1)
            own.refresh_from_db()
            if own.team_member_id != member.pk or kind == "note":
                return _write(own, allowed, kind, member, key, text)
            return Entry.objects.add_entry(own, kind, member, text=text)

    patch.setattr(Conversation, "_write", write)


def entries_stand_where_the_conversation_began(patch):
    def add_entry(entries, conversation, kind, member, **more):
        entry = _add_entry(entries, conversation, kind, member, **more)
        Entry.objects.filter(pk=entry.pk).update(after_turn=0)
        return entry

    patch.setattr(EntryQuerySet, "add_entry", add_entry)


def pages_are_not_told_of_a_message(patch):
    patch.setattr(Conversation, "tell_pages", mock.Mock())


BUGS = [
    claim_without_the_condition,
    claim_that_leaves_what_is_being_asked_to_the_bot,
    claim_that_forgets_what_was_given_up_as_lost,
    claim_in_two_commits,
    claim_that_looks_before_it_writes,
    hand_back_that_forgets_the_chat,
    hand_back_by_whoever_presses_it,
    a_colleague_is_given_what_one_has_not,
    the_queue_is_left_although_somebody_has_come,
    the_end_of_what_a_page_believes_to_be_the_bots,
    every_message_is_the_bots,
    try_again_asks_the_bot_whoever_leads,
    a_late_reply_is_shown,
    a_late_reply_forgets_its_chat,
    messages_are_asked_out_of_their_order,
    a_message_that_is_asked_is_asked_once_more,
    an_upstream_that_is_busy_is_asked_again_after_a_claim,
    slow_replies_are_given_up_at_once,
    anybody_may_write,
    the_same_words_stand_there_twice,
    entries_stand_where_the_conversation_began,
    pages_are_not_told_of_a_message,
]


# With which a rare one is found in the first schedules: from other seeds it takes tens or hundreds.
SEEDS = {
    a_colleague_is_given_what_one_has_not: 12,
    an_upstream_that_is_busy_is_asked_again_after_a_claim: 2,
    claim_that_forgets_what_was_given_up_as_lost: 2,
    hand_back_that_forgets_the_chat: 10,
    messages_are_asked_out_of_their_order: 25,
    the_end_of_what_a_page_believes_to_be_the_bots: 21,
    try_again_asks_the_bot_whoever_leads: 9,
}


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.__name__)
def test_a_planted_bug_is_found(bug, monkeypatch):
    bug(monkeypatch)
    with pytest.raises(Broken):
        machine.play(seed=SEEDS.get(bug, 1), schedules=SCHEDULES, is_test_of_the_test=True)
