"""The number of statements a turn: each is a wait, and on a busy site the database is the bottleneck."""

import uuid

import pytest
from django.db import connection, models, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from webchat.models import Bot, Conversation, Surface, Turn

MOST = 12  # DESIGN, "Speed"
MOST_OF_THE_FIRST = 20  # including session and conversation


def statements(queries: CaptureQueriesContext) -> int:
    """Count the statements, without those that begin and end transactions."""
    words = [query["sql"].split()[0].upper() for query in queries.captured_queries]
    return sum(word in ("SELECT", "INSERT", "UPDATE", "DELETE") for word in words)


@pytest.mark.parametrize("way", ["send", "send_live"])
def test_a_turn_takes_few_statements_with_every_limit_on(way, visitor, upstream):
    Bot.objects.update(daily_budget=100)
    visitor.client.defaults["REMOTE_ADDR"] = "198.51.100.7"
    visitor.open()
    with CaptureQueriesContext(connection) as first:
        getattr(visitor, way)("Hello")
    with CaptureQueriesContext(connection) as second:
        page = getattr(visitor, way)("And again")
    assert page.turns[-1].reply == "You said: And again"
    extra = 4 if way == "send" else 0  # without JavaScript the whole page follows
    assert statements(first) <= MOST_OF_THE_FIRST + extra
    assert statements(second) <= MOST + extra


def values_of(row: models.Model) -> dict[str, object]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def represented(row: models.Model) -> dict[str, str]:
    return {name: repr(value) for name, value in values_of(row).items()}


@pytest.mark.django_db
def test_a_bot_read_by_raw_sql_equals_one_read_by_the_orm():
    Bot.objects.create(slug="shop", name="Ada", daily_budget=5, asks_for_proof=True, face="faces/ada.webp")
    read, same = Bot.at("shop"), Bot.objects.get(slug="shop")
    assert represented(read) == represented(same)
    read.name = "Grace"
    read.save()
    same.refresh_from_db()
    assert same.name == "Grace"
    assert Bot.at("nobody") is None


def test_a_conversation_and_its_turn_are_the_same_by_raw_sql_and_by_the_orm(bot):
    moments = {"visitor_seen_at": timezone.now(), "consented_at": timezone.now()}
    Conversation.objects.create(visitor="f" * 64, bot=bot, surface=Surface.CHAT, chat_id="a-chat", **moments)
    with transaction.atomic():
        conversation = Conversation.objects.open_or_begin("f" * 64, bot, Surface.CHAT)
        turn = Turn.objects.begin(conversation, uuid.uuid4(), "Hello")
    assert represented(conversation) == represented(Conversation.objects.get())
    assert values_of(turn) == values_of(Turn.objects.get())
    turn.mark_as_started_over()
    assert Turn.objects.get().started_over
