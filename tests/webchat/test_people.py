"""Conversations of identified people: several in parallel, kept when a new one begins, anonymous ones handed over."""

import datetime
import uuid

import pytest
from django.utils import timezone

from webchat.conversation import accept
from webchat.models import Bot, Conversation, Person, Surface, Turn


@pytest.fixture
def person(bot: Bot) -> Person:
    Bot.objects.filter(pk=bot.pk).update(in_portal=True)
    return Person.objects.vouched_for(bot, "42", "Rosa Meier", "rosa@example.com")


# --- Handing over anonymous conversations -----------------------------------------------------------------------------


def test_an_anonymous_conversation_is_handed_over_complete(person, bot):
    turn = accept.accept("v" * 64, bot, Surface.CHAT, uuid.uuid4(), "Hello")
    yesterday = timezone.now() - datetime.timedelta(days=1)
    Turn.objects.update(created_at=yesterday)
    Conversation.objects.update(chat_id="abc")
    assert turn.conversation.give_to(person)
    conversation = Conversation.objects.of_person(person.visitor).get()
    assert (conversation.person, conversation.chat_id, conversation.last_at) == (person, "abc", yesterday)
    assert not Conversation.objects.open_for("v" * 64, "help", Surface.CHAT).exists()


# --- Identification ---------------------------------------------------------------------------------------------------


def test_a_person_is_recognised_by_the_subject_and_shown_with_the_latest_name(person, bot):
    again = Person.objects.vouched_for(bot, "42", "Rosa Huber", "huber@example.com")
    assert (again.pk, str(again), again.contact_email) == (person.pk, "Rosa Huber", "huber@example.com")
    assert Person.objects.count() == 1


def test_the_same_subject_on_another_bots_website_is_another_person(person):
    other = Bot.objects.create(slug="other", name="Eve")
    assert Person.objects.vouched_for(other, "42", "Rosa Meier", "rosa@example.com").visitor != person.visitor
