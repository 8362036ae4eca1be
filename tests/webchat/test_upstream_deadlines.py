"""Failed connections, deadlines shared by several calls, and when a message is retried."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from outbound.deadline import Deadline
from tests.webchat.conftest import error_of
from tests.webchat.upstream_server import UpstreamServer, http_answer
from webchat.upstream import client as client_module
from webchat.upstream.client import Cause, NoAnswer, Refused, Unreachable, UpstreamClient, UpstreamError

TOTAL = 0.4  # seconds a call gets here
AT_ONCE = 10  # seconds for what takes no time, even on a busy machine
TOLERANCE = 3  # seconds, for a busy machine; what knows no deadline takes five or never ends


def ask(url: str, *, total: float = TOTAL, connect: float = 5.0, message: str = "Hi") -> UpstreamError:
    """Return the error of a call that fails, checked to be in time."""
    started = time.monotonic()
    with pytest.raises(UpstreamError) as raised:
        UpstreamClient(url, "key", connect_timeout=connect, total_timeout=total).ask(message)
    assert time.monotonic() - started < total + TOLERANCE
    return raised.value


def assert_nothing_was_sent(error: UpstreamError, cause: Cause) -> None:
    assert (type(error), error.code, error.cause) == (Unreachable, "UNREACHABLE", cause)
    assert (error.requests_made, error.may_have_arrived) == (0, False)


def test_a_closed_port_is_tried_three_times_and_nothing_was_sent():
    with UpstreamServer() as upstream:
        url = upstream.base_url
    assert_nothing_was_sent(ask(url, total=AT_ONCE), Cause.CONNECTION_REFUSED)


def test_a_connection_that_succeeds_at_the_second_attempt_gets_the_reply(monkeypatch):
    """The listener is there, but the first address isn't, as while an upstream restarts."""
    with UpstreamServer() as closed:
        pass
    with UpstreamServer() as upstream:
        ports = iter([closed.port, upstream.port])
        look_up = socket.getaddrinfo
        monkeypatch.setattr(socket, "getaddrinfo", lambda host, port, **options: look_up(host, next(ports), **options))
        reply = UpstreamClient(upstream.base_url, upstream.api_key).ask("Hi")
    assert (reply.text, reply.requests_made, len(upstream.requests)) == ("You said: Hi", 1, 1)


def test_an_unknown_host_is_unreachable(monkeypatch):
    def fail(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    assert_nothing_was_sent(ask("https://bot.example", total=AT_ONCE), Cause.DNS)


def test_a_name_server_that_hangs_is_waited_for_until_the_deadline(monkeypatch):
    calls, ends = [], threading.Event()

    def hang(host: str, *_: object, flags: int = 0, **__: object) -> list:
        if flags & socket.AI_NUMERICHOST:
            raise socket.gaierror
        calls.append(host)
        ends.wait(60)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    assert_nothing_was_sent(ask("https://bot.example", connect=0.1), Cause.DNS)
    assert calls == ["bot.example"]  # all three attempts wait for one look-up
    ends.set()


def test_an_ip_that_never_answers_leaves_time_for_the_next_one(monkeypatch):
    with UpstreamServer() as upstream, full_listener() as silent:
        found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port)) for port in (silent, upstream.port)]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
        client = UpstreamClient(upstream.base_url, upstream.api_key, connect_timeout=0.4)
        assert client.ask("Hi").text == "You said: Hi"


def test_nothing_is_sent_when_no_thread_can_be_started(upstream, monkeypatch):
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    url = f"http://localhost:{upstream.port}"
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refuse)
        assert_nothing_was_sent(ask(url, total=AT_ONCE), Cause.NO_ROUTE)
    assert UpstreamClient(url, upstream.api_key).ask("Hi").text == "You said: Hi"


def test_a_refusal_before_the_whole_message_was_read_is_not_retried():
    """The body is too large for the upstream: it answers and closes while bytes are unread."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        seen = []

        def refuse() -> None:
            connection, _ = listener.accept()
            seen.append(connection.recv(1000))
            connection.sendall(http_answer(413, "Too large"))
            connection.close()

        threading.Thread(target=refuse, daemon=True).start()
        error = ask(f"http://127.0.0.1:{listener.getsockname()[1]}", message="x" * 9_000_000, total=5)
    assert isinstance(error, Refused | NoAnswer)  # whichever arrives first: the answer or the reset
    assert (error.requests_made, len(seen)) == (1, 1)


@contextmanager
def full_listener() -> Iterator[int]:
    """Open a port on loopback whose queue is full: connections to it are neither accepted nor refused."""
    with ExitStack() as opened:
        listener = opened.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        for _ in range(4):
            waiting = opened.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(listener.getsockname())
        yield listener.getsockname()[1]


def test_a_connection_that_is_never_made_is_given_up_at_the_deadline():
    with full_listener() as port:
        assert_nothing_was_sent(ask(f"http://127.0.0.1:{port}"), Cause.CONNECT_TIMEOUT)


def test_a_server_that_reads_nothing_is_given_up_at_the_deadline():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        error = ask(f"http://127.0.0.1:{listener.getsockname()[1]}", message="x" * 20_000_000, total=2.0)
    assert (type(error), error.cause, error.may_have_arrived) == (NoAnswer, Cause.LATE, True)


def test_two_calls_share_the_callers_deadline(upstream):
    upstream.will_reply("Hello", delay=0.2).will_hang()
    client, deadline = UpstreamClient(upstream.base_url, upstream.api_key, total_timeout=60), Deadline(1)
    started = time.monotonic()
    client.ask("First", deadline=deadline)
    with pytest.raises(NoAnswer):
        client.ask("Second", deadline=deadline)
    assert time.monotonic() - started < 1 + TOLERANCE


def test_retries_end_with_the_deadline(upstream, monkeypatch):
    monkeypatch.setattr(client_module, "FIRST_BACK_OFF", 60)
    upstream.will_refuse("BOT_UNAVAILABLE", status=503, times=3)
    assert (refusal(upstream).code, len(upstream.requests)) == ("BOT_UNAVAILABLE", 1)


def test_nothing_is_retried_before_retry_after(upstream):
    upstream.will_refuse("BOT_UNAVAILABLE", status=503, retry_after=1).will_reply("Hello")
    started = time.monotonic()
    assert UpstreamClient(upstream.base_url, upstream.api_key).ask("Hi").text == "Hello"
    assert time.monotonic() - started >= 1


@pytest.mark.parametrize(
    ("header", "seconds"),
    [("7", 7), ("9999999999", 86400), ("9" * 5000, 86400), ("Fri, 31 Dec 9999 23:59:59 GMT", 86400)],
)
def test_a_retry_after_beyond_the_deadline_fails_immediately(header, seconds, upstream):
    upstream.will_answer(429, headers={"Retry-After": header})
    error = refusal(upstream)
    assert (error.code, error.retry_after, len(upstream.requests)) == ("RATE_LIMITED", seconds, 1)


@pytest.mark.parametrize(
    "header",
    [
        *("", "soon", ",", "-1", "1e9", "1,5", "1.5.5", "0x10", "٣", "0", "00"),
        *("Thu, 01 Jan 1970 00:00:00 GMT", "Thu, 01 Jan 1970 00:00:00 -0000"),
        *("Mon, 01 Jan 0001 00:00:00 +2359", "Fri, 31 Dec 99999 23:59:59 GMT"),
    ],
)
def test_an_invalid_retry_after_delays_nothing(header, upstream):
    upstream.will_answer(429, headers={"Retry-After": header.encode().decode("latin-1")}, times=3)
    error = refusal(upstream)
    assert (error.code, error.retry_after or 0, len(upstream.requests)) == ("RATE_LIMITED", 0, 3)


def test_a_retry_without_time_for_an_answer_is_not_started(upstream):
    """It would turn "the bot is unavailable" into "your message may have arrived"."""
    upstream.will_refuse("BOT_UNAVAILABLE", status=503).will_hang()
    client = UpstreamClient(upstream.base_url, upstream.api_key, total_timeout=60)
    with pytest.raises(Refused) as raised:
        client.ask("Hi", deadline=Deadline(1))
    assert (raised.value.code, raised.value.may_have_arrived) == ("BOT_UNAVAILABLE", False)
    assert len(upstream.requests) == 1


def test_a_date_is_counted_from_now(upstream):
    moment = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + 60))
    upstream.will_answer(503, headers={"Retry-After": moment})
    assert 58 <= refusal(upstream).retry_after <= 61


def refusal(upstream: UpstreamServer) -> UpstreamError:
    return error_of(UpstreamClient(upstream.base_url, upstream.api_key, total_timeout=5))
