"""POST /api/public/chat as clients see it: replies, conversations, credits (chat-api.md, sections 2 to 5)."""

from datetime import timedelta

import pytest
from django.utils import timezone

from docbot.models import ApiKey, Chat, Exchange, State, TrainedBot

HOURS = "When is the workshop open on weekdays?"


def test_the_answer_says_whether_the_documents_answer_the_message(ask):
    assert ask(HOURS).json()["outcome"] == "answered"
    assert ask("Who wrote the Iliad?").json()["outcome"] == "not_known"


def test_the_history_contains_message_and_reply_and_a_follow_up_is_answered_in_their_context(ask, bot):
    reply = ask("How much is a repair of a bicycle?").json()
    chat = Chat.objects.get()
    stored = chat.exchanges.get()
    assert (chat.trained_bot, chat.chat_id) == (bot, reply["chatId"])
    assert (stored.message, stored.reply) == ("How much is a repair of a bicycle?", reply["message"])
    assert (stored.certainty, stored.via) == (Exchange.Certainty.SURE, Exchange.Via.EXTRACTIVE)
    assert stored.sources[0]["title"] == "Repairs"
    assert "three days" in ask("And how long does it take?", chatId=reply["chatId"]).json()["message"]
    Exchange.objects.update(sources=[{"title": "Repairs", "page": 7}])  # as an older version stored them
    assert ask("And how long does it take?", chatId=reply["chatId"]).status_code == 200


def test_replies_are_neither_cached_nor_readable_by_other_origins_and_no_cookie_is_read_or_set(post, key):
    response = post(b'\xef\xbb\xbf{"message": "When is the workshop open?"}', key)  # a byte order mark is ignored
    assert response.status_code == 200
    assert response.headers["Cache-Control"] == "no-store"
    assert not [name for name in response.headers if name.lower().startswith("access-control")]
    assert not response.cookies
    assert "Cookie" not in response.headers.get("Vary", "")


def test_the_chat_id_cannot_be_guessed_from_another(ask):
    first, second = (ask(HOURS).json()["chatId"] for _ in range(2))
    assert min(len(first), len(second)) >= 22
    assert first[:4] != second[:4]


# --- Ownership of chats ---


def test_each_message_extends_the_life_of_its_chat_and_an_expired_one_stays_in_the_history(ask, settings):
    settings.DOCBOT_CHAT_DAYS = 2
    chat_id = ask(HOURS).json()["chatId"]
    Chat.objects.update(last_used_at=timezone.now() - timedelta(days=1))
    ask(HOURS, chatId=chat_id)
    assert timezone.now() - Chat.objects.get().last_used_at < timedelta(minutes=1)
    Chat.objects.update(last_used_at=timezone.now() - timedelta(days=2, seconds=1))
    response = ask(HOURS, chatId=chat_id)
    assert (response.status_code, response.json()["error"]["code"]) == (404, "CHAT_NOT_FOUND")
    assert Exchange.objects.count() == 2


# --- Credits ---


def test_a_refused_request_costs_no_credit(ask, post, key, bot):
    TrainedBot.objects.update(credits=5)
    ask("")
    ask(HOURS, chatId="unknown")
    ask(HOURS, key="wrong")
    post(b"{", key)
    bot.index_folder.rename(bot.index_folder.with_name("away"))
    assert ask(HOURS).status_code == 503
    assert TrainedBot.objects.get(pk=bot.pk).credits == 5


def test_after_the_last_credit_the_bot_is_offline_and_all_data_is_kept(ask, bot):
    TrainedBot.objects.update(credits=2)
    bot.refresh_from_db()
    assert ask(HOURS).status_code == 200
    assert [bot.spend_credit() for _ in range(2)] == [True, False]  # as for simultaneous requests
    response = ask(HOURS)
    assert (response.status_code, response.json()["error"]["code"]) == (403, "BOT_DISABLED")
    bot.refresh_from_db()
    assert (bot.credits, bot.state, Chat.objects.count(), Exchange.objects.count()) == (0, State.NO_CREDITS, 1, 1)
    assert bot.passages().exists()


def test_credits_that_are_unlimited_are_not_counted_even_if_they_were_limited_before(bot, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert bot.spend_credit()
    TrainedBot.objects.update(credits=1)
    bot.refresh_from_db()
    TrainedBot.objects.update(credits=None)
    assert bot.spend_credit()
    bot.refresh_from_db()
    assert bot.credits is None


# --- Cost ---


@pytest.mark.parametrize("per_minute", [0, 600])
def test_a_request_takes_at_most_eight_queries_however_long_the_chat(
    ask, settings, django_assert_max_num_queries, per_minute
):
    settings.DOCBOT_REQUESTS_PER_MINUTE = per_minute
    TrainedBot.objects.update(credits=100)
    chat_id = ask(HOURS).json()["chatId"]
    ApiKey.objects.update(last_used_at=None)
    for _ in range(3):
        with django_assert_max_num_queries(8):
            ask("And on Saturdays?", chatId=chat_id)
