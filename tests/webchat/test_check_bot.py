"""`manage.py check_bot`: what it tells the owner about each possible fault of a bot's upstream."""

import io
from typing import NamedTuple

import pytest
from django.core.management import call_command

from tests.conftest import KEY
from tests.webchat.upstream_server import UpstreamServer
from webchat.models import Bot


@pytest.fixture(autouse=True)
def bot(db, upstream) -> Bot:
    return Bot.objects.create(slug="help", name="Help")


class Report(NamedTuple):
    text: str
    status: int


def check_bot(*arguments: str) -> Report:
    out, status = io.StringIO(), 0
    try:
        call_command("check_bot", *arguments, stdout=out, no_color=True)
    except SystemExit as end:
        status = end.code
    assert KEY not in out.getvalue()
    return Report(out.getvalue(), status)


def test_check_bot_states_the_cost_and_then_that_the_bot_works(upstream):
    report = check_bot()
    assert report.status == 0
    warning, finding = report.text.strip().splitlines()
    assert "It costs what a visitor's message costs." in warning
    assert upstream.base_url in warning
    assert finding.startswith("OK  REPLY: The bot replied in 0.")
    assert "You said: Hello" in finding
    assert upstream.messages == ["Hello"]


def test_another_bot_is_checked_at_its_own_url(upstream):
    with UpstreamServer(api_key="its-own-key") as other:
        bot = Bot(slug="shop", name="Shop", base_url=other.base_url)
        bot.set_key("its-own-key")
        bot.save()
        assert check_bot("shop").status == 0
        assert (len(upstream.requests), len(other.requests)) == (0, 1)


ANSWERS = [
    ("INVALID_API_KEY", "refuses the key (status 401)", lambda u: u.will_refuse("INVALID_API_KEY", status=401)),
    ("BOT_DISABLED", "switched off", lambda u: u.will_refuse("BOT_DISABLED", status=403)),
    ("BOT_UNAVAILABLE", "not available (status 503)", lambda u: u.will_refuse("BOT_UNAVAILABLE", status=503, times=3)),
    ("INTERNAL_ERROR", "error of its own (status 500)", lambda u: u.will_answer(500, "Oops")),
    ("GATEWAY_FAILED", "got no answer from it (status 504)", lambda u: u.will_answer(504)),
    ("NO_JSON", "doesn’t take JSON (status 415)", lambda u: u.will_answer(415)),
    ("QUOTA_EXCEEDED", "own code QUOTA_EXCEEDED (status 402)", lambda u: u.will_refuse("QUOTA_EXCEEDED", status=402)),
    ("UNKNOWN", "without a known code (status 418)", lambda u: u.will_answer(418, "I'm a teapot")),
    ("REDIRECT", "to https://www.bot.example/chat.", lambda u: u.will_redirect("https://www.bot.example/chat?token=x")),
    ("REDIRECT", "to https://evil.example/….", lambda u: u.will_redirect(f"https://me:pw@evil.example/{KEY}")),
    ("NO_ENDPOINT", "not at /api/public/chat (status 404)", lambda u: u.will_answer(404, "<h1>Not Found</h1>")),
    ("WITHOUT_REPLY", "CHAT_REPLY_FIELD", lambda u: u.will_answer(200, {"sentence": "Hello"})),
    ("UNUSABLE", "not readable", lambda u: u.will_answer(200, "<h1>Welcome</h1>")),
    ("CONNECTION_REFUSED", "127.0.0.1:", lambda u: u.close()),
]


@pytest.mark.parametrize(("name", "words", "arrange"), ANSWERS, ids=[words for _, words, _ in ANSWERS])
def test_an_answer_without_a_reply_is_explained(name, words, arrange, upstream):
    arrange(upstream)
    report = check_bot()
    assert report.status == 1
    assert f"WRONG  {name}: " in report.text
    assert words in report.text
    assert report.text.splitlines()[-2].startswith("    ")  # the advice


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://bot.example", "read the key"),
        ("https://me:password@bot.example", "user name"),
        ("https://bot.example/api/public/chat", "ends in /api/public/chat"),
        ("bot.example", "can’t be sent to this address"),
    ],
)
def test_an_invalid_url_is_explained_and_nothing_is_sent(url, words, settings, upstream):
    settings.CHAT_BASE_URL = url
    report = check_bot()
    assert report.status == 1
    assert words in report.text
    assert "password" not in report.text
    assert upstream.connections == 0


def test_a_reply_is_quoted_without_the_key_and_without_commands_for_the_terminal(upstream):
    upstream.will_reply(f"\x1b[2J{KEY}\nsecond line " + "x" * 200)
    report = check_bot()
    assert "\x1b" not in report.text
    assert "second line" in report.text
    assert "x" * 100 not in report.text
