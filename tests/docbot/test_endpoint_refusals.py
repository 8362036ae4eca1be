"""Every error code of chat-api.md, section 7, and hostile bodies that must never cause a 500."""

import json
import logging
from datetime import timedelta

import pytest
from django.utils import timezone

from chatsite.monitoring import logs
from docbot.endpoint import exchanges
from docbot.models import Chat, Exchange, TrainedBot

GOOD = b'{"message": "When is the workshop open?"}'


def check_refusal(response, status: int, code: str) -> str:
    """Check that an error has the only allowed shape, and return its sentence."""
    assert response.headers["Content-Type"] == "application/json"
    body = response.json()
    assert set(body) == {"success", "error"}
    assert body["success"] is False
    assert set(body["error"]) == {"code", "message"}
    assert (response.status_code, body["error"]["code"]) == (status, code)
    assert body["error"]["message"].strip()
    assert not response.cookies
    return body["error"]["message"]


# --- Keys ---


@pytest.mark.parametrize(
    ("key", "code"), [(None, "MISSING_API_KEY"), ("x", "INVALID_API_KEY"), ("clé", "INVALID_API_KEY")]
)
def test_without_a_valid_key_a_client_is_told_the_header_to_send_and_nothing_about_the_body(post, bot, key, code):
    for body in (GOOD, b"{", b"x" * 100_000):
        response = post(body, key)
        check_refusal(response, 401, code)
        assert "X-BOT-API-KEY" in response.headers["WWW-Authenticate"]


# --- Bodies ---

DEEP = 30_000
BODIES = {
    "whitespace": b"  \n",
    "not JSON": b"message=When",
    "trailing comma": b'{"message": "When",}',
    "comment": b'{"message": "When"} // now',
    "two objects": GOOD + GOOD,
    "list": b'["When"]',
    "number": b"42",
    "message true": b'{"message": true}',
    "chatId false": b'{"message": "When", "chatId": false}',
    "chatId a list": b'{"message": "When", "chatId": ["a"]}',
    "chatId an object": b'{"message": "When", "chatId": {}}',
    "NaN": b'{"message": "When", "more": NaN}',
    "Infinity": b'{"message": "When", "more": -Infinity}',
    "deep lists": b'{"message": "When", "more": ' + b"[" * DEEP + b"]" * DEEP + b"}",
    "deep objects": b'{"message": "When", "more": ' + b'{"a":' * 9000 + b"1" + b"}" * 9000 + b"}",
    "open lists": b"[" * DEEP,
    "number of many digits": b'{"message": "When", "more": ' + b"9" * 20_000 + b"}",
    "control character": b'{"message": "When\n"}',
    "NUL escaped": b'{"message": "When\\u0000"}',
    "lone high surrogate": b'{"message": "When \\ud83d"}',
    "lone low surrogate": b'{"message": "When \\ude00 is it"}',
    "Latin-1": '{"message": "Für wen"}'.encode("latin-1"),
    "overlong UTF-8": b'{"message": "When \xc0\xaf"}',
    "surrogate in UTF-8": b'{"message": "When \xed\xa0\x80"}',
    "cut UTF-8": b'{"message": "When \xe2\x82',
    "UTF-16": '{"message": "When"}'.encode("utf-16"),
    "gzip": b"\x1f\x8b\x08\x00\x00\x00\x00\x00",
    "form": b"message=When&chatId=",
}


def test_a_body_that_is_not_a_valid_json_object_is_refused(post, key):
    for name, body in BODIES.items():
        print(name)  # shown by pytest when the test fails
        check_refusal(post(body, key), 400, "INVALID_JSON")
    assert not Exchange.objects.exists()


@pytest.mark.parametrize(
    "kind", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/json",
             "application/jsonp", "application/json; charset=utf-16"]
)  # fmt: skip
def test_another_content_type_and_a_compressed_body_are_refused(post, key, kind):
    check_refusal(post(GOOD, key, content_type=kind), 415, "INVALID_JSON")
    check_refusal(post(GOOD, key, headers={"Content-Encoding": "gzip"}), 415, "INVALID_JSON")


@pytest.mark.parametrize("message", ["", " ", "\n\t\r ", "\u00a0\u2003\u3000", "\u200b\u200d\ufeff", "\x01\x02"])
def test_a_message_without_visible_text_is_refused(ask, message):
    check_refusal(ask(message), 400, "MESSAGE_REQUIRED")


def test_a_message_of_the_maximum_length_is_answered_and_a_longer_one_refused(ask, settings):
    settings.DOCBOT_MESSAGE_MAX_LENGTH = 300
    assert ask("é" * 300).status_code == 200
    assert "300" in check_refusal(ask("é" * 301), 413, "INVALID_JSON")


def test_the_longest_message_fits_in_a_request_even_with_every_character_escaped(post, key, settings):
    body = json.dumps({"message": "語" * settings.DOCBOT_MESSAGE_MAX_LENGTH, "chatId": "x" * 64}).encode("ascii")
    check_refusal(post(body, key), 404, "CHAT_NOT_FOUND")


def test_a_request_that_is_too_large_is_refused(post, key, settings):
    size = settings.DOCBOT_REQUEST_MAX_BYTES
    filling = json.dumps({"message": "When?", "more": "x" * size}).encode()
    check_refusal(post(filling, key), 413, "INVALID_JSON")
    check_refusal(post(b"x" * 5_000_000, key), 413, "INVALID_JSON")


# --- Chats ---


@pytest.mark.parametrize(
    "unknown", ["unknown", "x" * 24, " ", "a b", "é", "../../etc/passwd", "' OR 1=1 --", "\x00", "\ud800", "x" * 20_000]
)
def test_an_unknown_chat_is_not_found(ask, unknown):
    check_refusal(ask("When?", chatId=unknown), 404, "CHAT_NOT_FOUND")
    assert not Chat.objects.exists()


# --- Bots ---


def test_a_bot_whose_trial_has_ended_is_disabled(ask, bot):
    TrainedBot.objects.update(trial_ends_at=timezone.now() + timedelta(days=14))
    assert ask("When?").status_code == 200
    TrainedBot.objects.update(trial_ends_at=timezone.now() - timedelta(seconds=1))
    assert "trial" in check_refusal(ask("When?"), 403, "BOT_DISABLED")


def test_a_bot_that_is_not_trained_yet_is_unavailable(ask, other_key):
    response = ask("When?", key=other_key)
    check_refusal(response, 503, "BOT_UNAVAILABLE")
    assert int(response.headers["Retry-After"]) > 0


def test_too_many_requests_with_one_key_have_to_wait(ask, settings):
    settings.DOCBOT_REQUESTS_PER_MINUTE = 3
    assert [ask("When?").status_code for _ in range(3)] == [200] * 3
    response = ask("When?")
    check_refusal(response, 429, "RATE_LIMITED")
    assert 1 <= int(response.headers["Retry-After"]) <= 20
    assert Exchange.objects.count() == 3


# --- Other errors ---


def test_an_unexpected_failure_is_an_internal_error_and_its_log_line_contains_nothing_of_the_visitor(
    ask, key, caplog, monkeypatch
):
    secret = "my number is 0151 2345"

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError(f"while reading {secret!r} with {key}")

    monkeypatch.setattr(exchanges, "answer", fail)  # patched, because no failure is known
    with caplog.at_level(logging.DEBUG):
        check_refusal(ask(secret), 500, "INTERNAL_ERROR")
    for kind in ("TEXT", "JSON"):
        logged = "\n".join(logs.formatter(kind).format(record) for record in caplog.records)
        assert "RuntimeError" in logged
        assert secret not in logged
        assert key not in logged
    assert not Exchange.objects.exists()


def test_no_log_line_contains_a_message_or_a_key(ask, post, key, caplog):
    with caplog.at_level(logging.DEBUG):
        ask("a very private matter")
        ask("a very private matter", chatId="unknown")
        post(b'{"message": "a very private matter', key)
        ask("a very private matter", key=key + "x")
    assert "private" not in caplog.text
    assert key not in caplog.text
