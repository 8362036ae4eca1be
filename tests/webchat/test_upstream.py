"""UpstreamClient: what it sends, where it refuses to send anything, and what it never reveals."""

import logging
import os
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.conftest import KEY
from tests.webchat.conftest import error_of
from tests.webchat.upstream_server import UpstreamServer
from webchat.upstream.client import NotConfigured, UpstreamClient, UpstreamError
from webchat.upstream.wire import is_allowed_url


def test_a_request_contains_what_the_documentation_says_and_nothing_more(upstream):
    upstream.will_reply("Hello")
    UpstreamClient(f"{upstream.base_url}/bots/7/", f" {KEY}\n").ask("Grüße, «Welt» 😀")
    (request,) = upstream.requests
    assert (request.method, request.target) == ("POST", "/bots/7/api/public/chat")
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


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        ("a\0b", "ab"),
        ("a\ud800b", "a\N{REPLACEMENT CHARACTER}b"),
        ("a\r\nX-Evil: 1\r\n\r\nb", "a\r\nX-Evil: 1\r\n\r\nb"),
        ("😀" * 25_000, "😀" * 25_000),
    ],
)
def test_a_message_is_sent_as_valid_unicode(typed, sent, upstream):
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
    """After an early 103 on a shared connection, http.client gives the real answer to the next caller."""
    late = b"HTTP/1.1 200 OK\r\nContent-Length: 21\r\n\r\n" + b'{"reply": "For One."}'
    upstream.will_send_raw(b"HTTP/1.1 103 Early Hints\r\n\r\n" + late, then="hang").will_reply("For Two.")
    client = UpstreamClient(upstream.base_url, KEY)
    assert [client.ask("One").text, client.ask("Two").text] == ["For One.", "For Two."]
    assert upstream.connections == 2


def test_a_redirect_is_not_followed_with_the_key():
    with UpstreamServer() as thief, UpstreamServer(api_key=KEY) as upstream:
        upstream.will_redirect(f"{thief.base_url}/api/public/chat")
        error = error_of(UpstreamClient(upstream.base_url, KEY))
        assert (type(error), error.location) == (NotConfigured, f"{thief.base_url}/api/public/chat")
        assert thief.connections == 0


def test_no_thread_and_no_open_file_is_left_behind(upstream):
    url = f"http://localhost:{upstream.port}"
    client, impatient = UpstreamClient(url, KEY), UpstreamClient(url, KEY, total_timeout=0.5)
    client.ask("The first call loads what all of them share")
    upstream.will_hang(times=3)
    threads, files = threading.active_count(), len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        error_of(impatient)
    upstream.wait_for_requests(4)
    for _ in range(20):
        client.ask("Hi")
    deadline = time.monotonic() + 20
    while (threading.active_count(), len(os.listdir("/proc/self/fd"))) > (threads, files):
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://bot.example",
        "http://127.0.0.1.bot.example",
        "https://bot.example?x=1",
        "https://bot.example:0",
        "https://bot.example\\other",
        "https://bot.example/\u202e",
        "https://",
        "https://me:secret@bot.example",
        "https://bot.example#x",
        "https://bot.example:99999",
        "https://[::1",
        f"https://{'x' * 64}.example",
        "docbot://in-process",  # no adapter is given
    ],
)
def test_an_invalid_url_is_never_asked(url):
    error = error_of(UpstreamClient(url, KEY))
    assert (type(error), error.code) == (NotConfigured, "BAD_CONFIGURATION")
    assert (error.requests_made, error.may_have_arrived) == (0, False)


def test_a_url_with_https_or_on_loopback_is_allowed():
    for url in ("https://bot.example:8443/path", "https://bücher.example", "https://[2001:db8::1]:8443"):
        assert is_allowed_url(url), url
    for host in ("localhost:8000", "127.0.0.1", "[::1]:8000"):
        assert is_allowed_url(f"http://{host}"), host


@pytest.mark.parametrize(
    ("key", "code"),
    [
        *((key, "MISSING_API_KEY") for key in ("", " ", "\n")),
        *((key, "BAD_CONFIGURATION") for key in ("a\nb", "a\r\nX-Evil: 1", "a\0b", "schlüssel", "a\x7fb", "ключ")),
    ],
)
def test_a_key_that_does_not_fit_in_a_header_is_neither_sent_nor_shown(key, code, upstream):
    error = error_of(UpstreamClient(upstream.base_url, key))
    assert (type(error), error.code, upstream.connections) == (NotConfigured, code, 0)
    assert not key.strip() or key not in "".join(traceback.format_exception(error)) + repr(error)


@pytest.mark.parametrize(
    "arrange",
    [
        lambda u: u.will_refuse("INVALID_API_KEY"),
        lambda u: u.will_answer(200, {"error": f"The key {KEY} is wrong"}),
        lambda u: u.will_redirect(f"https://{KEY}.example/"),
        lambda u: u.will_send_raw(f"HTTP/1.1 {KEY}\r\n\r\n".encode()),
        lambda u: u.will_send_raw(f"HTTP/1.1 200 OK\r\n{KEY}\r\n {KEY}\r\n\r\n".encode()),
        lambda u: u.will_send_raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + KEY.encode() + b"\r\n"),
        lambda u: u.close(),
    ],
)
def test_no_log_and_no_traceback_contains_key_url_message_or_reply(arrange, upstream, caplog):
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


def test_each_of_a_hundred_visitors_gets_their_own_reply(upstream):
    upstream.delay = 0.05
    client = UpstreamClient(upstream.base_url, KEY)
    with ThreadPoolExecutor(100) as threads:
        replies = list(threads.map(lambda number: client.ask(f"Number {number}"), range(100)))
    assert [reply.text for reply in replies] == [f"You said: Number {number}" for number in range(100)]
    assert len({reply.chat_id for reply in replies}) == 100


def test_printing_a_client_shows_neither_key_nor_url(upstream):
    client = UpstreamClient(upstream.base_url, KEY)
    assert KEY not in repr(client)
    assert not upstream.is_named_in(repr(client))
