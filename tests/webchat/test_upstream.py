"""What an UpstreamClient sends, where it refuses to send anything, and what it keeps to itself."""

import http.client
import io
import json
import logging
import os
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import requests
import urllib3
from requests.adapters import BaseAdapter

from tests.webchat.certificates import Authority
from tests.webchat.upstream_server import UpstreamServer
from webchat import transport
from webchat import upstream as client_module
from webchat.upstream import (
    Cause,
    NoAnswer,
    NotConfigured,
    Refused,
    Unreachable,
    UpstreamClient,
    UpstreamError,
)

KEY = "sk-a-key-that-nobody-may-see"
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def nobody_sleeps() -> Iterator[None]:
    client_module.set_testing(True)
    yield
    client_module.set_testing(False)


@pytest.fixture
def upstream() -> Iterator[UpstreamServer]:
    with UpstreamServer(api_key=KEY) as server:
        yield server


def error_of(client: UpstreamClient, message: str = "Hi") -> UpstreamError:
    with pytest.raises(UpstreamError) as raised:
        client.ask(message)
    return raised.value


# --- What is sent -----------------------------------------------------------------------------------------------------


def test_a_request_is_what_the_documentation_says_and_nothing_more(upstream):
    UpstreamClient(upstream.base_url + "/", f" {KEY}\n").ask("Grüße, «Welt» 😀")
    (request,) = upstream.requests
    assert (request.method, request.target) == ("POST", "/api/public/chat")
    assert request.json == {"message": "Grüße, «Welt» 😀"}
    assert request.headers == {
        "host": f"127.0.0.1:{upstream.port}",
        "x-bot-api-key": KEY,
        "content-type": "application/json",
        "content-length": str(len(request.body)),
        "accept": "application/json",
        "accept-encoding": "identity",
        "connection": "close",
        "user-agent": "webchat",
    }


def test_the_conversation_goes_on_with_its_chat_id(upstream):
    client = UpstreamClient(upstream.base_url, KEY)
    first = client.ask("One")
    second = client.ask("Two", first.chat_id)
    assert [request.chat_id for request in upstream.requests] == [None, first.chat_id]
    assert second.chat_id == first.chat_id
    assert upstream.bots[KEY].chats == {first.chat_id: ["One", "Two"]}


def test_an_address_may_have_a_path_of_its_own(upstream):
    upstream.will_reply("Hello")
    UpstreamClient(f"{upstream.base_url}/bots/7/", KEY).ask("Hi")
    assert upstream.requests[0].target == "/bots/7/api/public/chat"


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        ("a\0b", "ab"),
        ("a\ud800b", "a\N{REPLACEMENT CHARACTER}b"),
        ("\udfff", "\N{REPLACEMENT CHARACTER}"),
        ('"},{"', '"},{"'),
        ("a\r\nX-Evil: 1\r\n\r\nb", "a\r\nX-Evil: 1\r\n\r\nb"),
        ("😀" * 25_000, "😀" * 25_000),
    ],
)
def test_a_message_is_sent_as_text_that_everybody_can_read(typed, sent, upstream):
    upstream.will_reply("Hello")
    UpstreamClient(upstream.base_url, KEY).ask(typed)
    assert upstream.requests[0].message == sent


def test_neither_proxies_nor_a_netrc_nor_cookies_are_used(upstream, monkeypatch, tmp_path):
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login me password secret")
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    with UpstreamServer() as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "https_proxy"):
            monkeypatch.setenv(name, proxy.base_url)
        monkeypatch.setenv("no_proxy", "")
        upstream.will_answer(200, {"reply": "Hello"}, headers={"Set-Cookie": "visitor=1"}).will_reply("Hello")
        client = UpstreamClient(upstream.base_url, KEY)
        client.ask("One")
        client.ask("Two")
        assert proxy.connections == 0
    assert all({"cookie", "authorization"}.isdisjoint(request.headers) for request in upstream.requests)


def test_a_late_answer_on_an_open_connection_reaches_nobody_else(upstream):
    """An early 103 on a shared connection makes http.client give the true answer to the next caller."""
    late = b"HTTP/1.1 200 OK\r\nContent-Length: 21\r\n\r\n" + b'{"reply": "For One."}'
    upstream.will_send_raw(b"HTTP/1.1 103 Early Hints\r\n\r\n" + late, then="hang").will_reply("For Two.")
    client = UpstreamClient(upstream.base_url, KEY)
    assert [client.ask("One").text, client.ask("Two").text] == ["For One.", "For Two."]
    assert upstream.connections == 2


def test_a_redirect_takes_the_key_nowhere():
    with UpstreamServer() as thief, UpstreamServer(api_key=KEY) as upstream:
        upstream.will_redirect(f"{thief.base_url}/api/public/chat")
        error = error_of(UpstreamClient(upstream.base_url, KEY))
        assert (type(error), error.location) == (NotConfigured, f"{thief.base_url}/api/public/chat")
        assert thief.connections == 0


def test_a_hundred_visitors_get_each_their_own_reply(upstream):
    upstream.delay = 0.05
    client = UpstreamClient(upstream.base_url, KEY)
    with ThreadPoolExecutor(100) as threads:
        replies = list(threads.map(lambda number: client.ask(f"Number {number}"), range(100)))
    assert [reply.text for reply in replies] == [f"You said: Number {number}" for number in range(100)]
    assert len({reply.chat_id for reply in replies}) == 100


def test_no_thread_and_no_open_file_stays_behind(upstream):
    client = UpstreamClient(f"http://localhost:{upstream.port}", KEY, total_timeout=0.2)
    client.ask("The first call loads what all of them share")
    upstream.will_hang(times=3)
    threads, files = threading.active_count(), len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        error_of(client)
    for _ in range(20):
        client.ask("Hi")
    deadline = time.monotonic() + 2
    while (threading.active_count(), len(os.listdir("/proc/self/fd"))) > (threads, files):
        assert time.monotonic() < deadline
        time.sleep(0.01)


# --- Where nothing is sent --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    [
        "",
        "bot.example",
        "//bot.example",
        "http://bot.example",
        "http://10.0.0.1",
        "http://0.0.0.0",
        "http://169.254.169.254",
        "http://127.0.0.1.bot.example",
        "http://localhost.bot.example",
        "http://[::ffff:10.0.0.1]",
        "https://",
        "https:///path",
        "https://me@bot.example",
        "https://me:secret@bot.example",
        "https://bot.example?x=1",
        "https://bot.example/?",
        "https://bot.example#x",
        "https://bot.example:0",
        "https://bot.example:99999",
        "https://bot.example:port",
        "https://bot.example\\@other.example",
        "https://bot.example/a b",
        "https://bot.exam\tple",
        "https://bot.exam\nple",
        "https://[::1",
        "https://[bot.example]",
        f"https://{'x' * 64}.example",
        "https://bot..example",
        "ftp://bot.example",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "docbot://in-process",  # without its adapter
    ],
)
def test_an_address_that_cant_be_right_is_never_asked(address):
    error = error_of(UpstreamClient(address, KEY))
    assert (type(error), error.code) == (NotConfigured, "BAD_CONFIGURATION")
    assert (error.requests_made, error.may_have_arrived) == (0, False)


@pytest.mark.parametrize(
    "address",
    [
        "https://bot.example",
        "https://bot.example:8443/path/",
        "HTTPS://BOT.EXAMPLE",
        "https://bücher.example",
        "https://192.0.2.1",
        "https://[2001:db8::1]:8443",
        "http://localhost:8000",
        "http://127.0.0.1",
        "http://127.5.5.5",
        "http://[::1]:8000",
    ],
)
def test_an_address_of_https_or_of_this_machine_is_allowed(address):
    assert client_module.is_allowed_address(address.rstrip("/"))


@pytest.mark.parametrize("key", ["", " ", "\n"])
def test_without_a_key_nothing_is_sent(key, upstream):
    error = error_of(UpstreamClient(upstream.base_url, key))
    assert (type(error), error.code, upstream.connections) == (NotConfigured, "MISSING_API_KEY", 0)


@pytest.mark.parametrize("key", ["a\nb", "a\r\nX-Evil: 1", "a\0b", "schlüssel", "a\x7fb", "ключ"])
def test_a_key_that_no_header_can_carry_is_never_sent(key, upstream):
    error = error_of(UpstreamClient(upstream.base_url, key))
    assert (type(error), error.code, upstream.connections) == (NotConfigured, "BAD_CONFIGURATION", 0)


# --- TLS --------------------------------------------------------------------------------------------------------------


@pytest.fixture
def authority(tmp_path, monkeypatch) -> Iterator[Authority]:
    """One that this process trusts, the way a company's own is: by SSL_CERT_FILE."""
    authority = Authority(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    transport.tls_context.cache_clear()
    yield authority
    transport.tls_context.cache_clear()


def test_a_reply_comes_over_tls(authority):
    with UpstreamServer(api_key=KEY, tls=authority.server_context()) as upstream:
        assert UpstreamClient(upstream.base_url, KEY).ask("Hi").text == "You said: Hi"


@pytest.mark.parametrize(
    ("certificate", "cause"),
    [
        ({"expired": True}, Cause.TLS_EXPIRED),
        ({"address": "bot.example"}, Cause.TLS_WRONG_HOST),
        ({"address": "127.0.0.2"}, Cause.TLS_WRONG_HOST),
        ({"self_signed": True}, Cause.TLS_UNTRUSTED),
    ],
)
def test_a_bad_certificate_gets_neither_message_nor_key(certificate, cause, authority):
    with UpstreamServer(tls=authority.server_context(**certificate)) as upstream:
        error = error_of(UpstreamClient(upstream.base_url, KEY))
        assert (type(error), error.cause, error.requests_made) == (Unreachable, cause, 0)
        assert upstream.requests == []


def test_an_unknown_authority_gets_neither_message_nor_key(tmp_path):
    with UpstreamServer(tls=Authority(tmp_path).server_context()) as upstream:
        error = error_of(UpstreamClient(upstream.base_url, KEY))
        assert (type(error), error.cause, upstream.requests) == (Unreachable, Cause.TLS_UNTRUSTED, [])


def test_a_server_without_tls_gets_neither_message_nor_key(upstream):
    error = error_of(UpstreamClient(upstream.base_url.replace("http:", "https:"), KEY))
    assert (type(error), error.cause, error.may_have_arrived) == (Unreachable, Cause.TLS_FAILED, False)


def test_a_handshake_that_hangs_ends_in_time_and_nothing_was_sent():
    with UpstreamServer(hangs_in_handshake=True) as upstream:
        started = time.monotonic()
        error = error_of(UpstreamClient(upstream.base_url, KEY, total_timeout=0.5, connect_timeout=0.2))
        assert time.monotonic() - started < 0.8
        assert (type(error), error.cause, error.requests_made) == (Unreachable, Cause.CONNECT_TIMEOUT, 0)


@pytest.mark.parametrize(
    ("arrange", "cause"),
    [
        (lambda u: u.will_hang(), Cause.LATE),
        (lambda u: u.will_drip(b"HTTP/1.1 200 OK\r\n" + b"x" * 1000), Cause.LATE),
        (lambda u: u.will_send_raw(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"), Cause.CUT),
        (lambda u: u.will_send_raw(b"HTTP/1.1 200 OK\r\nContent-Le"), Cause.CUT),
        (lambda u: u.will_send_endlessly(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 500), Cause.CUT),
    ],
)
def test_the_deadline_and_the_cuts_hold_over_tls_too(arrange, cause, authority):
    with UpstreamServer(api_key=KEY, tls=authority.server_context()) as upstream:
        arrange(upstream)
        started = time.monotonic()
        error = error_of(UpstreamClient(upstream.base_url, KEY, total_timeout=0.4 if cause == Cause.LATE else 5))
        assert (type(error), error.cause, len(upstream.requests)) == (NoAnswer, cause, 1)
        assert time.monotonic() - started < (0.7 if cause == Cause.LATE else 4)


# --- A given adapter --------------------------------------------------------------------------------------------------


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


# --- What it keeps to itself ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arrange",
    [
        lambda u: u.will_refuse("INVALID_API_KEY"),
        lambda u: u.will_answer(200, {"error": f"The key {KEY} is wrong"}),
        lambda u: u.will_answer(500, KEY),
        lambda u: u.will_redirect(f"https://{KEY}.example/"),
        lambda u: u.will_send_raw(f"HTTP/1.1 {KEY}\r\n\r\n".encode()),
        lambda u: u.will_send_raw(f"HTTP/1.1 200 OK\r\nContent-Length: 1, {KEY}\r\n\r\n1".encode()),
        lambda u: u.will_send_raw(f"HTTP/1.1 200 OK\r\n{KEY}\r\n {KEY}\r\n\r\n".encode()),
        lambda u: u.will_send_raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + KEY.encode() + b"\r\n"),
        lambda u: u.will_close(),
        lambda u: u.close(),
    ],
)
def test_no_log_and_no_traceback_holds_key_address_message_or_words(arrange, upstream, caplog):
    caplog.set_level(logging.DEBUG)
    arrange(upstream)
    message = "A secret message"
    with pytest.raises(UpstreamError) as raised:
        UpstreamClient(upstream.base_url, KEY).ask(message)
    error = raised.value
    assert error.__cause__ is error.__context__ is None
    told = "".join(traceback.format_exception(error)) + repr(error) + str(error) + caplog.text
    for secret in (KEY, f":{upstream.port}", message, "is wrong"):
        assert secret not in told


def test_a_key_that_cant_be_sent_stands_in_no_error(upstream):
    error = error_of(UpstreamClient(upstream.base_url, KEY + "\nX-Evil: 1"))
    assert KEY not in "".join(traceback.format_exception(error)) + repr(error)


def test_a_client_shows_neither_key_nor_address_when_printed(upstream):
    client = UpstreamClient(upstream.base_url, KEY)
    assert KEY not in repr(client)
    assert str(upstream.port) not in repr(client)


def test_an_errors_text_is_its_code(upstream):
    upstream.will_refuse("BOT_DISABLED")
    error = error_of(UpstreamClient(upstream.base_url, KEY))
    assert (str(error), type(error)) == ("BOT_DISABLED", Refused)


def test_the_client_knows_neither_models_nor_views():
    code = "import sys, webchat.upstream, webchat.diagnosis; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert {"django", "docbot", "chatsite", "webchat.models", "webchat.views"}.isdisjoint(loaded.split())
