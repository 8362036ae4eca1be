"""A given adapter answers calls without a socket; its exceptions are translated in one place."""

import io
import json

import pytest
import requests
from requests.adapters import BaseAdapter

from outbound.http import OutboundError
from tests.conftest import KEY
from tests.webchat.conftest import error_of
from webchat.upstream.client import NoAnswer, UpstreamClient


class OwnAdapter(BaseAdapter):
    """Answers a call without a socket, with an answer or an error that the test chooses."""

    def __init__(self, answer: dict[str, object] | Exception) -> None:
        super().__init__()
        self.answer = answer
        self.asked: list[requests.PreparedRequest] = []
        self.timeouts: list[object] = []

    def send(self, request: requests.PreparedRequest, *, timeout: object = None, **_: object) -> requests.Response:
        self.asked.append(request)
        self.timeouts.append(timeout)
        if isinstance(self.answer, Exception):
            raise self.answer
        response = requests.Response()
        response.status_code = 200
        response.raw = io.BytesIO(json.dumps(self.answer).encode())
        return response

    def close(self) -> None:
        raise AssertionError("the adapter belongs to who gave it")


def test_a_given_adapter_is_used_for_the_call():
    adapter = OwnAdapter({"message": "Hello", "chatId": "chat-1"})
    client = UpstreamClient("docbot://in-process", KEY, connect_timeout=2, total_timeout=3, adapter=adapter)
    reply = client.ask("Hi", "chat-0")
    assert (reply.text, reply.chat_id, reply.requests_made) == ("Hello", "chat-1", 1)
    (request,) = adapter.asked
    assert (request.url, request.headers["X-BOT-API-KEY"]) == ("docbot://in-process/api/public/chat", KEY)
    assert json.loads(request.body) == {"message": "Hi", "chatId": "chat-0"}
    assert adapter.timeouts == [pytest.approx(3, abs=0.1)]


@pytest.mark.parametrize(
    "error", [requests.ReadTimeout(), OutboundError("no answer", sent=True), TimeoutError()], ids=repr
)
def test_a_message_given_to_an_adapter_counts_as_sent_whatever_it_raises(error):
    adapter = OwnAdapter(error)
    raised = error_of(UpstreamClient("docbot://in-process", KEY, adapter=adapter))
    assert (type(raised), raised.requests_made, raised.may_have_arrived) == (NoAnswer, 1, True)
    assert len(adapter.asked) == 1  # no retry
