"""Whatever a body or a header contains, it becomes a reply, a refusal or nothing."""

import json
import string

from hypothesis import example, given, settings
from hypothesis import strategies as st

from webchat.upstream import wire

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
