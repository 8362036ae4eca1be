"""Failures of a language model: visitors are still answered in time, and the owner reads why."""

import logging
import socket
import time

import pytest
from django.db import connections

from docbot.answering.model_server import ModelConfig, ModelFailed, complete
from docbot.models import Exchange
from outbound.deadline import Deadline
from tests.docbot.conftest import LLM_KEY
from tests.docbot.fake_model import FakeModel
from tests.docbot.model_replies import HOURS, QUOTED, exchange, reply_of

NESTED = b"[" * 200_000

FAILS = {
    "an error": lambda m: m.will_answer(500, {"error": {"message": "oops"}}),
    "a refused key": lambda m: m.will_answer(401, {"error": {"message": f"Incorrect API key provided: {LLM_KEY}"}}),
    "no such model": lambda m: m.will_answer(404, {"error": {"message": "no such model"}}),
    "a bad request again and again": lambda m: m.will_answer(400, {"error": {"param": "temperature"}}),
    "too many requests": lambda m: m.will_answer(429, {"error": {}}, Retry_After="0"),
    "an error that can't be read": lambda m: m.will_answer(500, NESTED),
    "a redirect": lambda m: m.will_answer(307, {}, Location="http://127.0.0.1:9/v1/chat/completions"),
    "not JSON": lambda m: m.will_answer(200, b"<html>hello</html>"),
    "deeply nested": lambda m: m.will_answer(200, NESTED),
    "nothing": lambda m: m.will_answer(200, b""),
    "a choice of null": lambda m: m.will_answer(200, {"choices": [None]}),
    "a message without content": lambda m: m.will_answer(200, {"choices": [{"message": {"content": None}}]}),
    "content in parts": lambda m: m.will_answer(200, {"choices": [{"message": {"content": [{"text": "a"}]}}]}),
    "an empty reply": lambda m: m.will_say(" \n\u0000"),
    "nothing but thoughts": lambda m: m.will_say("<think>It is nine [1]"),
    "no citation": lambda m: m.will_say("We are open all night."),
    "a citation of nothing": lambda m: m.will_say("We are open all night [99]."),
    "kept back by a filter": lambda m: m.will_say("Nine [1].", "content_filter"),
    "a reply that is too long": lambda m: m.will_say("word [1] " * 5000),
    "an answer that is huge": lambda m: m.will_say("word [1] " * 500_000),
    "compressed unasked": lambda m: m.will_answer(200, b"\x1f\x8b", Content_Encoding="gzip"),
    "a reset": FakeModel.will_reset,
    "an answer that breaks off": FakeModel.will_cut,
    "not HTTP": lambda m: m.will(lambda handler: handler.wfile.write(b"SSH-2.0-OpenSSH_9.2\r\n\r\n")),
}


@pytest.mark.parametrize("fail", FAILS.values(), ids=FAILS)
def test_on_any_failure_the_visitor_gets_a_quotation_and_the_history_says_so(ask, model, fail, caplog):
    fail(model)
    with caplog.at_level(logging.DEBUG):
        reply = reply_of(ask(HOURS))
    assert QUOTED in reply
    assert (exchange().via, exchange().certainty) == (Exchange.Via.FALLBACK, "sure")
    assert len(model.asked) <= 2
    assert "The language model gave no reply: " in caplog.text
    for secret in (LLM_KEY, HOURS, "nine to six", "oops", f":{model.port}"):
        assert secret not in caplog.text + "".join(str(record.args) for record in caplog.records)


IN_TIME = 4  # seconds, for a busy machine; without the deadline a connection may take 5, and an answer any time

SLOW = {
    "hangs": FakeModel.will_hang,
    "drips in the headers": lambda m: m.will_drip(in_the_headers=True),
    "drips in the body": lambda m: m.will_drip(in_the_headers=False),
}


@pytest.mark.parametrize("be_slow", SLOW.values(), ids=SLOW)
def test_no_server_can_extend_the_deadline(ask, model, settings, be_slow):
    settings.LLM_TIMEOUT = 0.4
    be_slow(model)
    began = time.monotonic()
    assert QUOTED in reply_of(ask(HOURS))
    assert 0.3 < time.monotonic() - began < IN_TIME
    assert exchange().via == Exchange.Via.FALLBACK


def test_a_server_that_is_not_running_is_noticed_immediately(ask, model, settings):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        settings.LLM_BASE_URL = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
        began = time.monotonic()
        assert QUOTED in reply_of(ask(HOURS))
    assert time.monotonic() - began < IN_TIME


@pytest.mark.parametrize("key", ["schlüssel", "a\nb", "\ud800"])
def test_a_key_that_cannot_be_sent_is_a_failure_that_does_not_reveal_it(model, key):
    with pytest.raises(ModelFailed) as failed:
        complete(ModelConfig(model.base_url, "m", key), [], deadline=Deadline(1))
    assert key not in str(failed.value) + repr(ModelConfig(model.base_url, "m", key))


def test_no_database_connection_is_held_while_the_model_is_asked(database_on_disk, ask, model):
    held = connections["default"]
    seen = []

    def act(handler) -> None:
        seen.append((held.connection, held.in_atomic_block))
        model.say(handler, "Nine [1].")

    model.will(act)
    chat_id = ask(HOURS).json()["chatId"]
    ask("And on Saturdays?", chatId=chat_id)
    assert seen == [(None, False)] * 2
    assert [exchange.via for exchange in Exchange.objects.order_by("pk")] == ["model", "model"]
