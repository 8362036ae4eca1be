"""Message credits, and bots without a limit (chat-api.md, section 3)."""

from docbot.models import State, TrainedBot


def test_unlimited_credits_are_never_counted(bot, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert bot.spend_credit()


def test_credits_made_unlimited_in_the_meantime_stay_unlimited(bot):
    TrainedBot.objects.update(credits=1)
    bot.refresh_from_db()
    TrainedBot.objects.update(credits=None)
    assert bot.spend_credit()
    bot.refresh_from_db()
    assert bot.credits is None


def test_credits_are_spent_until_none_is_left(bot):
    TrainedBot.objects.update(credits=2)
    bot.refresh_from_db()
    assert [bot.spend_credit() for _ in range(3)] == [True, True, False]  # as for simultaneous requests
    bot.refresh_from_db()
    assert (bot.credits, bot.state) == (0, State.NO_CREDITS)
