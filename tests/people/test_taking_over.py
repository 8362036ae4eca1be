"""What a person takes over stays the person's, whatever was in progress."""

import uuid

import pytest
from django.contrib.auth.models import User

from tests.webchat.upstream_server import UpstreamServer
from webchat.conversation import accept, answer
from webchat.models import Bot, Conversation, Surface, TeamMember, Turn
from webchat.upstream.failure_rules import LOST

VISITOR = "v" * 64


@pytest.fixture
def bot(upstream: UpstreamServer, db: None) -> Bot:
    return Bot.objects.create(slug="help", name="Ada")


@pytest.fixture
def ann(db: None) -> TeamMember:
    return TeamMember.objects.create(user=User.objects.create(username="ann"), name="Ann")


@pytest.fixture
def turn(bot: Bot) -> Turn:
    return accept.accept(VISITOR, bot, Surface.CHAT, uuid.uuid4(), "Hello")


def as_read(turn: Turn) -> Turn:
    return Turn.objects.select_related("conversation__bot").get(pk=turn.pk)


def test_a_late_reply_to_a_lost_turn_is_not_shown_after_a_person_has_taken_over(turn, ann):
    assert turn.claim()
    slow = as_read(turn)
    Turn.objects.update(state=Turn.State.FAILED, code=LOST)
    assert turn.conversation.claim(ann)
    slow.store_reply("Here I am", "chat-1")
    turn = as_read(turn)
    assert (turn.state, turn.reply, turn.late_reply) == (Turn.State.PERSON, "", "Here I am")
    assert turn.conversation.chat_id == "chat-1"


@pytest.mark.parametrize("ends", [Conversation.end, Conversation.archive])
def test_a_visitor_ends_a_conversation_that_a_person_has_just_claimed(ends, turn, ann):
    as_the_page_knows_it = Conversation.objects.get()
    assert turn.conversation.claim(ann)
    ends(as_the_page_knows_it)
    conversation = Conversation.objects.get()
    assert (conversation.led_by, conversation.team_member) == ("bot", None)
    assert [entry.kind for entry in conversation.entries.all()] == ["joined", "left"]


def test_a_message_sent_again_while_a_person_leads_is_shown_to_the_person(turn, ann):
    turn.claim()
    turn.store_failure("INTERNAL_ERROR", not_before=None)
    turn.conversation.claim(ann)
    before = Conversation.objects.get().changes
    accept.ask_again(as_read(turn))
    assert as_read(turn).state == Turn.State.PERSON
    assert Conversation.objects.get().changes > before


def test_a_busy_bot_is_not_asked_again_for_a_message_that_a_person_has_taken_over(turn, ann, upstream):
    upstream.will_refuse("BOT_UNAVAILABLE", status=503)
    still_mine = Turn.is_still_the_bots
    taken = []

    def claim_first(own: Turn) -> bool:
        taken.append(Conversation.objects.get().claim(ann))
        return still_mine(own)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Turn, "is_still_the_bots", claim_first)
        answer.answer(turn)
    assert taken == [True]
    assert len(upstream.requests) == 1
    assert turn.state == Turn.State.PERSON
