"""How much may be sent: a visitor's minute and a bot's day, and that refusing costs nobody a text or a credit."""

import datetime
import logging

import pytest
from django.db.models import F
from django.utils import timezone

from webchat import limits
from webchat.models import Allowance, Bot, Turn


@pytest.fixture(autouse=True)
def the_clock_stands_at_noon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Django's, so that neither a minute nor a day ends in the middle of a test."""
    noon = timezone.now().replace(hour=12, minute=0, second=20)
    monkeypatch.setattr(timezone, "now", lambda: noon)


# --- A visitor's minute -----------------------------------------------------------------------------------------------


def a_minute_later() -> None:
    Allowance.objects.filter(name__startswith="messages:").update(window=F("window") - 1)


@pytest.mark.parametrize("way", ["send", "send_live"])
def test_one_message_too_many_is_refused_with_the_text_kept_and_the_time_counted_down(way, visitor, upstream, settings):
    settings.MESSAGES_PER_MINUTE = 2
    visitor.send("One")
    visitor.send("Two")
    page = getattr(visitor, way)("Three")
    assert (page.status, page.typed, page.refusal.code) == (429, "Three", "RATE_LIMITED")
    assert page.refusal.wait == 40
    assert page.response["Retry-After"] == "40"
    assert page.refusal.sentence.endswith("in 40 seconds.")
    assert "#" in page.one("*[@data-countdown]").get("data-countdown")
    assert page.one("textarea").get("aria-invalid") is None  # nothing is wrong with the text
    assert len(upstream.requests) == 2


def test_when_the_minute_is_over_the_same_form_is_taken(visitor, settings, upstream):
    settings.MESSAGES_PER_MINUTE = 1
    visitor.send("One")
    refused = visitor.send("Two")
    a_minute_later()
    assert (refused.status, visitor.send("Two").status) == (429, 200)
    assert visitor.turns[-1].reply == "You said: Two"


def test_a_refused_first_message_of_a_full_minute_leaves_no_conversation(visitor, settings):
    settings.MESSAGES_PER_MINUTE = 1
    visitor.send("One")
    visitor.begin_a_new_conversation()
    assert visitor.send("Two").status == 429
    assert Turn.objects.count() == 1


def test_each_visitor_has_a_minute_of_their_own(new_visitor, settings):
    settings.MESSAGES_PER_MINUTE = 1
    assert [new_visitor().send("Hello").status for _ in range(3)] == [200, 200, 200]


def test_a_new_conversation_is_no_new_minute(visitor, settings):
    settings.MESSAGES_PER_MINUTE = 1
    visitor.send("One")
    visitor.begin_a_new_conversation()
    assert visitor.send("Two").status == 429


def test_without_a_limit_nothing_is_counted(visitor, settings):
    settings.MESSAGES_PER_MINUTE = 0
    assert [visitor.send("Hello").status for _ in range(25)] == [200] * 25
    assert Allowance.objects.count() == 0


def test_an_invalid_message_does_not_count(visitor, settings):
    settings.MESSAGES_PER_MINUTE = 1
    for _ in range(3):
        visitor.send("")
    assert visitor.send("Hello").status == 200


@pytest.mark.parametrize("way", ["press", "press_live"])
def test_asking_again_counts_too_and_says_how_long_to_wait(way, visitor, settings, upstream):
    settings.MESSAGES_PER_MINUTE = 1
    upstream.will_close()
    page = visitor.send("Hello")
    page = visitor.press("resend") if way == "press" else visitor.press_live("resend", page)
    alert = page.turns[0].alert
    assert (alert.code, alert.controls) == ("NO_ANSWER", ["resend"])
    assert alert.wait == 40
    assert "Wait 40 s." in alert.sentence
    assert len(upstream.requests) == 1
    a_minute_later()
    Turn.objects.update(not_before=timezone.now())
    visitor.open()
    assert visitor.press("resend").turns[0].reply == "You said: Hello"


# --- A bot's day ------------------------------------------------------------------------------------------------------


@pytest.fixture
def thrifty(bot: Bot) -> Bot:
    bot.daily_budget = 2
    bot.save()
    return bot


def tomorrow() -> None:
    Allowance.objects.filter(name__startswith="budget:").update(window=F("window") - 1)
    Turn.objects.filter(not_before__isnull=False).update(not_before=timezone.now())


def test_after_the_days_messages_the_chat_is_closed_and_nothing_is_sent(thrifty, visitor, upstream):
    visitor.send("One")
    visitor.send("Two")
    turn = visitor.send("Three").turns[-1]
    assert (turn.alert.code, turn.alert.controls) == ("BUDGET_SPENT", ["contact"])
    assert turn.alert.sentence == "This chat is closed for today. Your message is kept."
    assert turn.message == "Three"
    assert turn.alert.wait == 12 * 60 * 60 - 20
    assert not visitor.page.all("*[@data-countdown]")
    assert len(upstream.requests) == 2


def test_the_next_day_the_same_message_can_be_sent(thrifty, visitor, upstream):
    for message in ("One", "Two", "Three"):
        visitor.send(message)
    tomorrow()
    assert visitor.open().turns[-1].alert.controls == ["retry", "contact"]
    assert visitor.press("retry").turns[-1].reply == "You said: Three"


def test_the_owner_is_told_once_a_day(thrifty, visitor, caplog):
    def told() -> list[int]:
        return [record.levelno for record in caplog.records if "BUDGET_SPENT" in record.getMessage()]

    for number in range(5):
        visitor.send(f"{number}")
    assert told() == [logging.ERROR, logging.INFO, logging.INFO]
    tomorrow()
    for number in range(3):
        visitor.send(f"{number}")
    assert told()[3:] == [logging.ERROR]


def test_each_bot_has_a_day_of_its_own(thrifty, visitor, upstream):
    Bot.objects.create(slug="shop", name="Shop", daily_budget=1)
    visitor.send("One")
    visitor.send("Two")
    visitor.open("/chat/shop/")
    assert visitor.send("At the shop").turns[0].reply


def test_what_was_never_sent_does_not_count(thrifty, visitor, upstream, settings):
    address, settings.CHAT_BASE_URL = settings.CHAT_BASE_URL, "http://127.0.0.1:9"
    for number in range(4):
        assert visitor.send(f"{number}").turns[-1].alert.code == "UNREACHABLE"
    settings.CHAT_BASE_URL = address
    assert visitor.send("Hello").turns[-1].reply


@pytest.mark.parametrize("arrange", ["will_close", "will_reset"])
def test_what_may_have_arrived_counts(arrange, thrifty, visitor, upstream):
    getattr(upstream, arrange)(times=2)
    visitor.send("One")
    visitor.send("Two")
    assert visitor.send("Three").turns[-1].alert.code == "BUDGET_SPENT"


def test_a_message_that_is_sent_anew_without_its_chat_id_counts_once(thrifty, visitor, upstream):
    visitor.send("One")
    upstream.forget_chats()
    assert visitor.send("Two").turns[-1].notice
    assert Allowance.objects.get(name=f"budget:{thrifty.pk}").used == 2


def test_what_was_reserved_yesterday_is_not_given_back_to_today(thrifty):
    today = limits.reserve(thrifty)
    limits.reserve(thrifty)
    limits.give_back(thrifty, today - datetime.timedelta(days=1))
    with pytest.raises(limits.BudgetSpent):
        limits.reserve(thrifty)
    limits.give_back(thrifty, today)
    limits.reserve(thrifty)


def test_a_budget_that_is_lowered_holds_at_once(thrifty, visitor, upstream):
    visitor.send("One")
    Bot.objects.update(daily_budget=1)
    assert visitor.send("Two").turns[-1].alert.code == "BUDGET_SPENT"


def test_the_day_ends_at_midnight_where_the_site_is(thrifty, settings):
    settings.TIME_ZONE = "Asia/Tokyo"
    limits.reserve(thrifty)
    limits.reserve(thrifty)
    with pytest.raises(limits.BudgetSpent) as refusal:
        limits.reserve(thrifty)
    midnight = timezone.localtime(refusal.value.until)
    assert (midnight.hour, midnight.minute, midnight.second) == (0, 0, 0)
    assert timezone.now() < midnight <= timezone.now() + datetime.timedelta(days=1)
