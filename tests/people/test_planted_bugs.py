"""Planted bugs, each of which the test of the protocol finds."""

from collections.abc import Callable
from unittest import mock

import pytest
from django.db import connection, transaction
from django.db.models import F, Q
from django.utils import timezone

from tests.people import machine
from tests.people.protocol import Broken
from webchat.models import Conversation, Entry, Leader, Turn, hot_queries
from webchat.models.conversations.entries import EntryQuerySet
from webchat.models.conversations.turns import TurnQuerySet

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(600),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="whether a bug is found doesn't depend on the database"),
]

SCHEDULES = 12  # from one seed
_lead, _write = Conversation._lead, Conversation._write
_add_entry = EntryQuerySet.add_entry
Bug = Callable[[pytest.MonkeyPatch], None]
BUGS: dict[Bug, int] = {}


def planted(seed: int = 1) -> Callable[[Bug], Bug]:
    """Register a bug with a seed that finds it in the first schedules; other seeds may take hundreds of them.

    The test of the protocol itself begins with all of these.
    """

    def register(bug: Bug) -> Bug:
        BUGS[bug] = seed
        return bug

    return register


@planted()
def claim_that_leaves_asked_turns_to_the_bot(patch):
    def claim(own, member):
        free, taken = ~Q(led_by=Leader.PERSON), Q(state="pending")
        return own._lead(free, Leader.PERSON, "joined", member, member, takes=taken, resolved_at=None)

    patch.setattr(Conversation, "claim", claim)


@planted()
def claim_in_two_commits(patch):
    def lead(own, *arguments, takes=None, **more):
        changed = _lead(own, *arguments, **more)
        if changed and takes:
            own.turns.filter(takes).update(state="person", code="", ended_at=None)
        return changed

    patch.setattr(Conversation, "_lead", lead)


@planted(seed=2)
def claim_that_checks_before_it_writes(patch):
    def claim(own, member):
        if own.led_by == Leader.PERSON:
            return False
        taken = Q(state__in=["pending", "asking"])
        return own._lead(Q(), Leader.PERSON, "joined", member, member, takes=taken, resolved_at=None)

    patch.setattr(Conversation, "claim", claim)


@planted(seed=10)
def hand_back_that_forgets_the_chat(patch):
    patch.setattr(
        Conversation,
        "hand_back",
        lambda own, member: own._lead(Q(team_member=member), Leader.BOT, "handed_back", by=member, chat_id=""),
    )


@planted()
def hand_back_by_anybody(patch):
    patch.setattr(
        Conversation,
        "hand_back",
        lambda own, member: own._lead(Q(led_by=Leader.PERSON), Leader.BOT, "handed_back", by=member),
    )


@planted()
def leave_queue_after_a_claim(patch):
    patch.setattr(Conversation, "leave_queue", lambda own: own._lead(~Q(led_by="bot"), Leader.BOT, "left"))


@planted(seed=21)
def end_that_trusts_an_outdated_page(patch):
    def end(own):
        if not own.is_led_by_bot:
            own.leave()
        Conversation.objects.filter(pk=own.pk, ended_at=None).update(ended_at=timezone.now(), chat_id="")

    patch.setattr(Conversation, "end", end)


@planted(seed=12)
def every_message_goes_to_the_bot(patch):
    patch.setattr(
        TurnQuerySet,
        "begin",
        lambda turns, conversation, key, message: turns.create(conversation=conversation, key=key, message=message),
    )


@planted(seed=9)
def try_again_asks_the_bot_whoever_leads(patch):
    def ask_again(turn):
        changes = {"state": "pending", "code": "", "not_before": None, "ended_at": None}
        Turn.objects.filter(pk=turn.pk, state="failed", attempt=turn.attempt).update(**changes)

    patch.setattr(Turn, "ask_again", ask_again)


@planted(seed=11)
def a_late_reply_is_shown(patch):
    shown = hot_queries.STORE_REPLY.replace("state = 'asking' OR", "state IN ('asking', 'person') OR")
    patch.setattr(hot_queries, "STORE_REPLY", shown)


@planted(seed=19)
def a_late_reply_forgets_its_chat(patch):
    def store_reply(turn, text, chat_id="", outcome=""):
        with transaction.atomic(), connection.cursor() as cursor:
            moment = connection.ops.adapt_datetimefield_value(timezone.now())
            cursor.execute(hot_queries.STORE_REPLY, [text, outcome, moment, turn.pk, turn.attempt, "WORKER_LOST"])
            if cursor.rowcount:
                turn._store_chat_id(chat_id)
            else:
                turn._store_late_reply(text)

    patch.setattr(Turn, "store_reply", store_reply)


@planted(seed=25)
def messages_are_asked_out_of_order(patch):
    waits = " OR (other.state = 'pending' AND other.id < webchat_turn.id)"
    assert waits in hot_queries.CLAIM_TURN
    patch.setattr(hot_queries, "CLAIM_TURN", hot_queries.CLAIM_TURN.replace(waits, ""))


@planted(seed=29)
def a_message_is_asked_twice(patch):
    patch.setattr(
        hot_queries, "CLAIM_TURN", hot_queries.CLAIM_TURN.replace("state = 'pending' AND", "state <> 'answered' AND")
    )


@planted(seed=2)
def retry_after_a_claim(patch):
    patch.setattr(Turn, "is_still_the_bots", lambda turn: True)


@planted(seed=22)
def the_same_entry_is_stored_twice(patch):
    def write(own, allowed, kind, member, key, text):
        with transaction.atomic():
            Conversation.objects.filter(allowed, pk=own.pk, ended_at=None).update(changes=F("changes") + 1)
            own.refresh_from_db()
            if own.team_member_id != member.pk or kind == "note":
                return _write(own, allowed, kind, member, key, text)
            return Entry.objects.add_entry(own, kind, member, text=text)

    patch.setattr(Conversation, "_write", write)


@planted()
def entries_are_placed_at_the_beginning(patch):
    def add_entry(entries, conversation, kind, member, **more):
        entry = _add_entry(entries, conversation, kind, member, **more)
        Entry.objects.filter(pk=entry.pk).update(after_turn=0)
        return entry

    patch.setattr(EntryQuerySet, "add_entry", add_entry)


@planted(seed=18)
def pages_are_not_told_of_a_message(patch):
    patch.setattr(Conversation, "notify_pages", mock.Mock())


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.__name__)
def test_a_planted_bug_is_found(bug, monkeypatch):
    bug(monkeypatch)
    with pytest.raises(Broken):
        machine.play(seed=BUGS[bug], schedules=SCHEDULES, expects_failure=True)
