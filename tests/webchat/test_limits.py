"""Limits: a visitor's messages a minute and a bot's a day; a refusal keeps the text and costs no credit."""

import datetime
import logging
import uuid
from collections.abc import Iterable

import pytest
from django.contrib.sessions.models import Session
from django.db import DatabaseError, transaction
from django.db.models import F
from django.utils import timezone

from tests.webchat.visitor import Visitor
from webchat.limits import budget, rates
from webchat.models import Allowance, Bot, Conversation, Turn

pytestmark = pytest.mark.usefixtures("clock_at_noon", "bot", "upstream")


def pass_a_minute() -> None:
    Allowance.objects.exclude(name__startswith="budget:").update(window=F("window") - 1)


@pytest.mark.parametrize("way", ["send", "send_live"])
def test_one_message_too_many_is_refused_with_the_text_kept_and_a_countdown_until_it_is_accepted(
    way, visitor, upstream, settings
):
    settings.MESSAGES_PER_MINUTE = 2
    visitor.send("One")
    visitor.send("Two")
    page = getattr(visitor, way)("Three")
    assert (page.status, page.typed, page.refusal.code) == (429, "Three", "RATE_LIMITED")
    assert page.refusal.wait == 40
    assert page.response["Retry-After"] == "40"
    assert page.refusal.sentence.endswith("in 40 seconds.")
    assert "#" in page.one("*[@data-countdown]").get("data-countdown")
    assert page.one("textarea").get("aria-invalid") is None  # the text itself is valid
    assert len(upstream.requests) == 2
    pass_a_minute()
    assert getattr(visitor, way)("Three").turns[-1].reply == "You said: Three"


@pytest.mark.parametrize("way", ["press", "press_live"])
def test_asking_again_counts_too_and_says_how_long_to_wait(way, visitor, settings, upstream):
    settings.MESSAGES_PER_MINUTE = 1
    upstream.will_close()
    page = visitor.send("Hello")
    page = visitor.press("resend") if way == "press" else visitor.press_live("resend", page)
    alert = page.turns[0].alert
    assert (alert.code, alert.controls) == ("NO_ANSWER", ["resend"])
    assert alert.wait == 40
    assert "Try again in 40 s." in alert.sentence
    assert len(upstream.requests) == 1
    pass_a_minute()
    Turn.objects.update(not_before=timezone.now())
    visitor.open()
    assert visitor.press("resend").turns[0].reply == "You said: Hello"


OFFICE, ELSEWHERE = "198.51.100.7", "198.51.100.8"
IN_FRAME = {"Sec-Fetch-Site": "same-origin"}


def visitor_from(ip: str) -> Visitor:
    visitor = Visitor()
    visitor.client.defaults["REMOTE_ADDR"] = ip
    return visitor


def test_a_few_strangers_a_minute_from_one_ip_are_let_in(settings, upstream):
    settings.ADDRESS_MESSAGES_PER_MINUTE = 30
    strangers = [visitor_from(OFFICE) for _ in range(5)]
    pages = [stranger.send("Hello") for stranger in strangers]
    assert [page.status for page in pages] == [200, 200, 200, 429, 429]
    assert pages[3].refusal.sentence.startswith("A lot of messages are coming from your network.")
    assert (pages[3].typed, pages[3].refusal.code) == ("Hello", "RATE_LIMITED")
    assert visitor_from(ELSEWHERE).send("Hello").status == 200
    assert len(upstream.requests) == 4
    assert not [name for name in Allowance.objects.values_list("name", flat=True) if OFFICE in name]


def test_a_stranger_who_is_refused_leaves_no_data_behind(settings, monkeypatch):
    settings.ADDRESS_MESSAGES_PER_MINUTE = settings.REQUESTS_PER_HOUR = 1
    monkeypatch.setattr("webchat.handover.queue.has_people", lambda bot: True)
    Bot.objects.update(handover=True, people_answer=True)
    visitor_from(OFFICE).send_live("Hello")
    Allowance.objects.filter(name__startswith="from:").update(used=1)
    asked = {"email": "jo@example.com", "message": "Call me."}
    url = "/embed/help/person/send"  # a frame needs no cookie
    sent = [visitor_from(OFFICE).client.post(url, asked | {"key": uuid.uuid4()}, headers=IN_FRAME) for _ in range(4)]
    assert {each.status_code for each in sent} == {200}
    rows = [model.objects.count() for model in (Session, Conversation, Turn)]
    for _ in range(3):
        assert visitor_from(OFFICE).send_live("Hello").status == 429
        stranger = visitor_from(OFFICE)
        assert b"RATE_LIMITED" in stranger.client.post("/embed/help/person/join", headers=IN_FRAME).content
        assert stranger.client.post(url, asked | {"key": uuid.uuid4()}, headers=IN_FRAME).status_code == 422
    assert [model.objects.count() for model in (Session, Conversation, Turn)] == rows


def test_known_visitors_of_an_office_are_not_locked_out(settings):
    settings.ADDRESS_MESSAGES_PER_MINUTE = 30
    colleagues = [visitor_from(OFFICE) for _ in range(3)]
    for colleague in colleagues:
        colleague.send_live("Hello")
    pass_a_minute()
    assert [colleague.send_live("More").status for colleague in colleagues * 3] == [200] * 9


def test_a_message_refused_to_one_visitor_does_not_count_for_the_office(settings):
    settings.MESSAGES_PER_MINUTE, settings.ADDRESS_MESSAGES_PER_MINUTE = 1, 21
    flood, colleague = visitor_from(OFFICE), visitor_from(OFFICE)
    flood.send_live("One")
    colleague.send_live("Hello")
    assert [flood.send_live("More").status for _ in range(5)] == [429] * 5
    assert Allowance.objects.get(name__startswith="from:").used == 20


@pytest.mark.parametrize("way", ["send", "send_live"])
def test_a_visitor_can_start_only_so_many_conversations_a_day(way, visitor, settings, upstream):
    settings.CONVERSATIONS_PER_DAY = 2
    for _ in range(2):
        visitor.send("Hello")
        visitor.send("Go on")
        visitor.begin_a_new_conversation()
    page = getattr(visitor, way)("Once more")
    assert (page.status, page.typed, page.refusal.code) == (429, "Once more", "CONVERSATIONS_SPENT")
    assert page.refusal.sentence == "You’ve started a lot of conversations today. You can start another one tomorrow."
    assert page.response["Retry-After"] == f"{12 * 60 * 60 - 20}"
    assert page.one("textarea").get("aria-invalid") is None
    assert len(upstream.requests) == 4
    Allowance.objects.filter(name__startswith="conversations:").update(window=F("window") - 1)
    assert visitor.send("Once more").turns[-1].reply == "You said: Once more"


def count_messages(monkeypatch: pytest.MonkeyPatch, *seconds: int) -> list[bool]:
    """Return which messages of one visitor are accepted, at two a minute, at these times of this machine's clock."""
    noon = timezone.now()
    taken = []
    for each in seconds:
        monkeypatch.setattr(timezone, "now", lambda each=each: noon + datetime.timedelta(seconds=each))
        try:
            with transaction.atomic():
                rates.count_message("somebody")
            taken.append(True)
        except rates.TooManyMessages:
            taken.append(False)
    return taken


def test_two_machines_whose_clocks_differ_share_one_minute_and_one_that_jumped_far_ahead_locks_nobody_out(
    settings, monkeypatch
):
    settings.MESSAGES_PER_MINUTE = 2
    assert count_messages(monkeypatch, 60, 0, 60, 0, 60) == [True, True, False, False, False]
    Allowance.objects.all().delete()
    year = 365 * 24 * 60 * 60
    assert count_messages(monkeypatch, year, year, year, 0, 0, 0) == [True, True, False, True, True, False]


@pytest.fixture
def bot_with_budget(bot: Bot) -> Bot:
    bot.daily_budget = 2
    bot.save()
    return bot


def pass_a_day() -> None:
    Allowance.objects.filter(name__startswith="budget:").update(window=F("window") - 1)
    Turn.objects.filter(not_before__isnull=False).update(not_before=timezone.now())


def test_when_the_days_messages_are_used_up_the_chat_is_closed_until_the_next_day(bot_with_budget, visitor, upstream):
    visitor.send("One")
    visitor.send("Two")
    turn = visitor.send("Three").turns[-1]
    assert (turn.alert.code, turn.alert.controls) == ("BUDGET_SPENT", ["contact"])
    sentence, _, when = turn.alert.sentence.partition(" Try again on ")
    assert sentence == "This chat is closed for today. Your message is kept."
    assert when.endswith(" at midnight UTC.")
    assert turn.message == "Three"
    assert turn.alert.wait == 12 * 60 * 60 - 20
    assert not visitor.page.all("*[@data-countdown]")
    assert len(upstream.requests) == 2
    pass_a_day()
    assert visitor.open().turns[-1].alert.controls == ["retry", "contact"]
    assert visitor.press("retry").turns[-1].reply == "You said: Three"


def test_the_owner_is_told_once_a_day(bot_with_budget, visitor, caplog):
    def log_levels() -> list[int]:
        return [record.levelno for record in caplog.records if "BUDGET_SPENT" in record.getMessage()]

    for number in range(5):
        visitor.send(f"{number}")
    assert log_levels() == [logging.ERROR, logging.INFO, logging.INFO]
    pass_a_day()
    for number in range(3):
        visitor.send(f"{number}")
    assert log_levels()[3:] == [logging.ERROR]


def test_a_message_that_was_never_sent_does_not_count(bot_with_budget, visitor, upstream, settings):
    base_url, settings.CHAT_BASE_URL = settings.CHAT_BASE_URL, "http://127.0.0.1:9"
    for number in range(4):
        assert visitor.send(f"{number}").turns[-1].alert.code == "UNREACHABLE"
    settings.CHAT_BASE_URL = base_url
    assert visitor.send("Hello").turns[-1].reply


@pytest.mark.parametrize("arrange", ["will_close", "will_reset"])
def test_a_message_that_may_have_arrived_counts(arrange, bot_with_budget, visitor, upstream):
    getattr(upstream, arrange)(times=2)
    visitor.send("One")
    visitor.send("Two")
    assert visitor.send("Three").turns[-1].alert.code == "BUDGET_SPENT"


def test_yesterdays_reservation_is_not_given_back_today(bot_with_budget):
    today = budget.reserve(bot_with_budget)
    budget.reserve(bot_with_budget)
    budget.give_back(bot_with_budget, today - datetime.timedelta(days=1))
    with pytest.raises(budget.BudgetSpent):
        budget.reserve(bot_with_budget)
    budget.give_back(bot_with_budget, today)
    budget.reserve(bot_with_budget)


def test_the_day_ends_at_midnight_in_the_sites_time_zone(bot_with_budget, settings):
    settings.TIME_ZONE = "Asia/Tokyo"
    budget.reserve(bot_with_budget)
    budget.reserve(bot_with_budget)
    with pytest.raises(budget.BudgetSpent) as refusal:
        budget.reserve(bot_with_budget)
    midnight = timezone.localtime(refusal.value.until)
    assert (midnight.hour, midnight.minute, midnight.second) == (0, 0, 0)
    assert timezone.now() < midnight <= timezone.now() + datetime.timedelta(days=1)


@pytest.mark.parametrize("way", ["send", "send_live"])
def test_a_message_that_cannot_be_counted_is_refused_with_the_text_kept(way, visitor, upstream, monkeypatch):
    def away(*_: object) -> bool:
        raise DatabaseError

    visitor.open()
    with monkeypatch.context() as broken:
        broken.setattr(rates, "spend", away)
        page = getattr(visitor, way)("Hello")
    assert (page.status, page.typed, page.refusal.code) == (503, "Hello", "NOT_COUNTED")
    assert page.refusal.sentence == "The bot can’t answer right now. Your message is kept."
    assert page.response["Retry-After"] == "5"
    assert Turn.objects.count() == 0
    assert visitor.send("Hello").turns[0].reply == "You said: Hello"


def test_a_turn_that_cannot_be_counted_is_not_sent(bot_with_budget, visitor, upstream, monkeypatch):
    """Patched because the database can't be broken for one table alone."""

    def spend(counted: Iterable[rates.Limit], *_: object) -> bool:
        if any("budget" in each.name for each in counted):
            raise DatabaseError
        return True

    with monkeypatch.context() as broken:
        broken.setattr(budget, "spend", spend)
        page = visitor.send("Hello")
    assert (page.turns[0].message, page.turns[0].alert.code) == ("Hello", "NOT_COUNTED")
    assert page.turns[0].alert.sentence == "The bot can’t answer right now. Your message is kept."
    assert upstream.requests == []
    assert visitor.press("retry").turns[0].reply == "You said: Hello"


def test_asking_again_counts_for_the_ip_too(settings, upstream):
    settings.ADDRESS_MESSAGES_PER_MINUTE = 10
    upstream.will_close()
    visitor = visitor_from(OFFICE)
    visitor.send("Hello")
    assert visitor.press("resend").turns[0].alert.wait == 40
    assert len(upstream.requests) == 1


def test_a_message_sent_again_without_its_chat_id_counts_once(bot_with_budget, visitor, upstream):
    visitor.send("One")
    upstream.forget_chats()
    assert visitor.send("Two").turns[-1].notice
    assert Allowance.objects.get(name=f"budget:{bot_with_budget.pk}").used == 2
