"""Data that is no longer needed is deleted, and nothing else."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone

from webchat import periodic_tasks
from webchat.cleanup import clean
from webchat.models import Bot, Circuit, Conversation, Entry, Turn


def test_expired_sessions_are_deleted_and_current_ones_kept(visitor, new_visitor):
    visitor.send("Hello")
    new_visitor().send("Hello")
    old = Session.objects.first()
    Session.objects.filter(pk=old.pk).update(expire_date=timezone.now() - timedelta(seconds=1))
    clean()
    assert Session.objects.count() == 1
    assert not Session.objects.filter(pk=old.pk).exists()


def test_the_circuit_of_an_upstream_that_is_down_is_kept(db):
    long_ago = timezone.now() - timedelta(days=1)
    Circuit.objects.create(upstream_url="down", last_failure_at=long_ago, open_until=long_ago)
    Circuit.objects.create(upstream_url="back", last_failure_at=long_ago)
    clean()
    assert [circuit.upstream_url for circuit in Circuit.objects.all()] == ["down"]


def test_conversations_in_which_something_happened_are_kept(visitor):
    visitor.send("Hello")
    visitor.begin_a_new_conversation()
    Conversation.objects.update(ended_at=timezone.now() - timedelta(days=400))
    bot, yesterday = Bot.objects.get(), timezone.now() - timedelta(days=1)
    Conversation.objects.create(bot=bot, visitor="nobody", ended_at=yesterday)
    Conversation.objects.create(bot=bot, visitor="who asked for a person").join_queue()
    Conversation.objects.filter(entries__isnull=False).update(ended_at=yesterday)
    clean()
    assert (Conversation.objects.count(), Turn.objects.count(), Entry.objects.count()) == (2, 1, 1)


@pytest.mark.django_db
def test_one_command_does_all_the_cleaning():
    periodic_tasks.run_all()
