"""Conversations of customers: several in parallel, kept when a new one begins, anonymous ones handed over."""

import datetime
import uuid
from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth.models import Permission, User
from django.utils import timezone

from webchat.conversation import accept
from webchat.models import Bot, Conversation, Customer, Surface, Turn


@pytest.fixture
def customer(bot: Bot) -> Customer:
    Bot.objects.filter(pk=bot.pk).update(in_portal=True)
    return Customer.objects.vouched_for(bot, "42", "Rosa Meier", "rosa@example.com")


def test_an_anonymous_conversation_is_handed_over_complete(customer, bot):
    turn = accept.accept("v" * 64, bot, Surface.CHAT, uuid.uuid4(), "Hello")
    yesterday = timezone.now() - datetime.timedelta(days=1)
    Turn.objects.update(created_at=yesterday)
    Conversation.objects.update(chat_id="abc")
    assert turn.conversation.give_to(customer)
    conversation = Conversation.objects.of_customer(customer.visitor).get()
    assert (conversation.customer, conversation.chat_id, conversation.last_at) == (customer, "abc", yesterday)
    assert not Conversation.objects.open_for("v" * 64, "help", Surface.CHAT).exists()


def test_a_customer_is_recognised_by_the_subject_of_their_website_and_shown_with_the_latest_name(customer, bot):
    again = Customer.objects.vouched_for(bot, "42", "Rosa Huber", "huber@example.com")
    assert (again.pk, str(again), again.contact_email) == (customer.pk, "Rosa Huber", "huber@example.com")
    assert Customer.objects.count() == 1
    other = Bot.objects.create(slug="other", name="Eve")
    assert Customer.objects.vouched_for(other, "42", "Rosa Meier", "rosa@example.com").visitor != customer.visitor


def test_a_permission_from_before_the_update_still_lets_its_owner_see_customers(db):
    ada = User.objects.create_user("ada", is_staff=True)
    Permission.objects.filter(codename="view_customer").update(codename="view_person")
    ada.user_permissions.add(Permission.objects.get(codename="view_person"))
    import_module("webchat.migrations.0054_customer").rename_permissions(apps, None)
    assert User.objects.get().has_perm("webchat.view_customer")
