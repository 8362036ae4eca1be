"""The contract of chat-api.md as cases that every service must pass: the tests' fake upstream, and docbot.

@pytest.mark.parametrize("case", CASES, ids=names)
def test_the_contract_of_the_chat_service(case, service):     # a fixture that gives a Service
    case(service)
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
import requests

from webchat.upstream.client import Refused, UpstreamClient

PATH = "/api/public/chat"


@dataclass(frozen=True)
class Service:
    """Its base URL, and the keys of three bots: two that answer and one that is switched off."""

    base_url: str
    key: str
    other_key: str
    disabled_key: str

    def post(
        self, body: object, *, headers: Mapping[str, str] | None = None, **replaced: str | None
    ) -> requests.Response:
        """Post a body (bytes as they are, anything else as JSON) with valid headers, some of them replaced."""
        named = {"X-BOT-API-KEY": self.key, "Content-Type": "application/json", **(headers or {})}
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        sent = {name: value for name, value in {**named, **replaced}.items() if value is not None}
        return requests.post(self.base_url + PATH, data=content, headers=sent, timeout=30, allow_redirects=False)

    def client(self, key: str | None = None) -> UpstreamClient:
        return UpstreamClient(self.base_url, self.key if key is None else key, total_timeout=30)


Case = Callable[[Service], None]
CASES: list[Case] = []


def case(function: Case) -> Case:
    CASES.append(function)
    return function


def names(function: Case) -> str:
    return function.__name__


def refusal(response: requests.Response) -> str:
    """Check that an error has the only allowed shape, and return its code."""
    content = response.json()
    assert response.status_code >= 400
    assert content["success"] is False
    assert set(content["error"]) == {"code", "message"}
    assert "chatId" not in content
    return content["error"]["code"]


def reply(response: requests.Response) -> dict[str, Any]:
    """Check that a success has the only allowed shape, and return it."""
    assert response.status_code == 200
    assert response.headers["Content-Type"].partition(";")[0] == "application/json"
    content = response.json()
    assert set(content) - {"outcome"} == {"success", "chatId", "message"}
    assert content["success"] is True
    assert isinstance(content["chatId"], str)
    assert content["chatId"]
    assert isinstance(content["message"], str)
    assert content["message"].strip()
    return content


@case
def each_message_without_a_chat_id_starts_a_conversation_that_its_chat_id_continues(service: Service) -> None:
    first, second = reply(service.post({"message": "Hello"})), reply(service.post({"message": "Hello"}))
    assert first["chatId"] != second["chatId"]
    for message in ("And more?", "And then?"):
        assert reply(service.post({"message": message, "chatId": first["chatId"]}))["chatId"] == first["chatId"]
    assert refusal(service.post({"message": "Hello", "chatId": "never-given-out"})) == "CHAT_NOT_FOUND"


@case
def what_a_valid_request_may_have_besides_is_ignored(service: Service) -> None:
    reply(service.post({"message": "Hello", "stream": True, "files": [1]}))
    reply(service.post({"message": "Hello"}, headers={"Content-Type": "application/json; charset=utf-8"}))
    reply(service.post({"message": "Hello"}, **{"X-BOT-API-KEY": None, "x-bot-api-key": service.key}))


@case
def another_bots_conversation_is_refused_and_continues(service: Service) -> None:
    chat_id = reply(service.post({"message": "Hello"}))["chatId"]
    asked = {"message": "Hello", "chatId": chat_id}
    assert refusal(service.post(asked, headers={"X-BOT-API-KEY": service.other_key})) == "CHAT_NOT_FOUND"
    assert reply(service.post(asked))["chatId"] == chat_id


@case
def a_message_in_any_script_is_answered(service: Service) -> None:
    for message in ("Grüße 你好 مرحبا 😀", "a\nb\tc", '"; DROP TABLE chats; --'):
        reply(service.post({"message": message}))
        reply(service.post(json.dumps({"message": message}, ensure_ascii=False).encode()))


@case
def only_post_is_allowed(service: Service) -> None:
    headers = {"X-BOT-API-KEY": service.key}
    for method in ("GET", "PUT", "DELETE"):
        response = requests.request(method, service.base_url + PATH, headers=headers, timeout=30)
        assert response.status_code == 405


@case
def a_request_without_a_key_is_refused(service: Service) -> None:
    for key in (None, ""):
        assert refusal(service.post({"message": "Hello"}, **{"X-BOT-API-KEY": key})) == "MISSING_API_KEY"


@case
def a_key_outside_its_header_does_not_count(service: Service) -> None:
    body = {"message": "Hello", "apiKey": service.key, "X-BOT-API-KEY": service.key}
    headers = {"X-BOT-API-KEY": None, "Authorization": f"Bearer {service.key}"}
    assert refusal(service.post(body, **headers)) == "MISSING_API_KEY"


@case
def an_unknown_key_is_refused(service: Service) -> None:
    for key in ("wrong", service.key + "x", service.key[:-1], service.key.swapcase()):
        assert refusal(service.post({"message": "Hello"}, headers={"X-BOT-API-KEY": key})) == "INVALID_API_KEY"


@case
def each_bot_has_its_key_and_one_that_is_switched_off_is_refused(service: Service) -> None:
    reply(service.post({"message": "Hello"}, headers={"X-BOT-API-KEY": service.other_key}))
    refused = service.post({"message": "Hello"}, headers={"X-BOT-API-KEY": service.disabled_key})
    assert refusal(refused) == "BOT_DISABLED"


@case
def anything_but_a_json_object_is_refused(service: Service) -> None:
    for body in (b"", b"{", b"Hello", b"[]", b'"Hello"', b"null", b'{"message": "Hello"', b'{"message": "\xff"}'):
        assert refusal(service.post(body)) == "INVALID_JSON", body


@case
def fields_of_the_wrong_type_are_refused(service: Service) -> None:
    for body in ({"message": 1}, {"message": ["Hello"]}, {"message": {}}, {"message": "Hello", "chatId": 1}):
        assert refusal(service.post(body)) == "INVALID_JSON", body


@case
def another_content_type_is_refused(service: Service) -> None:
    for content_type in ("text/plain", "application/x-www-form-urlencoded", None):
        response = service.post({"message": "Hello"}, **{"Content-Type": content_type})
        assert refusal(response) == "INVALID_JSON", content_type


@case
def a_message_is_required(service: Service) -> None:
    for body in ({}, {"message": ""}, {"message": " \n\t"}, {"message": None}, {"chatId": "x"}):
        assert refusal(service.post(body)) == "MESSAGE_REQUIRED", body


@case
def a_refused_message_leaves_the_conversation_unchanged(service: Service) -> None:
    chat_id = reply(service.post({"message": "Hello"}))["chatId"]
    assert refusal(service.post({"message": "", "chatId": chat_id})) == "MESSAGE_REQUIRED"
    assert reply(service.post({"message": "Hello again", "chatId": chat_id}))["chatId"] == chat_id


@case
def our_client_keeps_a_conversation_for_twenty_turns(service: Service) -> None:
    client, chat_ids = service.client(), set()
    chat_id = None
    for number in range(20):
        answer = client.ask(f"Message {number}", chat_id)
        assert answer.text
        assert answer.requests_made == 1
        chat_id = answer.chat_id
        chat_ids.add(chat_id)
    assert len(chat_ids) == 1


@case
def our_client_recognises_every_refusal(service: Service) -> None:
    for code, key, message, chat_id in (
        ("INVALID_API_KEY", "wrong", "Hello", None),
        ("BOT_DISABLED", service.disabled_key, "Hello", None),
        ("MESSAGE_REQUIRED", service.key, "", None),
        ("CHAT_NOT_FOUND", service.key, "Hello", "never-given-out"),
    ):
        with pytest.raises(Refused) as raised:
            service.client(key).ask(message, chat_id)
        assert (raised.value.code, raised.value.requests_made) == (code, 1)
