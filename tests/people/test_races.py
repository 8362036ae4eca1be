"""Two concurrent actions, each on its own connection: the protocol holds whichever comes first."""

import random
import time
import uuid
from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest
from django.contrib.auth.models import User

from tests.webchat.concurrency import run_concurrently
from webchat.conversation import accept
from webchat.models import Bot, Conversation, Entry, Surface, TeamMember, Turn

ROUNDS = 12
Race = Callable[["Round"], tuple[Callable[[], object], Callable[[], object]]]


class Round:
    """A new conversation with a message for the bot, in which two actions happen at once."""

    numbers = iter(range(10**6))

    def __init__(self, bot: Bot, members: list[TeamMember]) -> None:
        self.visitor, self.bot, (self.ann, self.ben) = f"{next(self.numbers):064}", bot, members
        self.turn = self.send()
        self.own = Conversation.objects.get(visitor=self.visitor)

    def send(self) -> Turn:
        return accept.accept(self.visitor, self.bot, Surface.CHAT, uuid.uuid4(), "Hello")

    def claimed_turn(self) -> Turn:
        assert self.turn.claim()
        return Turn.objects.select_related("conversation__bot").get(pk=self.turn.pk)

    def failed_turn(self) -> Turn:
        self.claimed_turn().store_failure("INTERNAL_ERROR", not_before=None)
        return Turn.objects.select_related("conversation__bot").get(pk=self.turn.pk)

    def by(self, member: TeamMember, what: str, *others: object) -> Callable[[], object]:
        """Return a method of the conversation, called as this member's page knows it."""
        return partial(getattr(Conversation.objects.get(pk=self.own.pk), what), member, *others)

    def check(self) -> None:
        self.own.refresh_from_db()
        assert (self.own.led_by == "person") == (self.own.team_member is not None)
        entries = list(Entry.objects.filter(conversation=self.own))
        turns = list(Turn.objects.filter(conversation=self.own))
        if self.own.led_by == "person":
            assert not [turn for turn in turns if turn.state in ("pending", "asking")]
        if self.own.ended_at:
            assert self.own.led_by == "bot"
        for entry in entries:
            if entry.kind == "joined":  # turns from before the claim are the person's; later ones come after it
                assert entry.after_turn in {turn.pk for turn in turns}
        for turn in turns:
            assert bool(turn.reply) == (turn.state == "answered")


def two_claim(given: Round):
    return given.by(given.ann, "claim"), given.by(given.ben, "claim")


def a_message_arrives_during_the_claim(given: Round):
    return given.by(given.ann, "claim"), given.send


def the_bot_takes_the_message_during_the_claim(given: Round):
    return given.by(given.ann, "claim"), given.turn.claim


def the_first_reply_arrives_during_the_claim(given: Round):
    """It brings the chat_id, so that both change the conversation and the turn."""
    return given.by(given.ann, "claim"), partial(given.claimed_turn().store_reply, "Hi", "chat-1")


def the_chat_is_forgotten_during_the_claim(given: Round):
    Conversation.objects.filter(pk=given.own.pk).update(chat_id="chat-1")
    return given.by(given.ann, "claim"), given.claimed_turn().start_over


def try_again_is_pressed_during_the_claim(given: Round):
    return given.by(given.ann, "claim"), given.failed_turn().ask_again


def the_visitor_queues_while_the_bot_takes_the_message(given: Round):
    return Conversation.objects.get(pk=given.own.pk).join_queue, given.turn.claim


def the_visitor_queues_while_a_person_claims(given: Round):
    return Conversation.objects.get(pk=given.own.pk).join_queue, given.by(given.ann, "claim")


def the_visitor_leaves_the_queue_while_a_person_claims(given: Round):
    given.own.join_queue()
    return Conversation.objects.get(pk=given.own.pk).leave_queue, given.by(given.ann, "claim")


def the_visitor_ends_it_while_a_person_claims(given: Round):
    return Conversation.objects.get(pk=given.own.pk).end, given.by(given.ann, "claim")


def a_kiosk_is_wiped_while_a_person_claims(given: Round):
    return partial(Conversation.objects.end_all_of, [given.visitor]), given.by(given.ann, "claim")


def a_colleague_takes_over_while_the_holder_hands_back(given: Round):
    given.own.claim(given.ann)
    return given.by(given.ben, "take_over", given.ann), given.by(given.ann, "hand_back")


def the_same_reply_is_sent_twice(given: Round):
    given.own.claim(given.ann)
    key = uuid.uuid4()
    return given.by(given.ann, "write_message", key, "Hi"), given.by(given.ann, "write_message", key, "Hi")


def a_message_arrives_while_it_is_handed_back(given: Round):
    given.own.claim(given.ann)
    return given.by(given.ann, "hand_back"), given.send


def _a_little_later(action: Callable[[], object]) -> object:
    """Vary the timing, so that each action is first now and then."""
    time.sleep(random.choice((0, 0, 0.001, 0.002, 0.004)))
    return action()


@pytest.fixture
def members(database_on_disk: None) -> list[TeamMember]:
    users = [User.objects.create(username=name) for name in ("ann", "ben")]
    return [TeamMember.objects.create(user=user, name=user.username) for user in users]


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    "race",
    [
        two_claim,
        a_message_arrives_during_the_claim,
        the_bot_takes_the_message_during_the_claim,
        the_first_reply_arrives_during_the_claim,
        the_chat_is_forgotten_during_the_claim,
        try_again_is_pressed_during_the_claim,
        the_visitor_queues_while_the_bot_takes_the_message,
        the_visitor_queues_while_a_person_claims,
        the_visitor_leaves_the_queue_while_a_person_claims,
        the_visitor_ends_it_while_a_person_claims,
        a_kiosk_is_wiped_while_a_person_claims,
        a_colleague_takes_over_while_the_holder_hands_back,
        the_same_reply_is_sent_twice,
        a_message_arrives_while_it_is_handed_back,
    ],
    ids=lambda race: race.__name__,
)
def test_the_protocol_holds_whichever_comes_first(race, members, bot_of_races):
    outcomes = Counter()
    for _round in range(ROUNDS):
        given = Round(bot_of_races, members)
        first, second = run_concurrently(*(partial(_a_little_later, action) for action in race(given)))
        given.check()
        outcomes[repr(first)[:5], repr(second)[:5]] += 1
        if race in (two_claim, a_colleague_takes_over_while_the_holder_hands_back):
            assert [first, second].count(True) == 1
        if race in (the_first_reply_arrives_during_the_claim, the_chat_is_forgotten_during_the_claim):
            assert given.own.chat_id == ("chat-1" if race is the_first_reply_arrives_during_the_claim else "")
            turn = Turn.objects.get(pk=given.turn.pk)
            assert turn.late_reply + turn.reply == ("Hi" if race is the_first_reply_arrives_during_the_claim else "")
        if race is the_same_reply_is_sent_twice:
            assert first == second
    print(race.__name__, dict(outcomes))


@pytest.fixture
def bot_of_races(database_on_disk: None, settings) -> Bot:
    settings.MESSAGES_PER_MINUTE = settings.CONVERSATIONS_PER_DAY = 0
    return Bot.objects.create(slug="help", name="Ada")
