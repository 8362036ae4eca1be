"""Faults of the connection: cut, late, endless, malformed and missing answers."""

import json
import time
from collections.abc import Callable
from typing import NamedTuple

import pytest

from tests.webchat.upstream_server import UpstreamServer
from webchat.upstream.causes import Cause
from webchat.upstream.client import NoAnswer, UpstreamClient, UpstreamError

KEPT = "chat-1"
TOTAL = 0.4  # seconds that a slow or endless answer gets here

BODY = json.dumps({"success": True, "chatId": "chat-2", "message": "Hello"}).encode()
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
LENGTH = b"Content-Length: %d\r\n" % len(BODY)
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
WHOLE = HEAD + LENGTH + b"\r\n" + BODY
CHUNKS = b"5\r\n" + BODY[:5] + b"\r\n" + b"%x;a=b\r\n" % (len(BODY) - 5) + BODY[5:] + b"\r\n0\r\n"


class Case(NamedTuple):
    name: str
    arrange: Callable[[UpstreamServer], object]
    outcome: str | tuple[type[UpstreamError], str]
    cause: Cause = Cause.UNKNOWN
    next_chat_id: str = KEPT


NOTHING = (NoAnswer, "NO_ANSWER")


def arrives(name: str, *pieces: bytes, then: str = "close") -> Case:
    return Case(name, lambda u: u.will_send_raw(*pieces, then=then), "Hello", next_chat_id="chat-2")


def is_cut(name: str, *pieces: bytes, then: str = "close", cause: Cause = Cause.CUT) -> Case:
    return Case(name, lambda u: u.will_send_raw(*pieces, then=then), NOTHING, cause)


def is_late(name: str, arrange: Callable[[UpstreamServer], object]) -> Case:
    return Case(name, arrange, NOTHING, Cause.LATE)


WHOLE_ANSWERS = [
    arrives("with a length", WHOLE),
    arrives("until the connection closes", HEAD + b"\r\n" + BODY),
    arrives("in chunks", CHUNKED + CHUNKS + b"\r\n"),
    arrives(
        "in chunks and a length", HEAD + b"Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n" + CHUNKS + b"\r\n"
    ),
    arrives("after 103 Early Hints", b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n", WHOLE),
    Case("byte by byte, in time", lambda u: u.will_drip(WHOLE, pause=0.001), "Hello", next_chat_id="chat-2"),
    arrives("the connection stays open after it", WHOLE, then="hang"),
    arrives("the connection is reset after it", WHOLE, then="reset"),
]

CUT_ANSWERS = [
    is_cut("no byte, reset", then="reset"),
    is_cut("inside the body", HEAD + LENGTH + b"\r\n" + BODY[:-1]),
    is_cut("inside a body without a length", HEAD + b"\r\n" + BODY[:-1], cause=Cause.UNUSABLE),
    is_cut("after an interim answer", b"HTTP/1.1 100 Continue\r\n\r\n"),
    is_cut("inside a chunk", CHUNKED + b"5\r\n" + BODY[:3]),
]

MALFORMED_ANSWERS = [
    is_cut("not HTTP", b"220 mail.example ESMTP\r\n"),
    is_cut("a status of four digits", b"HTTP/1.1 2000 OK\r\n\r\n" + BODY),
    is_cut("101 Switching Protocols", b"HTTP/1.1 101 Switching Protocols\r\n\r\n", cause=Cause.UNUSABLE),
    is_cut("a status line without an end", b"HTTP/1.1 200 " + b"x" * 100_000),
    is_cut("two different lengths", HEAD + LENGTH + b"Content-Length: 3\r\n\r\n" + BODY),
    is_cut("a length that is too short", HEAD + b"Content-Length: 9\r\n\r\n" + BODY, cause=Cause.UNUSABLE),
    is_cut("a chunk size that isn't a number", CHUNKED + b"zz\r\n" + BODY),
    is_cut(
        "an unknown transfer encoding",
        HEAD + b"Transfer-Encoding: gzip, chunked\r\n\r\n" + CHUNKS,
        cause=Cause.UNUSABLE,
    ),
]

LATE_ANSWERS = [
    is_late("never", lambda u: u.will_hang()),
    is_late(
        "a body drop by drop",
        lambda u: u.will_send_raw(HEAD + LENGTH + b"\r\n", *(BODY[at : at + 1] for at in range(len(BODY))), pause=0.05),
    ),
    is_late(
        "a body without a length and without an end", lambda u: u.will_send_raw(HEAD + b"\r\n" + BODY, then="hang")
    ),
    is_late("a chunk byte by byte", lambda u: u.will_send_endlessly(CHUNKED + b"fff\r\n", b"x", pause=0.05)),
    is_late("endless 100 Continue", lambda u: u.will_send_endlessly(b"", b"HTTP/1.1 100 Continue\r\n\r\n", pause=0.05)),
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
        ("chunks", CHUNKED, b"1\r\nx\r\n", Cause.CUT),
        ("text", HEAD + b"\r\n", b"xxxxxxxx", Cause.UNUSABLE),
        ("text, announced", HEAD + b"Content-Length: 99999999999\r\n\r\n", b"xxxxxxxx", Cause.UNUSABLE),
    ]
]

TABLE = [*WHOLE_ANSWERS, *CUT_ANSWERS, *MALFORMED_ANSWERS, *LATE_ANSWERS, *FLOODS]


@pytest.mark.parametrize("case", TABLE, ids=[case.name for case in TABLE])
def test_a_fault_has_the_outcome_in_the_table_in_time_and_nothing_is_sent_twice(case, upstream):
    case.arrange(upstream)
    slow = case in LATE_ANSWERS
    client = UpstreamClient(upstream.base_url, upstream.api_key, total_timeout=TOTAL if slow else 60)
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
    assert took < 20  # on a busy machine

    upstream.will_reply("And on it goes")
    UpstreamClient(upstream.base_url, upstream.api_key).ask("Next", chat_id)
    assert upstream.requests[-1].chat_id == case.next_chat_id
