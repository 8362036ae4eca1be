"""A given adapter carries calls without a socket; whatever the layers below raise is translated in one place."""

import http.client
import io
import json

import pytest
import requests
import urllib3
from requests.adapters import BaseAdapter

from webchat.upstream.client import NoAnswer, NotConfigured, Unreachable, UpstreamClient, UpstreamError

KEY = "sk-a-key-that-nobody-may-see"  # what the fake upstream knows the bot by


def error_of(client: UpstreamClient, message: str = "Hi") -> UpstreamError:
    with pytest.raises(UpstreamError) as raised:
        client.ask(message)
    return raised.value


class OwnAdapter(BaseAdapter):
    """Carries a call without a socket, to an answer or an error of the test's choice."""

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


def test_a_given_adapter_carries_the_call():
    adapter = OwnAdapter({"message": "Hello", "chatId": "chat-1"})
    client = UpstreamClient(
        "docbot://in-process", KEY, connect_timeout=2, total_timeout=3, adapters={"docbot://": adapter}
    )
    reply = client.ask("Hi", "chat-0")
    assert (reply.text, reply.chat_id, reply.requests_made) == ("Hello", "chat-1", 1)
    (request,) = adapter.asked
    assert (request.url, request.headers["X-BOT-API-KEY"]) == ("docbot://in-process/api/public/chat", KEY)
    assert json.loads(request.body) == {"message": "Hi", "chatId": "chat-0"}
    assert adapter.timeouts == [(pytest.approx(2, abs=0.1), pytest.approx(3, abs=0.1))]


def test_an_adapter_for_other_addresses_is_not_used(upstream):
    adapter = OwnAdapter({"message": "Not this"})
    client = UpstreamClient(upstream.base_url, KEY, adapters={"docbot://": adapter})
    assert client.ask("Hi").text == "You said: Hi"


def foreign_exceptions() -> dict[str, Exception]:
    """One of each exception that `requests`, urllib3 and http.client have of their own."""
    classes = {
        each
        for module in (requests.exceptions, urllib3.exceptions, http.client)
        for each in vars(module).values()
        if isinstance(each, type) and issubclass(each, Exception) and not issubclass(each, Warning)
        if each.__module__ == module.__name__
    }
    # Made without their various arguments: only the class counts here.
    return {f"{each.__module__}.{each.__qualname__}": each.__new__(each) for each in classes}


NOTHING_WAS_SENT = {
    "requests.exceptions.ConnectTimeout",
    "requests.exceptions.InvalidProxyURL",
    "requests.exceptions.InvalidSchema",
    "requests.exceptions.InvalidURL",
    "requests.exceptions.MissingSchema",
    "requests.exceptions.ProxyError",
    "requests.exceptions.SSLError",
    "requests.exceptions.URLRequired",
    "urllib3.exceptions.ConnectTimeoutError",
    "urllib3.exceptions.LocationParseError",
    "urllib3.exceptions.LocationValueError",
    "urllib3.exceptions.NameResolutionError",
    "urllib3.exceptions.NewConnectionError",
    "urllib3.exceptions.ProxyError",
    "urllib3.exceptions.ProxySchemeUnknown",
    "urllib3.exceptions.ProxySchemeUnsupported",
    "urllib3.exceptions.SSLError",
    "urllib3.exceptions.URLSchemeUnknown",
}


@pytest.mark.parametrize("name", sorted(foreign_exceptions()))
def test_every_exception_of_the_layers_below_is_translated(name):
    adapter = OwnAdapter(foreign_exceptions()[name])
    error = error_of(UpstreamClient("docbot://in-process", KEY, adapters={"docbot://": adapter}))
    if name in NOTHING_WAS_SENT:
        assert (error.requests_made, error.may_have_arrived) == (0, False)
        assert isinstance(error, Unreachable | NotConfigured)
    else:
        assert (type(error), error.requests_made, error.may_have_arrived) == (NoAnswer, 1, True)
        assert len(adapter.asked) == 1  # never asked again


def test_the_list_of_what_was_never_sent_names_existing_exceptions():
    assert foreign_exceptions().keys() >= NOTHING_WAS_SENT
