"""Concurrent requests, each over its own database connection."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.test import Client

from docbot.models import Chat, Exchange, TrainedBot

QUESTION = "When is the workshop open on weekdays?"


def send_concurrently(count: int, key: str, **fields: str) -> list[dict]:
    def send(_: int) -> dict:
        about = {"content_type": "application/json", "headers": {"X-BOT-API-KEY": key}}
        try:
            return Client().post("/api/public/chat", {"message": QUESTION, **fields}, **about).json()
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(send, range(count)))


@pytest.fixture
def busy_key(bot: TrainedBot, key: str, database_on_disk: None) -> str:
    return key


def outcomes(answers: list[dict]) -> Counter[str]:
    return Counter("replied" if answer["success"] else answer["error"]["code"] for answer in answers)


def test_as_many_requests_are_answered_as_there_are_credits(busy_key):
    TrainedBot.objects.update(credits=5)
    assert outcomes(send_concurrently(12, busy_key)) == {"replied": 5, "BOT_DISABLED": 7}
    assert TrainedBot.objects.get().credits == 0
    assert (Chat.objects.count(), Exchange.objects.count()) == (5, 5)  # refused requests left nothing behind


def test_concurrent_messages_of_one_chat_are_all_stored_in_it(busy_key):
    (first,) = send_concurrently(1, busy_key)
    assert outcomes(send_concurrently(8, busy_key, chatId=first["chatId"])) == {"replied": 8}
    assert Chat.objects.get().exchanges.count() == 9


def test_the_rate_limit_admits_exactly_as_many_as_it_says(busy_key, settings):
    settings.DOCBOT_REQUESTS_PER_MINUTE = 4
    assert outcomes(send_concurrently(10, busy_key)) == {"replied": 4, "RATE_LIMITED": 6}
