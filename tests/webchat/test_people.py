"""People's conversations: several in parallel, kept when a new one begins, anonymous ones handed over."""

import datetime
import uuid

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from webchat.conversation import accept
from webchat.models import Bot, Conversation, Person, Surface, Turn


@pytest.fixture
def person(bot: Bot) -> Person:
    Bot.objects.filter(pk=bot.pk).update(in_portal=True)
    return Person.objects.vouched_for(bot, "42", "Rosa Meier", "rosa@example.com")


@pytest.fixture
def account(db: None) -> Person:
    return Person.objects.of_account(User.objects.create_user("rosa", "rosa@example.com", "x"))


def say(person: Person, bot: Bot, message: str, surface: str = Surface.PORTAL, named: uuid.UUID | None = None) -> Turn:
    return accept.accept(person.visitor, bot, surface, uuid.uuid4(), message, named)


def test_a_person_has_several_conversations_with_one_bot(person, bot):
    first, second = say(person, bot, "One").conversation, say(person, bot, "Two").conversation
    assert first != second
    assert {first.person, second.person} == {person}
    assert say(person, bot, "Three", named=first.public_id).conversation == first


def test_a_form_sent_twice_begins_one_conversation(person, bot):
    key = uuid.uuid4()
    turns = [accept.accept(person.visitor, bot, Surface.PORTAL, key, "One") for _ in range(2)]
    assert turns[0] == turns[1]
    assert Conversation.objects.count() == 1


@pytest.mark.parametrize("whose", ["a stranger's", "unknown", "ended", "of a closed bot"])
def test_what_is_not_ones_own_can_not_be_written_to(whose, person, account, bot):
    conversation = say(account if whose == "a stranger's" else person, bot, "One").conversation
    named = uuid.uuid4() if whose == "unknown" else conversation.public_id
    if whose == "ended":
        conversation.end()
    if whose == "of a closed bot":
        Bot.objects.update(in_portal=False)
    with pytest.raises(Conversation.DoesNotExist):
        say(person, bot, "Two", named=named)
    assert Turn.objects.count() == 1


def test_in_the_widget_one_conversation_is_the_present_one(person, bot):
    first = say(person, bot, "One", Surface.EMBED).conversation
    assert say(person, bot, "Two", Surface.EMBED).conversation == first
    with pytest.raises(IntegrityError), transaction.atomic():
        Conversation.objects.create(visitor=person.visitor, bot=bot, surface=Surface.EMBED)


def test_a_persons_conversation_that_makes_way_keeps_its_chat_id_and_can_be_gone_on_with(person, bot):
    first = say(person, bot, "One", Surface.EMBED).conversation
    Conversation.objects.update(chat_id="abc")
    first.archive()
    assert say(person, bot, "Two", Surface.EMBED).conversation != first
    turn = say(person, bot, "Three", named=first.public_id)
    assert (turn.conversation, turn.conversation.chat_id) == (first, "abc")


def test_a_strangers_conversation_that_makes_way_has_ended(bot):
    conversation = accept.accept("v" * 64, bot, Surface.CHAT, uuid.uuid4(), "One").conversation
    conversation.archive()
    assert Conversation.objects.get().ended_at


# --- Taken along ------------------------------------------------------------------------------------------------------


def test_an_anonymous_conversation_is_handed_over_whole(person, bot):
    turn = accept.accept("v" * 64, bot, Surface.CHAT, uuid.uuid4(), "Hello")
    yesterday = timezone.now() - datetime.timedelta(days=1)
    Turn.objects.update(created_at=yesterday)
    Conversation.objects.update(chat_id="abc")
    assert turn.conversation.hand_over(person)
    conversation = Conversation.objects.of_person(person.visitor).get()
    assert (conversation.person, conversation.chat_id, conversation.last_at) == (person, "abc", yesterday)
    assert not Conversation.objects.open_for("v" * 64, "help", Surface.CHAT).exists()


def test_nobody_is_handed_what_belongs_to_somebody(person, account, bot):
    conversation = say(account, bot, "Mine", Surface.EMBED).conversation
    assert not conversation.hand_over(person)
    assert not Conversation.objects.of_person(person.visitor).exists()


# --- Who is who -------------------------------------------------------------------------------------------------------


def test_a_person_is_found_again_by_the_subject_and_called_by_the_name_of_today(person, bot):
    again = Person.objects.vouched_for(bot, "42", "Rosa Huber", "huber@example.com")
    assert (again.pk, str(again), again.contact_email) == (person.pk, "Rosa Huber", "huber@example.com")
    assert Person.objects.count() == 1


def test_the_same_subject_on_another_bots_website_is_another_person(person):
    other = Bot.objects.create(slug="other", name="Eve")
    assert Person.objects.vouched_for(other, "42", "Rosa Meier", "rosa@example.com").visitor != person.visitor


def test_an_account_with_the_same_address_is_another_person(person, account):
    assert account != person
    assert account.visitor != person.visitor
    assert set(Person.objects.known_by_email("ROSA@example.com")) == {account, person}


def test_an_account_that_is_deleted_takes_its_conversations_along(account, bot):
    say(account, bot, "One")
    User.objects.all().delete()
    assert not Conversation.objects.exists()
