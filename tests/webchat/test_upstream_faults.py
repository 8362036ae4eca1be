"""Everything that can go wrong on the way: cut, late, endless, malformed and missing answers."""

import json
import socket
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest

from tests.webchat.upstream_server import UpstreamServer, http_answer
from webchat import upstream as client_module
from webchat.upstream import Cause, Deadline, NoAnswer, Refused, Unreachable, UpstreamClient, UpstreamError

KEPT = "chat-1"
TOTAL = 0.4  # seconds: what a slow or endless answer gets here
TOLERANCE = 0.3  # seconds, for a busy machine

BODY = json.dumps({"success": True, "chatId": "chat-2", "message": "Hello"}).encode()
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
LENGTH = b"Content-Length: %d\r\n" % len(BODY)
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
WHOLE = HEAD + LENGTH + b"\r\n" + BODY
CHUNKS = b"5\r\n" + BODY[:5] + b"\r\n" + b"%x;a=b\r\n" % (len(BODY) - 5) + BODY[5:] + b"\r\n0\r\n"


@pytest.fixture(autouse=True)
def nobody_sleeps() -> Iterator[None]:
    client_module.set_testing(True)
    yield
    client_module.set_testing(False)


@pytest.fixture
def upstream() -> Iterator[UpstreamServer]:
    with UpstreamServer() as server:
        yield server


class Case(NamedTuple):
    name: str
    arrange: Callable[[UpstreamServer], object]
    outcome: str | tuple[type[UpstreamError], str]
    cause: Cause = Cause.UNKNOWN
    next_chat_id: str = KEPT


NOTHING = (NoAnswer, "NO_ANSWER")


def arrives(name: str, *pieces: bytes) -> Case:
    return Case(name, lambda u: u.will_send_raw(*pieces), "Hello", next_chat_id="chat-2")


def is_cut(name: str, *pieces: bytes, then: str = "close", cause: Cause = Cause.CUT) -> Case:
    return Case(name, lambda u: u.will_send_raw(*pieces, then=then), NOTHING, cause)


def is_late(name: str, arrange: Callable[[UpstreamServer], object]) -> Case:
    return Case(name, arrange, NOTHING, Cause.LATE)


WHOLE_ANSWERS = [
    arrives("with a length", WHOLE),
    arrives("until the connection's end", HEAD + b"\r\n" + BODY),
    arrives("HTTP/1.0", b"HTTP/1.0 200 OK\r\n\r\n" + BODY),
    arrives("without a phrase", b"HTTP/1.1 200\r\n" + LENGTH + b"\r\n" + BODY),
    arrives("in chunks", CHUNKED + CHUNKS + b"\r\n"),
    arrives("in chunks, with trailers", CHUNKED + CHUNKS + b"X-Sum: 1\r\nX-More: 2\r\n\r\n"),
    arrives(
        "in chunks and a length", HEAD + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n" + CHUNKS + b"\r\n"
    ),
    arrives("a length that is no number", HEAD + b"Content-Length: many\r\n\r\n" + BODY),
    arrives("the same length twice", HEAD + LENGTH + LENGTH + b"\r\n" + BODY),
    arrives("lines that end with LF alone", WHOLE.replace(b"\r\n", b"\n")),
    arrives("a folded header", HEAD + b"X-Odd: a\r\n  b\r\n" + LENGTH + b"\r\n" + BODY),
    arrives("a header in latin-1", HEAD + b"X-Odd: \xe4\r\n" + LENGTH + b"\r\n" + BODY),
    arrives("after 100 Continue", b"HTTP/1.1 100 Continue\r\n\r\n", WHOLE),
    arrives("after 102 Processing", b"HTTP/1.1 102 Processing\r\n\r\n", WHOLE),
    arrives("after 103 Early Hints", b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n", WHOLE),
    arrives("after each of them twice", b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n" * 2 + WHOLE),
    arrives("more bytes after the end", WHOLE + b"HTTP/1.1 200 OK\r\n\r\n{}"),
    Case("drop by drop, in time", lambda u: u.will_drip(WHOLE, pause=0.001), "Hello", next_chat_id="chat-2"),
    Case(
        "the connection stays open after it",
        lambda u: u.will_send_raw(WHOLE, then="hang"),
        "Hello",
        next_chat_id="chat-2",
    ),
    Case(
        "the connection is reset after it",
        lambda u: u.will_send_raw(WHOLE, then="reset"),
        "Hello",
        next_chat_id="chat-2",
    ),
]

CUT_ANSWERS = [
    is_cut("no byte"),
    is_cut("no byte, reset", then="reset"),
    is_cut("inside the status line", b"HTTP/1.1 2"),
    is_cut("after the status line", b"HTTP/1.1 200 OK\r\n"),
    is_cut("inside a header", HEAD + b"Content-Le"),
    is_cut("before the empty line", HEAD + LENGTH),
    is_cut("inside the headers of a 503", b"HTTP/1.1 503 Service Unavailable\r\nContent-Le"),
    is_cut("inside the headers of a 200 without a length", HEAD + b"X-"),
    is_cut("before the body", HEAD + LENGTH + b"\r\n"),
    is_cut("inside the body", HEAD + LENGTH + b"\r\n" + BODY[:-1]),
    is_cut("inside the body, reset", HEAD + LENGTH + b"\r\n" + BODY[:9], then="reset"),
    is_cut("inside a body without a length", HEAD + b"\r\n" + BODY[:-1], cause=Cause.UNUSABLE),
    is_cut("inside the body of a 503", b"HTTP/1.1 503 Odd\r\nContent-Length: 99\r\n\r\nNo"),
    is_cut("after an interim answer", b"HTTP/1.1 100 Continue\r\n\r\n"),
    is_cut("inside early hints", b"HTTP/1.1 103 Early Hints\r\nLink: </a"),
    is_cut("before the first chunk", CHUNKED),
    is_cut("inside a chunk's size", CHUNKED + b"5"),
    is_cut("inside a chunk", CHUNKED + b"5\r\n" + BODY[:3]),
    is_cut("between two chunks", CHUNKED + b"5\r\n" + BODY[:5] + b"\r\n"),
    is_cut("before the last chunk", CHUNKED + CHUNKS[:-3]),
]

MALFORMED_ANSWERS = [
    is_cut("not HTTP", b"220 mail.example ESMTP\r\n"),
    is_cut("HTTP/0.9", BODY),
    is_cut("HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    is_cut("a TLS record", b"\x15\x03\x01\x00\x02\x02\x50"),
    is_cut("a status that is no number", b"HTTP/1.1 OK\r\n\r\n"),
    is_cut("a status of two digits", b"HTTP/1.1 20 OK\r\n\r\n" + BODY),
    is_cut("a status of four digits", b"HTTP/1.1 2000 OK\r\n\r\n" + BODY),
    is_cut("a negative status", b"HTTP/1.1 -200 OK\r\n\r\n" + BODY),
    is_cut("101 Switching Protocols", b"HTTP/1.1 101 Switching Protocols\r\n\r\n", cause=Cause.UNUSABLE),
    is_cut("a status line without an end", b"HTTP/1.1 200 " + b"x" * 100_000),
    is_cut("a header of 100,000 bytes", HEAD + b"X-Odd: " + b"x" * 100_000 + b"\r\n\r\n"),
    is_cut("1,000 headers", HEAD + b"X-Odd: x\r\n" * 1000 + b"\r\n" + BODY),
    is_cut("two different lengths", HEAD + LENGTH + b"Content-Length: 3\r\n\r\n" + BODY),
    is_cut("a length that is too short", HEAD + b"Content-Length: 9\r\n\r\n" + BODY, cause=Cause.UNUSABLE),
    is_cut("a length of zero", HEAD + b"Content-Length: 0\r\n\r\n" + BODY, cause=Cause.UNUSABLE),
    is_cut("a chunk's size that is no number", CHUNKED + b"zz\r\n" + BODY),
    is_cut("a chunk without a size", CHUNKED + b"\r\n" + BODY),
    is_cut("a chunk of 16 exabytes", CHUNKED + b"ffffffffffffffff\r\n" + BODY),
    is_cut(
        "an unknown transfer encoding",
        HEAD + b"Transfer-Encoding: gzip, chunked\r\n\r\n" + CHUNKS,
        cause=Cause.UNUSABLE,
    ),
]

LATE_ANSWERS = [
    is_late("never", lambda u: u.will_hang()),
    is_late("after the deadline", lambda u: u.will_reply("Hello", delay=TOTAL + 0.2)),
    is_late("headers drop by drop", lambda u: u.will_drip(HEAD + b"X: " + b"x" * 1000)),
    is_late("headers, then silence", lambda u: u.will_send_raw(HEAD + LENGTH, then="hang")),
    is_late(
        "a body drop by drop",
        lambda u: u.will_send_raw(HEAD + LENGTH + b"\r\n", *(BODY[at : at + 1] for at in range(len(BODY))), pause=0.05),
    ),
    is_late("half a body, then silence", lambda u: u.will_send_raw(HEAD + LENGTH + b"\r\n" + BODY[:9], then="hang")),
    is_late(
        "a body without a length and without an end", lambda u: u.will_send_raw(HEAD + b"\r\n" + BODY, then="hang")
    ),
    is_late("a chunk drop by drop", lambda u: u.will_send_endlessly(CHUNKED + b"fff\r\n", b"x", pause=0.05)),
    is_late("a chunk's size drop by drop", lambda u: u.will_send_endlessly(CHUNKED, b"0", pause=0.05)),
    is_late("trailers drop by drop", lambda u: u.will_send_endlessly(CHUNKED + CHUNKS, b"X: y\r\n", pause=0.05)),
    is_late("endless 100 Continue", lambda u: u.will_send_endlessly(b"", b"HTTP/1.1 100 Continue\r\n\r\n", pause=0.05)),
    is_late("endless 103 Early Hints", lambda u: u.will_send_endlessly(b"", b"HTTP/1.1 103 Hints\r\n\r\n", pause=0.05)),
    is_late("a bare 503 drop by drop", lambda u: u.will_drip(http_answer(503, "x" * 1000))),
]

FLOODS = [
    Case(
        f"a flood of {name}",
        lambda u, start=start, piece=piece: u.will_send_endlessly(start, piece * 500),
        NOTHING,
        cause,
    )
    for name, start, piece, cause in [
        ("100 Continue", b"", b"HTTP/1.1 100 Continue\r\n\r\n", Cause.CUT),
        ("103 Early Hints", b"", b"HTTP/1.1 103 Hints\r\nLink: <a>\r\n\r\n", Cause.CUT),
        ("headers", HEAD, b"X-Odd: x\r\n", Cause.CUT),
        ("one header", HEAD + b"X: ", b"xxxxxxxx", Cause.CUT),
        ("chunks", CHUNKED, b"1\r\nx\r\n", Cause.CUT),
        ("trailers", CHUNKED + CHUNKS, b"X-Odd: x\r\n", Cause.CUT),
        ("text", HEAD + b"\r\n", b"xxxxxxxx", Cause.UNUSABLE),
        ("text, announced", HEAD + b"Content-Length: 99999999999\r\n\r\n", b"xxxxxxxx", Cause.UNUSABLE),
    ]
]

TABLE = [*WHOLE_ANSWERS, *CUT_ANSWERS, *MALFORMED_ANSWERS, *LATE_ANSWERS, *FLOODS]


@pytest.mark.parametrize("case", TABLE, ids=[case.name for case in TABLE])
def test_a_fault_becomes_the_outcome_of_the_table_in_time_and_nothing_is_sent_twice(
    case: Case, upstream: UpstreamServer
):
    case.arrange(upstream)
    slow = case in LATE_ANSWERS
    client = UpstreamClient(upstream.base_url, upstream.api_key, total_timeout=TOTAL if slow else 5)
    chat_id, cause = KEPT, Cause.UNKNOWN
    started = time.monotonic()
    try:
        reply = client.ask("First", chat_id)
        outcome, requests_made, chat_id = reply.text, reply.requests_made, reply.chat_id or chat_id
    except UpstreamError as error:
        outcome, requests_made, cause = (type(error), error.code), error.requests_made, error.cause
    took = time.monotonic() - started
    assert (outcome, cause) == (case.outcome, case.cause)
    assert requests_made == len(upstream.requests) == 1
    assert took < TOTAL + TOLERANCE if slow else took < 3

    upstream.will_reply("And on it goes")
    UpstreamClient(upstream.base_url, upstream.api_key).ask("Next", chat_id)
    assert upstream.requests[-1].chat_id == case.next_chat_id


def ask(address: str, *, total: float = TOTAL, connect: float = 5.0, message: str = "Hi") -> UpstreamError:
    """The error of a call that fails, checked to be in time."""
    started = time.monotonic()
    with pytest.raises(UpstreamError) as raised:
        UpstreamClient(address, "key", connect_timeout=connect, total_timeout=total).ask(message)
    assert time.monotonic() - started < total + TOLERANCE
    return raised.value


def assert_nothing_was_sent(error: UpstreamError, cause: Cause) -> None:
    assert (type(error), error.code, error.cause) == (Unreachable, "UNREACHABLE", cause)
    assert (error.requests_made, error.may_have_arrived) == (0, False)


def test_a_closed_port_is_tried_three_times_and_nothing_was_sent():
    with UpstreamServer() as upstream:
        address = upstream.base_url
    assert_nothing_was_sent(ask(address), Cause.CONNECTION_REFUSED)


def test_a_connection_that_comes_at_the_second_attempt_gives_the_reply(monkeypatch):
    """The listener is there, but the first address isn't: what a restart of the upstream looks like."""
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
    assert_nothing_was_sent(ask("https://bot.example"), Cause.DNS)


def test_a_name_server_that_hangs_is_waited_for_no_longer_than_the_deadline(monkeypatch):
    calls = []

    def hang(host: str, *_: object, flags: int = 0, **__: object) -> list:
        if flags & socket.AI_NUMERICHOST:
            raise socket.gaierror
        calls.append(host)
        time.sleep(TOTAL + 0.2)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    assert_nothing_was_sent(ask("https://bot.example", connect=0.1), Cause.DNS)
    assert calls == ["bot.example"]  # three attempts wait for one look-up
    time.sleep(0.3)  # the look-up's thread ends before the patch does


def test_an_address_that_never_answers_leaves_time_for_the_next_one(monkeypatch):
    with UpstreamServer() as upstream, FullListener() as silent:
        found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port)) for port in (silent, upstream.port)]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
        client = UpstreamClient(upstream.base_url, upstream.api_key, connect_timeout=0.4)
        assert client.ask("Hi").text == "You said: Hi"


def test_localhost_is_found_where_the_server_listens():
    with UpstreamServer() as upstream:  # on 127.0.0.1 only: ::1 refuses
        client = UpstreamClient(f"http://localhost:{upstream.port}", upstream.api_key)
        assert client.ask("Hi").text == "You said: Hi"


class FullListener:
    """A port on loopback whose queue is full: connections to it are neither made nor refused."""

    def __enter__(self) -> int:
        self._listener = socket.socket()
        self._listener.bind(("127.0.0.1", 0))
        self._listener.listen(0)
        self._waiting = []
        for _ in range(4):
            client = socket.socket()
            client.setblocking(False)
            client.connect_ex(self._listener.getsockname())
            self._waiting.append(client)
        return self._listener.getsockname()[1]

    def __exit__(self, *_: object) -> None:
        for each in (*self._waiting, self._listener):
            each.close()


def test_a_connection_that_never_comes_about_is_given_up_at_the_deadline():
    with FullListener() as port:
        assert_nothing_was_sent(ask(f"http://127.0.0.1:{port}"), Cause.CONNECT_TIMEOUT)


def test_a_server_that_reads_nothing_is_given_up_at_the_deadline():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        error = ask(f"http://127.0.0.1:{listener.getsockname()[1]}", message="x" * 20_000_000, total=0.8)
    assert (type(error), error.cause, error.may_have_arrived) == (NoAnswer, Cause.LATE, True)


def test_a_deadline_that_has_passed_sends_nothing(upstream):
    with pytest.raises(Unreachable) as raised:
        UpstreamClient(upstream.base_url, upstream.api_key).ask("Hi", deadline=Deadline(0))
    assert (raised.value.requests_made, upstream.connections) == (0, 0)


def test_two_calls_share_the_callers_deadline(upstream):
    upstream.will_reply("Hello", delay=0.2).will_hang()
    client, deadline = UpstreamClient(upstream.base_url, upstream.api_key, total_timeout=60), Deadline(TOTAL)
    started = time.monotonic()
    client.ask("First", deadline=deadline)
    with pytest.raises(NoAnswer):
        client.ask("Second", deadline=deadline)
    assert time.monotonic() - started < TOTAL + TOLERANCE


def test_retries_end_with_the_deadline(upstream):
    client_module.set_testing(False)
    upstream.will_refuse("BOT_UNAVAILABLE", status=503, times=3)
    with pytest.raises(Refused, match="BOT_UNAVAILABLE") as raised:
        UpstreamClient(upstream.base_url, upstream.api_key, total_timeout=0.2).ask("Hi")
    assert raised.value.requests_made == len(upstream.requests) == 1  # the first back-off is longer


def test_a_back_off_is_waited_for_when_nobody_tests(upstream):
    client_module.set_testing(False)
    upstream.will_refuse("BOT_UNAVAILABLE", status=503).will_reply("Hello")
    started = time.monotonic()
    assert UpstreamClient(upstream.base_url, upstream.api_key).ask("Hi").text == "Hello"
    assert 0.25 <= time.monotonic() - started < 1.2


def test_nothing_is_asked_again_before_retry_after(upstream):
    upstream.will_refuse("BOT_UNAVAILABLE", status=503, retry_after=1).will_reply("Hello")
    started = time.monotonic()
    assert UpstreamClient(upstream.base_url, upstream.api_key).ask("Hi").text == "Hello"
    assert time.monotonic() - started >= 1


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7),
        (" 30 ", 30),
        ("999999999", 86400),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 86400),
        ("Friday, 31-Dec-49 23:59:59 GMT", 86400),
    ],
)
def test_a_retry_after_beyond_the_deadline_is_told_at_once(header, seconds, upstream):
    upstream.will_answer(429, headers={"Retry-After": header})
    error = _refusal_within(upstream, 5)
    assert (error.code, error.retry_after, len(upstream.requests)) == ("RATE_LIMITED", seconds, 1)


@pytest.mark.parametrize(
    "header", ["", "soon", "-1", "1.5", "1e9", "٣", "9" * 30, "0", "Thu, 01 Jan 1970 00:00:00 GMT"]
)
def test_a_retry_after_that_says_nothing_delays_nothing(header, upstream):
    upstream.will_answer(429, headers={"Retry-After": header.encode().decode("latin-1")}, times=3)
    error = _refusal_within(upstream, 5)
    assert (error.code, error.retry_after or 0, len(upstream.requests)) == ("RATE_LIMITED", 0, 3)


def test_a_date_is_counted_from_now(upstream):
    moment = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + 60))
    upstream.will_answer(503, headers={"Retry-After": moment})
    assert 58 <= _refusal_within(upstream, 5).retry_after <= 61


def _refusal_within(upstream: UpstreamServer, seconds: float) -> UpstreamError:
    with pytest.raises(Refused) as raised:
        UpstreamClient(upstream.base_url, upstream.api_key, total_timeout=seconds).ask("Hi")
    return raised.value
