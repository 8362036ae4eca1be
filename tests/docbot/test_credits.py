"""Trial, credits and the states of a bot (chat-api.md, sections 3 and 8)."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from docbot.models import Document, Passage, State, TrainedBot


@pytest.fixture
def bot(db) -> TrainedBot:
    bot = TrainedBot.objects.create(slug="help", name="Help")
    document = Document.objects.create(trained_bot=bot, kind=Document.Kind.UPLOAD, location="a.md")
    Passage.objects.create(document=document, position=0, text="We open at nine.")
    return bot


def test_a_trained_bot_is_online(bot):
    assert bot.state == State.ONLINE


def test_a_bot_without_passages_is_not_trained_yet(bot):
    Document.objects.all().delete()
    assert bot.state == State.NOT_TRAINED


def test_a_bot_that_is_switched_off_is_offline_and_comes_back(bot):
    TrainedBot.objects.update(enabled=False)
    assert TrainedBot.objects.get().state == State.SWITCHED_OFF
    TrainedBot.objects.update(enabled=True)
    assert TrainedBot.objects.get().state == State.ONLINE


def test_a_trial_lasts_14_days_and_holds_200_credits(bot):
    before = timezone.now()
    bot.start_trial()
    bot.refresh_from_db()
    assert bot.credits == 200
    assert timedelta(days=14) <= bot.trial_ends_at - before < timedelta(days=14, minutes=1)
    assert bot.state == State.ONLINE


def test_a_trial_that_is_over_takes_the_bot_offline_and_leaves_no_credits(bot):
    bot.start_trial()
    TrainedBot.objects.update(trial_ends_at=timezone.now())
    bot.refresh_from_db()
    assert bot.state == State.TRIAL_OVER
    assert bot.credits_left == 0
    assert bot.documents.count() == 1  # what it was trained on stays


def test_ending_the_trial_for_good_brings_the_bot_back_without_a_limit(bot):
    bot.start_trial()
    TrainedBot.objects.update(trial_ends_at=timezone.now(), credits=0)
    bot.refresh_from_db()
    bot.end_trial()
    bot.refresh_from_db()
    assert (bot.state, bot.credits_left) == (State.ONLINE, None)


def test_a_credit_is_spent_until_none_is_left(bot):
    TrainedBot.objects.update(credits=2)
    bot.refresh_from_db()
    assert [bot.spend_credit() for _ in range(3)] == [True, True, False]
    bot.refresh_from_db()
    assert (bot.credits, bot.state) == (0, State.NO_CREDITS)


def test_unlimited_credits_are_never_counted(bot, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert bot.spend_credit()


def test_credits_that_were_made_unlimited_in_the_meantime_stay_so(bot):
    TrainedBot.objects.update(credits=1)
    bot.refresh_from_db()
    TrainedBot.objects.update(credits=None)
    assert bot.spend_credit()
    bot.refresh_from_db()
    assert bot.credits is None


def test_many_at_once_never_spend_more_than_there_is(database_on_disk):
    made = TrainedBot.objects.create(slug="busy", name="Busy", credits=7)

    def spend(_: int) -> bool:
        try:
            return TrainedBot.objects.get(pk=made.pk).spend_credit()
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        spent = list(pool.map(spend, range(24)))
    made.refresh_from_db()
    assert (spent.count(True), made.credits) == (7, 0)
