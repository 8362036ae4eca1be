"""The failure rules as visitors, the log and the owner see them: sentence, code and buttons of each failure."""

import datetime
import logging
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest
from django.db import connection
from django.utils import timezone

from tests.conftest import KEY
from tests.webchat.conftest import CONTACT
from tests.webchat.upstream_server import UpstreamServer, error_body
from tests.webchat.visitor import SeenAlert
from webchat.models import Bot, Turn
from webchat.upstream.wire import CODES

MESSAGE = "My private message 4711"
WORDS = "Words of the upstream <b>in bold</b>"

CANT_NOW = "The bot can’t answer right now"
NOT_AVAILABLE = "This chat isn’t available at the moment."
NOT_HEARD = "We didn’t hear back from the bot. It may have got your message"
COULDNT = "The bot couldn’t answer this message."


class Case(NamedTuple):
    """What the upstream does, and what the visitor then finds; `level` is the log level for the owner."""

    arrange: Callable[[UpstreamServer, object], object]
    code: str
    sentence: str
    controls: list[str]
    level: int = logging.WARNING
    requests: int = 1


def refuse(code: str, status: int = 400, times: int = 1) -> Callable:
    return lambda upstream, _: upstream.will_answer(status, error_body(code, WORDS), times=times)


def answer(status: int, body: object = WORDS, times: int = 1) -> Callable:
    return lambda upstream, _: upstream.will_answer(status, body, times=times)


def configure(name: str, value: object) -> Callable:
    return lambda _, settings: setattr(settings, name, value)


def hang(upstream: UpstreamServer, settings: object) -> None:
    settings.CHAT_TIMEOUT = 0.5
    upstream.will_hang()


def redirect(upstream: UpstreamServer, _: object) -> None:
    upstream.will_redirect(f"https://elsewhere.example/{KEY}")


def must_be_mended(arrange: Callable, code: str, requests: int = 1) -> Case:
    """Return the case of what only the owner can put right: the visitor learns nothing about it."""
    return Case(arrange, code, NOT_AVAILABLE, ["contact"], logging.ERROR, requests)


CASES = {
    # the eight documented codes
    "empty": Case(refuse("MESSAGE_REQUIRED"), "MESSAGE_REQUIRED", "found no text", [], logging.INFO),
    "ended": Case(refuse("CHAT_NOT_FOUND", 404), "CHAT_NOT_FOUND", "has ended", ["new", "contact"]),
    "unavailable": Case(refuse("BOT_UNAVAILABLE", 503, 3), "BOT_UNAVAILABLE", CANT_NOW, ["retry"], requests=3),
    "internal error": Case(refuse("INTERNAL_ERROR", 500, 3), "INTERNAL_ERROR", CANT_NOW, ["retry"], requests=3),
    "disabled": Case(refuse("BOT_DISABLED", 403), "BOT_DISABLED", "offline", ["contact"], logging.ERROR),
    "missing key": must_be_mended(refuse("MISSING_API_KEY", 401), "MISSING_API_KEY"),
    "invalid key": must_be_mended(refuse("INVALID_API_KEY", 401), "INVALID_API_KEY"),
    "invalid JSON": must_be_mended(refuse("INVALID_JSON"), "INVALID_JSON"),
    # others
    "unknown code": Case(refuse("QUOTA_EXCEEDED", 402), "QUOTA_EXCEEDED", COULDNT, ["contact"]),
    "time-out": Case(hang, "NO_ANSWER", NOT_HEARD, ["resend"]),
    "HTML": Case(answer(200, f"<html>{WORDS} {KEY}</html>"), "NO_ANSWER", NOT_HEARD, ["resend"]),
    "unreachable": Case(lambda upstream, _: upstream.close(), "UNREACHABLE", CANT_NOW, ["retry"], requests=0),
    "no key": must_be_mended(configure("BOT_API_KEY", ""), "MISSING_API_KEY", 0),
    "http to elsewhere": must_be_mended(configure("CHAT_BASE_URL", "http://bot.example"), "BAD_CONFIGURATION", 0),
    "redirect": must_be_mended(redirect, "BAD_CONFIGURATION"),
    "429": Case(answer(429, times=3), "RATE_LIMITED", "very busy", ["retry"], logging.INFO, 3),
}


@pytest.fixture
def nothing_leaks(upstream: UpstreamServer, caplog: pytest.LogCaptureFixture) -> Iterator[Callable]:
    """Return a function that checks a response for secrets; finally, check every log record, too."""
    caplog.set_level(logging.DEBUG)
    connection.force_debug_cursor = True  # as with DEBUG=1
    secrets = (KEY, upstream.base_url, f":{upstream.port}", WORDS, "Words of the upstream", "elsewhere.example")

    def check(page) -> None:
        told = page.response.content.decode() + str(page.response.headers)
        assert [secret for secret in secrets if secret in told] == []

    yield check
    connection.force_debug_cursor = False
    logged = "\n".join(f"{record.getMessage()} {record.exc_text or ''}" for record in caplog.records)
    assert [secret for secret in (*secrets, MESSAGE) if secret in logged] == []


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_failed_turn_shows_its_sentence_and_its_controls(case, visitor, upstream, settings, caplog, nothing_leaks):
    visitor.open()
    case.arrange(upstream, settings)
    page = visitor.send_live(MESSAGE)
    (turn,) = page.turns
    assert (turn.state, turn.message) == ("failed", MESSAGE)
    assert (turn.alert.code, turn.alert.controls) == (case.code, case.controls)
    assert case.sentence in turn.alert.sentence
    assert len(upstream.requests) == case.requests
    (record,) = [record for record in caplog.records if record.name == "webchat.conversation.answer"]
    assert (record.levelno, case.code in record.getMessage()) == (case.level, True)
    nothing_leaks(page)
    nothing_leaks(visitor.open())  # the whole page, as without JavaScript
    assert visitor.turns == [turn]


def test_every_documented_code_is_in_the_table():
    assert {case.code for case in CASES.values()} >= CODES


def test_nothing_of_the_message_or_its_reply_is_logged(visitor, nothing_leaks, upstream):
    upstream.will_reply("A private reply 4712")
    nothing_leaks(visitor.send(MESSAGE))
    nothing_leaks(visitor.send_live(MESSAGE + " too"))


@pytest.mark.parametrize(
    ("code", "shown"), [("QUOTA_EXCEEDED", ["QUOTA_EXCEEDED"]), ("quota exceeded", ["UNKNOWN"]), ("BOT_DISABLED", [])]
)
def test_only_an_unknown_code_is_shown_in_small_print(code, shown, visitor, upstream):
    upstream.will_refuse(code)
    page = visitor.send("Hello")
    assert [element.text for element in page.all("*[@data-alert]//code")] == shown


@pytest.mark.parametrize(("arrange", "again"), [(refuse("BOT_UNAVAILABLE", 503, 3), "retry"), (answer(504), "resend")])
def test_after_two_failures_the_contact_is_offered_too(arrange, again, visitor, upstream, settings):
    arrange(upstream, settings)
    assert visitor.send("Hello").turns[0].alert.controls == [again]
    arrange(upstream, settings)
    assert visitor.press(again).turns[0].alert.controls == [again, "contact"]


def test_a_429_counts_down_as_long_as_the_upstream_asks_for_and_nothing_is_sent_earlier(visitor, upstream):
    upstream.will_refuse("RATE_LIMITED", status=429, retry_after=30)
    alert: SeenAlert = visitor.send("Hello").turns[0].alert
    assert (alert.code, alert.controls) == ("RATE_LIMITED", ["retry"])
    assert 28 <= alert.wait <= 30
    assert f"Try again in {alert.wait} s." in alert.sentence
    assert visitor.page.one("*[@data-countdown]").get("data-countdown") == "Try again in # s."
    alert = visitor.press("retry").turns[0].alert
    assert (alert.code, bool(alert.wait)) == ("RATE_LIMITED", True)
    assert len(upstream.requests) == 1
    Turn.objects.update(not_before=None)
    assert visitor.press("retry").turns[0].reply


NOON = datetime.datetime(2026, 3, 28, 12, 0, 20, tzinfo=datetime.UTC)
LATER = {
    "more than a minute": (61, "Try again in 2 minutes."),
    "an hour": (60 * 60, "Try again at 1:01 p.m. UTC."),
    "midnight": (12 * 60 * 60 - 20, "Try again on March 29 at midnight UTC."),
    "beyond the calendar": ("9" * 12, "Try again on March 29 at 12:01 p.m. UTC."),
}


@pytest.mark.parametrize(("retry_after", "words"), LATER.values(), ids=LATER)
def test_a_wait_is_shown_in_seconds_minutes_as_a_time_or_with_its_date(
    retry_after, words, visitor, upstream, monkeypatch
):
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    upstream.will_refuse("RATE_LIMITED", status=429, retry_after=retry_after)
    visitor.open()
    page = visitor.send("Hello")
    assert page.turns[0].alert.sentence == f"The bot is very busy right now. Your message is kept. {words}"
    if words.endswith("UTC."):  # the page's script writes it by the visitor's clock
        at = datetime.datetime.fromisoformat(page.one("time[@data-later]").get("datetime"))
        assert 0 <= (at - Turn.objects.get().not_before).total_seconds() < 60


CONTACTS = {
    CONTACT: f"mailto:{CONTACT}",
    "https://example.com/help?a=1&b=2": "https://example.com/help?a=1&b=2",
    "": None,
    "+49 30 123": None,
    "javascript:alert(1)": None,
    "javascript:alert('@')": "mailto:javascript:alert('@')",
}


@pytest.mark.parametrize(("contact", "link"), CONTACTS.items())
def test_the_contact_is_a_link_when_it_can_be_one(contact, link, visitor, upstream):
    Bot.objects.update(contact=contact)
    upstream.will_refuse("BOT_DISABLED")
    page = visitor.send("Hello")
    links = page.all("a[@data-action='contact']")
    assert [a.get("href") for a in links] == ([link] if link else [])
    # A website opens in a tab of its own, not in the widget's frame:
    assert all((a.get("target") == "_blank") is a.get("href").startswith("http") for a in links)
