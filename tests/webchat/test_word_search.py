"""Word search in conversations, with an index that the database itself keeps up to date."""

import pytest
from django.db import connection

from webchat.models import Bot, Conversation, Turn
from webchat.models.conversations import word_search


@pytest.fixture
def turn(db: None) -> Turn:
    conversation = Conversation.objects.create(bot=Bot.objects.create(slug="help", name="Ada"), visitor="v")
    return Turn.objects.create(
        conversation=conversation, message="Where is my Päckchen?", reply="On the snow-white van"
    )


def is_found(words: str) -> bool:
    return Conversation.objects.filter(word_search.holding(words)).exists()


@pytest.mark.parametrize(
    "words", ["päckchen", "PÄCKCHEN", "päck", "van where", "snow-white", "snow white van", "?! van"]
)
def test_words_are_found_by_their_beginnings_in_a_message_with_its_reply(words, turn):
    assert is_found(words)


@pytest.mark.parametrize(
    "words", ["ckchen", "parcel", "van parcel", '"van', "van*)", "NEAR(van", "a:b", "'; DROP", "\\", "& |", "() !", "%"]
)
def test_other_words_and_search_syntax_find_nothing_and_break_nothing(words, turn):
    assert is_found(words) == (words in ('"van', "van*)"))


def test_text_without_spaces_is_searched_literally(turn):
    Turn.objects.filter(pk=turn.pk).update(message="注文した荷物はどこですか")
    assert is_found("荷物")
    assert not is_found("電話")


def test_a_list_shows_the_newest_matches_for_common_and_rare_words(turn, monkeypatch):
    monkeypatch.setattr(word_search, "NEWEST", (1, 3))
    for number in range(6):
        conversation = Conversation.objects.create(bot=turn.conversation.bot, visitor=str(number))
        Turn.objects.create(conversation=conversation, message="Parcel", reply="odd" if number % 2 else "even")
    listed = Conversation.objects.order_by("-pk")

    def first(words: str, wanted: int) -> list[str]:
        found = listed.filter(word_search.holding_in_first(words, listed, wanted))
        return list(found.values_list("visitor", flat=True)[:wanted])

    assert first("parcel", 3) == ["5", "4", "3"]
    assert first("parcel even", 2) == ["4", "2"]
    assert first("where", 2) == ["v"]


def test_the_index_follows_each_change(turn):
    Turn.objects.filter(pk=turn.pk).update(reply="At the station")
    assert (is_found("station"), is_found("van")) == (True, False)
    turn.refresh_from_db()
    turn.message = "Thanks"
    turn.save()
    assert (is_found("thanks"), is_found("where")) == (True, False)
    Turn.objects.bulk_create([Turn(conversation=turn.conversation, message="Zebra")])
    assert is_found("zebra")
    turn.conversation.delete()
    assert not any(is_found(word) for word in ("thanks", "station", "zebra"))


def test_deleted_text_leaves_the_index(turn):
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL's vacuum does it")
    for number in range(40):
        Turn.objects.create(conversation=turn.conversation, message=f"Topsecret{number}")
    other = Conversation.objects.create(bot=turn.conversation.bot, visitor="w")
    Turn.objects.create(conversation=other, message="Harmless")
    turn.conversation.delete()
    word_search.forget_deleted()
    with connection.cursor() as cursor:
        cursor.execute("SELECT block FROM webchat_turn_words_data")
        index = b"".join(bytes(block) for (block,) in cursor.fetchall())
    assert b"harmless" in index
    assert b"secret" not in index
