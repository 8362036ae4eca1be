"""Credits without a limit (chat-api.md, section 3)."""

from docbot.models import TrainedBot


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
