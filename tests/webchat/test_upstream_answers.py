"""Complete answers: the outcome of each status, body shape and encoding."""

# ruff: noqa: E501 a row of a table is one line

import gzip
import json
from collections.abc import Callable
from typing import NamedTuple

import pytest

from tests.webchat.upstream_server import UpstreamServer, error_body
from webchat.upstream.client import NoAnswer, NotConfigured, Refused, TooManyRequests, UpstreamClient, UpstreamError

KEPT = "chat-1"  # what the first turn is sent with, and the next one if the answer changes nothing


class Case(NamedTuple):
    name: str
    arrange: Callable[[UpstreamServer], object]
    outcome: str | tuple[type[UpstreamError], str]  # the reply's text, or what is raised with which code
    requests: int = 1
    next_chat_id: str = KEPT


def answers(name: str, body: object, outcome: object, *, status: int = 200, next_chat_id: str = KEPT, **headers: str):
    named = {key.replace("_", "-"): value for key, value in headers.items()}
    return Case(name, lambda u: u.will_answer(status, body, headers=named), outcome, next_chat_id=next_chat_id)


def refuses(name: str, body: object, outcome: object, *, status: int = 400, asked: int = 1, **headers: str) -> Case:
    named = {key.replace("_", "-"): value for key, value in headers.items()}
    return Case(name, lambda u: u.will_answer(status, body, headers=named, times=asked), outcome, requests=asked)


NOTHING = (NoAnswer, "NO_ANSWER")
UNKNOWN = (Refused, "UNKNOWN")
CONFIGURATION = (NotConfigured, "BAD_CONFIGURATION")
UNAVAILABLE = (Refused, "BOT_UNAVAILABLE")
WAIT = (TooManyRequests, "RATE_LIMITED")


def gzip_bomb() -> bytes:
    return gzip.compress(b'{"reply": "' + b"x" * 50_000_000 + b'"}')


GOOD = json.dumps({"success": True, "chatId": "chat-2", "message": "Hello"}).encode()
HTML = "<html><h1>Something of the upstream's</h1></html>"

REPLIES = [
    answers("the known client's shape", {"success": True, "chatId": "chat-2", "message": "Hello"}, "Hello", next_chat_id="chat-2"),
    *(answers(f"plain {name}", {name: "Hello"}, "Hello") for name in ("reply", "answer", "response", "message", "text", "content", "output")),
    *(answers(f"{name} under data", {"data": {name: "Hello"}}, "Hello") for name in ("reply", "message", "text")),
    *(answers(f"{name} under result", {"result": {name: "Hello"}}, "Hello") for name in ("answer", "message", "output")),
    answers("reply before message", {"message": "OK", "reply": "Hello"}, "Hello"),
    answers("an envelope's own message", {"message": "Success", "data": {"text": "Hello"}}, "Hello"),
    answers("an empty error object", {"error": {"code": None, "message": ""}, "reply": "Hello"}, "Hello"),
    answers("error null", {"error": None, "reply": "Hello"}, "Hello"),
    answers("error empty", {"error": "", "errors": [], "detail": "", "reply": "Hello"}, "Hello"),
    answers("code OK", {"success": True, "code": "OK", "reply": "Hello"}, "Hello"),
    answers("a piece of code in an envelope", {"data": {"reply": "Hello", "code": "print(1)"}}, "Hello"),
    answers("a byte order mark", b"\xef\xbb\xbf" + GOOD, "Hello", next_chat_id="chat-2"),
    answers("UTF-8 unescaped", '{"reply": "Grüße 你好 😀"}', "Grüße 你好 😀"),
    answers("a lone surrogate", '{"reply": "Hel\\ud800lo"}', "Hel\N{REPLACEMENT CHARACTER}lo"),
    answers("a NUL", '{"reply": "Hel\\u0000lo"}', "Hello"),
    answers("a raw line break in the text", '{"reply": "Hel\nlo"}', "Hel\nlo"),
    answers("NaN and Infinity beside it", '{"reply": "Hello", "score": NaN, "other": -Infinity}', "Hello"),
    answers("a number of 10,000 digits beside it", '{"reply": "Hello", "n": ' + "9" * 10_000 + "}", "Hello"),
    answers("gzip without being asked for", gzip.compress(GOOD), "Hello", Content_Encoding="gzip", next_chat_id="chat-2"),
]  # fmt: skip

CHAT_IDS = [
    answers("an empty chatId", {"reply": "Hello", "chatId": ""}, "Hello"),
    answers("chatId a list", {"reply": "Hello", "chatId": ["a"]}, "Hello"),
    answers("chatId of 513 characters", {"reply": "Hello", "chatId": "x" * 513}, "Hello"),
    answers("chatId with a NUL", '{"reply": "Hello", "chatId": "a\\u0000b"}', "Hello"),
    answers("chatId with spaces and signs", {"reply": "Hello", "chatId": " a/b?ü "}, "Hello", next_chat_id=" a/b?ü "),
    answers("chatId a number", '{"reply": "Hello", "chatId": 1234567890123456789012}', "Hello", next_chat_id="1234567890123456789012"),
    answers("chatId under data", {"data": {"reply": "Hello", "chatId": "chat-2"}}, "Hello", next_chat_id="chat-2"),
    answers("another chatId beside an error", {"error": "NO_LUCK", "chatId": "chat-2"}, (Refused, "NO_LUCK")),
]  # fmt: skip

CODES = [
    *(refuses(code, error_body(code), (Refused, code)) for code in ("INVALID_JSON", "MESSAGE_REQUIRED", "MISSING_API_KEY", "INVALID_API_KEY", "BOT_DISABLED", "CHAT_NOT_FOUND")),
    *(refuses(code, error_body(code), (Refused, code), asked=3) for code in ("BOT_UNAVAILABLE", "INTERNAL_ERROR")),
    refuses("an error 500 lists deep", '{"error": ' + "[" * 500 + "]" * 500 + "}", UNKNOWN, status=200),
    refuses("a code with status 200", error_body("BOT_DISABLED"), (Refused, "BOT_DISABLED"), status=200),
    refuses("error: CODE", {"error": "BOT_DISABLED"}, (Refused, "BOT_DISABLED")),
    refuses("code: CODE", {"code": "BOT_DISABLED", "message": "Words"}, (Refused, "BOT_DISABLED")),
    refuses("errorCode: CODE", {"errorCode": "BOT_DISABLED"}, (Refused, "BOT_DISABLED")),
    refuses("errors: [{code}]", {"errors": [{"code": "BOT_DISABLED"}]}, (Refused, "BOT_DISABLED")),
    refuses("detail: {code}", {"detail": {"code": "BOT_DISABLED"}}, (Refused, "BOT_DISABLED")),
    refuses("success false, message: CODE", {"success": False, "message": "BOT_DISABLED"}, (Refused, "BOT_DISABLED"), status=200),
    refuses("a code among words", {"error": "BOT_DISABLED: switch it on"}, (Refused, "BOT_DISABLED")),
    refuses("a code under data", {"data": {"error": {"code": "BOT_DISABLED"}}}, (Refused, "BOT_DISABLED"), status=200),
    refuses("a code in lower case", {"error": "bot-disabled"}, (Refused, "BOT_DISABLED")),
    refuses("a documented code beside another", {"code": "ERR_BAD_REQUEST", "error": "BOT_DISABLED"}, (Refused, "BOT_DISABLED")),
    refuses("another code, words that mention one", {"code": "NO_CREDIT", "message": "no INTERNAL_ERROR"}, (Refused, "NO_CREDIT")),
    refuses("a code in plain text with status 200", "BOT_DISABLED\n", (Refused, "BOT_DISABLED"), status=200),
    refuses("a JSON string", '"BOT_DISABLED"', (Refused, "BOT_DISABLED"), status=200),
    refuses("a code in an error page", "<p>Error BOT_DISABLED</p>", (Refused, "BOT_DISABLED"), status=403),
    refuses("a reply beside an error", {"reply": "Hello", "error": "BOT_DISABLED"}, (Refused, "BOT_DISABLED"), status=200),
    refuses("a reply beside success false", {"reply": "Hello", "success": False}, UNKNOWN, status=200),
    refuses("a reply beside success \"false\"", {"reply": "Hello", "success": "false"}, UNKNOWN, status=200),
    refuses("a message beside status 500", {"status": 500, "message": "Secret words"}, UNKNOWN, status=200),
    refuses("a reply beside an unknown code", {"success": True, "reply": "Hello", "code": "NO_LUCK"}, (Refused, "NO_LUCK"), status=200),
    refuses("absurdly large numbers", '{"error": 1e999, "code": -1E-999, "reply": "Hello"}', UNKNOWN, status=200),
    refuses("a reply beside code 500", {"reply": "Hello", "code": 500}, UNKNOWN, status=200),
    refuses("a message beside status error", {"status": "error", "message": "Secret words"}, UNKNOWN, status=200),
    refuses("a message beside statusCode 404", {"statusCode": 404, "message": "Secret words"}, UNKNOWN, status=200),
    refuses("an unknown code", error_body("QUOTA_EXCEEDED"), (Refused, "QUOTA_EXCEEDED"), status=402),
    refuses("a code of 64 characters", error_body("Q" * 64), (Refused, "Q" * 64)),
    refuses("markup as a code", error_body("<B>BAD</B>"), UNKNOWN),
    refuses("words instead of a code", {"error": "The bot is off today"}, UNKNOWN, status=200),
    refuses("an error that is true", {"error": True, "reply": "Hello"}, UNKNOWN, status=200),
    refuses("RATE_LIMITED with status 429", error_body("RATE_LIMITED"), WAIT, status=429, asked=3),
]  # fmt: skip

STATUSES = [
    *(refuses(f"a bare {status}", HTML, CONFIGURATION, status=status) for status in (300, 304, 404, 405, 410, 415, 421, 501, 526)),
    *(refuses(f"a bare {status}", HTML, (Refused, "INVALID_API_KEY"), status=status) for status in (401, 403)),
    *(refuses(f"a bare {status}", HTML, UNKNOWN, status=status) for status in (400, 402, 406, 499)),
    refuses("a bare 429", "", WAIT, status=429, asked=3),
    *(refuses(f"a bare {status}", HTML, UNAVAILABLE, status=status, asked=3) for status in (408, 503)),
    *(refuses(f"a bare {status}", HTML, UNAVAILABLE, status=status) for status in (521, 523, 525)),
    *(refuses(f"a bare {status}", HTML, (Refused, "INTERNAL_ERROR"), status=status) for status in (500, 505, 599)),
    *(refuses(f"a bare {status}", HTML, NOTHING, status=status) for status in (502, 504, 520, 522, 524)),
    refuses("a 502 that names the bot's own word", error_body("BOT_UNAVAILABLE"), UNAVAILABLE, status=502, asked=3),
    refuses("a 415 that names an unknown code", error_body("UNSUPPORTED_MEDIA_TYPE"), CONFIGURATION, status=415),
    refuses("a 415 that names a documented code", error_body("BOT_DISABLED"), (Refused, "BOT_DISABLED"), status=415),
    refuses("a 204", "", NOTHING, status=204),
]  # fmt: skip

REDIRECTS = [
    Case(f"{status} to {place or 'itself'}", lambda u, status=status, place=place: u.will_redirect(place or u.base_url, status=status), CONFIGURATION)
    for status, place in [(301, "https://other.example/"), (302, ""), (303, "/login"), (307, ""), (308, "//other.example"), (307, "javascript:alert(1)")]
]  # fmt: skip

USELESS = [
    answers("nothing", "", NOTHING),
    answers("an HTML page", HTML, NOTHING, Content_Type="text/html"),
    answers("a word in capitals", "HELLO", NOTHING),
    *(answers(f"JSON, but {body}", body, NOTHING) for body in ("null", "true", "42", "NaN", "[]", '["Hello"]', "{}", '"Hello"')),
    answers("a reply of whitespace", {"reply": " \n\t\u3000"}, NOTHING),
    answers("an invisible reply", {"reply": "\u200b\u2060\ufeff\u0000"}, NOTHING),
    answers("100,000 brackets", "[" * 100_000, NOTHING),
    answers("deep but whole", '{"reply": "Hello", "x": ' + "[" * 100_000 + "]" * 100_000 + "}", NOTHING),
    answers("more than a megabyte", {"reply": "x" * 1_100_000}, NOTHING),
    Case("a gzip bomb", lambda u: u.will_answer(200, gzip_bomb(), headers={"Content-Encoding": "gzip"}), NOTHING),
    answers("a gzip cut short", gzip.compress(GOOD)[:-9], NOTHING, Content_Encoding="gzip"),
    refuses("a 503 with a page that is too large", "x" * 1_100_000, NOTHING, status=503),
]  # fmt: skip

RECOVERIES = [
    Case("unavailable, then a reply", lambda u: u.will_refuse("BOT_UNAVAILABLE", status=503).will_reply("Hello", chat_id="chat-2"), "Hello", 2, "chat-2"),
    Case("unavailable, then nothing", lambda u: u.will_refuse("BOT_UNAVAILABLE").will_close(), NOTHING, 2),
    Case("the service itself", lambda u: None, (Refused, "CHAT_NOT_FOUND"), 1),
]  # fmt: skip

TABLE = [*REPLIES, *CHAT_IDS, *CODES, *STATUSES, *REDIRECTS, *USELESS, *RECOVERIES]


@pytest.mark.parametrize("case", TABLE, ids=[case.name for case in TABLE])
def test_an_answer_has_the_outcome_in_the_table(case, upstream):
    case.arrange(upstream)
    client = UpstreamClient(upstream.base_url, upstream.api_key, total_timeout=10)
    chat_id = KEPT
    try:
        reply = client.ask("First", chat_id)
        outcome, requests_made, chat_id = reply.text, reply.requests_made, reply.chat_id or chat_id
    except UpstreamError as error:
        outcome, requests_made = (type(error), error.code), error.requests_made
    assert outcome == case.outcome
    assert requests_made == len(upstream.requests) == upstream.connections == case.requests
    assert {(request.message, request.chat_id) for request in upstream.requests} == {("First", KEPT)}

    upstream.will_reply("And on it goes")
    client.ask("Next", chat_id)
    assert upstream.requests[-1].chat_id == case.next_chat_id


@pytest.mark.parametrize(
    ("field", "body", "outcome"),
    [
        ("payload.words", {"payload": {"words": "Hello"}, "reply": "Not this"}, "Hello"),
        ("choices.0.message.content", {"choices": [{"message": {"content": "Hello"}}]}, "Hello"),
        ("message", {"message": "Hello", "data": {"message": "Not this"}}, "Hello"),
        ("payload.words", {"reply": "Not this"}, NOTHING),
        ("choices.7", {"choices": ["a"]}, NOTHING),
        ("message", {"message": "Hello", "error": "BOT_DISABLED"}, (Refused, "BOT_DISABLED")),
    ],
)
def test_a_pinned_reply_field_is_the_only_one_that_counts(field, body, outcome, upstream):
    upstream.will_answer(200, body)
    client = UpstreamClient(upstream.base_url, upstream.api_key, reply_field=field)
    try:
        result = client.ask("Hi").text
    except UpstreamError as error:
        result = (type(error), error.code)
    assert result == outcome


def test_a_reply_that_repeats_the_key_is_shown_without_it(upstream):
    upstream.will_answer(200, {"message": f"You sent the key {upstream.api_key}."})
    assert UpstreamClient(upstream.base_url, upstream.api_key).ask("Hi").text == "You sent the key …."


@pytest.mark.parametrize(
    ("status", "may_have_arrived"),
    [(200, True), (500, True), (504, True), (403, False), (404, False), (301, False), (429, False)],
)
def test_an_answer_says_whether_the_message_may_have_cost_something(status, may_have_arrived, upstream):
    upstream.will_answer(status, HTML, times=3)
    with pytest.raises(UpstreamError) as raised:
        UpstreamClient(upstream.base_url, upstream.api_key).ask("Hi")
    assert raised.value.may_have_arrived is may_have_arrived
