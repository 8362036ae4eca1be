"""Statements that are put together once find and change what Django's own would."""

import uuid

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import CharField, UUIDField
from django.test.utils import CaptureQueriesContext

from webchat.models import Bot, Conversation, Turn
from webchat.models.prepared import Addition, Change, Given, LookUp

pytestmark = pytest.mark.django_db

BY_KEY = LookUp(lambda: Turn.objects.select_related("conversation__bot").filter(key=Given("key", UUIDField())))


@pytest.fixture
def turn() -> Turn:
    bot = Bot.objects.create(slug="help", name="Ada", daily_budget=3)
    conversation = Conversation.objects.create(bot=bot, visitor="v" * 64)
    return Turn.objects.create(conversation=conversation, message="Hello")


def fields_of(row) -> dict[str, object]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def test_a_row_and_what_belongs_to_it_are_as_django_reads_them(turn: Turn):
    found, usual = BY_KEY.first(key=turn.key), Turn.objects.get(key=turn.key)
    assert fields_of(found) == fields_of(usual)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert fields_of(found.conversation.bot) == fields_of(usual.conversation.bot)
    assert len(queries) == 2  # of the usual one


def test_each_look_up_has_values_of_its_own(turn: Turn):
    other = Turn.objects.create(conversation=turn.conversation, message="More")
    assert [BY_KEY.first(key=key) for key in (turn.key, other.key, uuid.uuid4())] == [turn, other, None]


def test_what_was_found_can_be_changed_and_stored(turn: Turn):
    found = BY_KEY.first(key=turn.key)
    found.message = "Hello again"
    found.save()
    assert Turn.objects.get(pk=turn.pk).message == "Hello again"


@pytest.mark.parametrize("value", ["' OR 1=1 --", "%s", "%", "\\", "help'; DROP TABLE webchat_bot"])
def test_a_value_is_never_part_of_the_statement(turn: Turn, value: str):
    by_slug = LookUp(lambda: Bot.objects.filter(slug=Given("slug", CharField()), name="100 %s"))
    assert by_slug.first(slug=value) is None
    assert Bot.at(value) is None
    assert Bot.at("help") == turn.conversation.bot


RATED = Change(
    lambda: Turn.objects.filter(key=Given("of", UUIDField()), state="answered"), "feedback", "feedback_reason"
)


def test_a_change_is_of_the_rows_that_are_meant(turn: Turn):
    other = Turn.objects.create(conversation=turn.conversation, message="More", state=Turn.State.ANSWERED)
    assert RATED.make(of=turn.key, feedback=1, feedback_reason="") == 0
    assert RATED.make(of=other.key, feedback=-1, feedback_reason="100 % '; --") == 1
    turn.refresh_from_db()
    other.refresh_from_db()
    assert (turn.feedback, other.feedback, other.feedback_reason) == (None, -1, "100 % '; --")


def test_a_change_can_take_a_value_back(turn: Turn):
    Turn.objects.update(state=Turn.State.ANSWERED, feedback=1)
    assert RATED.make(of=turn.key, feedback=None, feedback_reason="") == 1
    turn.refresh_from_db()
    assert turn.feedback is None


NEW = Addition(Turn)


def test_a_new_row_is_stored_as_django_stores_it(turn: Turn):
    new = Turn(conversation=turn.conversation, message="100 % '; --", not_before=turn.created_at)
    NEW.store(new)
    stored = Turn.objects.get(key=new.key)
    assert fields_of(stored) == fields_of(new)
    assert (stored.pk, stored.message, stored.not_before) == (turn.pk + 1, "100 % '; --", turn.created_at)


def test_a_stored_row_can_be_changed_and_deleted(turn: Turn):
    new = Turn(conversation=turn.conversation, message="Hello")
    NEW.store(new)
    new.message = "Hello again"
    new.save()
    assert [each.message for each in Turn.objects.filter(key=new.key)] == ["Hello again"]
    new.delete()
    assert list(Turn.objects.all()) == [turn]


def test_what_the_database_refuses_is_not_stored(turn: Turn):
    with pytest.raises(IntegrityError), transaction.atomic():
        NEW.store(Turn(conversation=turn.conversation, key=turn.key, message="Hello"))
    assert list(Turn.objects.all()) == [turn]
