"""A small client of the service, as bridges to messaging channels write them, talks to docbot over real HTTP."""

import json
import urllib.error
import urllib.request

import pytest
from pytest_django.live_server_helper import LiveServer

from docbot.models import Chat, Exchange


class BridgeClient:
    """Reads `success`, `chatId` and `message`, and keeps one chatId per sender. Knows nothing of docbot."""

    def __init__(self, base_url: str, api_key: str) -> None:
        self.url = f"{base_url}/api/public/chat"
        self.headers = {"X-BOT-API-KEY": api_key, "Content-Type": "application/json"}
        self.chats: dict[str, str] = {}

    def send(self, sender: str, message: str) -> str:
        body = {"message": message}
        if sender in self.chats:
            body["chatId"] = self.chats[sender]
        answer = self._post(body)
        if not answer["success"] and answer["error"]["code"] == "CHAT_NOT_FOUND":
            del self.chats[sender]
            answer = self._post({"message": message})
        if not answer["success"]:
            raise RuntimeError(answer["error"]["code"])
        self.chats[sender] = answer["chatId"]
        return answer["message"]

    def _post(self, body: dict[str, str]) -> dict:
        request = urllib.request.Request(self.url, json.dumps(body).encode(), self.headers)
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            with error:
                return json.load(error)


QUESTIONS = (
    "When is the workshop open on weekdays?",
    "And on Saturdays?",
    "What does the repair of a bicycle cost?",
    "How long does the repair take?",
    "Can I pay by card?",
    "How long is the warranty?",
    "Do you send invoices to companies?",
    "Who wrote the Iliad?",
    "Привет! 👋",
    "What does a new chain cost?",
    "Hello!",
    "is the workshop open on sundays",
    "warrnaty",
    "What do I have to keep?",
    "How long does it take in spring?",
    "Bank transfer?",
    "Thanks a lot.",
    "<script>alert(1)</script> & {{ 7 * 7 }}",
    "When are you closed at lunch time?",
    "Bye",
)


@pytest.fixture
def bridge(live_server: LiveServer, key: str) -> BridgeClient:
    return BridgeClient(live_server.url, key)


def test_two_senders_talk_for_twenty_turns_each_in_a_chat_of_their_own(bridge):
    assert len(QUESTIONS) == 20
    for question in QUESTIONS:
        for sender in ("491510000001", "491510000002"):
            assert bridge.send(sender, question)
    assert len(set(bridge.chats.values())) == 2
    for chat in Chat.objects.all():
        assert [exchange.message for exchange in chat.exchanges.order_by("pk")] == list(QUESTIONS)
    assert Exchange.objects.count() == 40


def test_a_sender_whose_chat_is_gone_gets_an_answer_in_a_new_one(bridge):
    bridge.send("491510000001", QUESTIONS[0])
    old = bridge.chats["491510000001"]
    Chat.objects.all().delete()
    assert bridge.send("491510000001", QUESTIONS[2])
    assert bridge.chats["491510000001"] != old


def test_a_wrong_key_reaches_the_client_as_its_code(live_server, key):
    with pytest.raises(RuntimeError, match="INVALID_API_KEY"):
        BridgeClient(live_server.url, key + "x").send("491510000001", QUESTIONS[0])
