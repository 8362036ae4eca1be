"""TLS: nothing is sent to a server that can't prove its identity, and nothing outlasts the deadline."""

import socket
import time
from urllib.parse import urlsplit

import pytest

from outbound.sockets import connect
from tests.conftest import KEY
from tests.webchat.certificates import Authority
from tests.webchat.conftest import error_of
from tests.webchat.upstream_server import UpstreamServer
from webchat.upstream.causes import Cause
from webchat.upstream.client import NoAnswer, Unreachable, UpstreamClient


@pytest.mark.parametrize(
    ("certificate", "cause"),
    [
        ({"expired": True}, Cause.TLS_EXPIRED),
        ({"host": "bot.example"}, Cause.TLS_WRONG_HOST),
        ({"self_signed": True}, Cause.TLS_UNTRUSTED),
    ],
)
def test_a_bad_certificate_gets_neither_message_nor_key(certificate, cause, authority):
    with UpstreamServer(tls=authority.server_context(**certificate)) as upstream:
        error = error_of(UpstreamClient(upstream.base_url, KEY))
        assert (type(error), error.code, error.cause) == (Unreachable, "BAD_CONFIGURATION", cause)
        assert error.requests_made == 0
        assert (upstream.requests, upstream.connections) == ([], 1)


def test_a_server_of_an_unknown_authority_and_one_without_tls_get_neither_message_nor_key(tmp_path):
    with UpstreamServer(tls=Authority(tmp_path).server_context()) as upstream:
        error = error_of(UpstreamClient(upstream.base_url, KEY))
        assert (type(error), error.cause, upstream.requests) == (Unreachable, Cause.TLS_UNTRUSTED, [])
    with UpstreamServer() as upstream:
        error = error_of(UpstreamClient(upstream.base_url.replace("http:", "https:"), KEY))
    assert (type(error), error.cause, error.may_have_arrived) == (Unreachable, Cause.TLS_FAILED, False)


def test_a_handshake_that_hangs_ends_in_time_and_nothing_was_sent():
    with socket.create_server(("127.0.0.1", 0)) as silent:  # connections are accepted, but nobody answers
        url, started = f"https://127.0.0.1:{silent.getsockname()[1]}", time.monotonic()
        error = error_of(UpstreamClient(url, KEY, total_timeout=60, connect_timeout=0.2))
        assert time.monotonic() - started < 30  # three attempts, on a busy machine
        assert (type(error), error.cause, error.requests_made) == (Unreachable, Cause.CONNECT_TIMEOUT, 0)


@pytest.mark.parametrize(
    ("arrange", "cause"),
    [
        (lambda u: u.will_drip(b"HTTP/1.1 200 OK\r\n" + b"x" * 1000), Cause.LATE),
        (lambda u: u.will_send_raw(b"HTTP/1.1 200 OK\r\nContent-Le"), Cause.CUT),
        (lambda u: u.will_send_endlessly(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 500), Cause.CUT),
    ],
)
def test_deadlines_and_cut_answers_are_handled_over_tls_too(arrange, cause, authority):
    with UpstreamServer(api_key=KEY, tls=authority.server_context()) as upstream:
        assert UpstreamClient(upstream.base_url, KEY).ask("Hi").text == "You said: Hi"
        arrange(upstream)
        started = time.monotonic()
        error = error_of(UpstreamClient(upstream.base_url, KEY, total_timeout=2 if cause == Cause.LATE else 60))
        assert (type(error), error.cause, len(upstream.requests)) == (NoAnswer, cause, 2)
        assert time.monotonic() - started < 20  # on a busy machine


def test_the_host_header_of_an_https_url_names_no_port(authority, monkeypatch):
    with UpstreamServer(api_key=KEY, tls=authority.server_context(host="bot.example")) as upstream:
        to_upstream = ("127.0.0.1", urlsplit(upstream.base_url).port)
        monkeypatch.setattr("outbound.http.connect", lambda _host, _port, by, **_limits: connect(*to_upstream, by))
        UpstreamClient("https://bot.example", KEY).ask("Hello")
        assert upstream.requests[0].headers["host"] == "bot.example"
