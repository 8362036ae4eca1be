"""Whatever a body or a header contains, it becomes a reply, a refusal or nothing."""

import json
import string

import requests
from hypothesis import example, given, settings
from hypothesis import strategies as st

from webchat.upstream import client, wire

NAMES = st.sampled_from(
    [
        "reply",
        "message",
        "data",
        "result",
        "error",
        "errors",
        "code",
        "errorCode",
        "detail",
        "success",
        "status",
        "chatId",
    ]
)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(sorted(wire.CODES)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES | st.text(max_size=5), inner, max_size=5),
    max_leaves=12,
)
STATUSES = st.sampled_from([101, 200, 204, 302, 400, 429, 500, 503])


def read(status: int, body: bytes, field: str = "") -> wire.Answer | None:
    try:
        return wire.read_answer(status, body, field)
    except wire.Unusable:
        return None


def assert_is_safe(answer: wire.Answer | None) -> None:
    if answer is None:
        return
    for text in (answer.reply, answer.chat_id or ""):
        text.encode()
        assert "\0" not in text
    assert len(answer.chat_id or "") <= wire.MAX_CHAT_ID
    assert not (answer.refused and answer.reply)
    assert set(answer.code or "") <= set(string.ascii_uppercase + string.digits + "_")


@settings(deadline=None)
@given(STATUSES, st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
@example(200, b"\xed\xa0\x80")
@example(200, b"\xef\xbb\xbf" * 2 + b"{}")
@example(200, b'{"error": 1e999, "code": -1E-999}')
def test_any_bytes_are_read(status: int, body: bytes):
    assert_is_safe(read(status, body))


@settings(max_examples=100, deadline=None)
@given(
    STATUSES,
    st.dictionaries(NAMES, VALUES, max_size=6),
    st.sampled_from(["", "reply", "data.reply", "data.0", "..", "0"]),
)
def test_any_json_is_read(status: int, content: dict, field: str):
    assert_is_safe(read(status, json.dumps(content).encode(), field))


@settings(deadline=None)
@given(st.text(max_size=200))
def test_any_message_can_be_sent(message: str):
    sent = json.loads(wire.write_request(message, "chat-1").decode())
    assert sent["message"] == wire.clean(message)
    assert sent["chatId"] == "chat-1"


@settings(deadline=None)
@given(st.text(max_size=40) | st.from_regex(r"\w{3}, \d{1,2} \w{3} \d{1,6} \d\d?:\d\d:\d\d [A-Z+0-9-]{0,6}"))
@example("Fri, 31 Dec 99999 23:59:59 GMT")
@example("Mon, 01 Jan 0001 00:00:00 +2359")
@example("Thu, 01 Jan 1970 00:00:00 -0000")
@example("0")
@example(",")
def test_any_retry_after_is_read(header: str):
    response = requests.Response()
    response.headers["Retry-After"] = header
    seconds = client._retry_after(response)
    assert seconds is None or 0 <= seconds <= client.LONGEST_RETRY_AFTER
