"""API keys: created, shown once, revoked, and limited in rate."""

import hashlib
from datetime import timedelta

import pytest
from django.utils import timezone

from docbot.endpoint import keys
from docbot.models import ApiKey, TrainedBot

pytestmark = pytest.mark.django_db


@pytest.fixture
def help_bot() -> TrainedBot:
    return TrainedBot.objects.create(slug="help", name="Help")


def test_the_plain_key_is_never_stored(help_bot):
    key, plain = keys.issue(help_bot, "website")
    row = ApiKey.objects.filter(pk=key.pk).values().get()
    assert plain not in str(row)
    assert row["digest"] == hashlib.sha256(plain.encode()).hexdigest()
    assert plain.startswith(row["prefix"])
    assert len(plain) - len(row["prefix"]) >= 38


def test_registering_a_key_again_makes_it_valid_again_but_never_another_bots(help_bot):
    first = keys.register(help_bot, "this site", "made elsewhere")
    assert first == keys.register(help_bot, "this site", "made elsewhere") == keys.find("made elsewhere")
    assert ApiKey.objects.count() == 1
    first.revoke()
    assert keys.find("made elsewhere") is None
    keys.register(help_bot, "this site", "made elsewhere")
    with pytest.raises(ValueError, match="another bot"):
        keys.register(TrainedBot.objects.create(slug="other", name="Other"), "this site", "made elsewhere")
    assert keys.find("made elsewhere").trained_bot == help_bot


def test_the_last_use_is_written_at_most_once_a_minute(help_bot, django_assert_num_queries):
    key, plain = keys.issue(help_bot, "website")
    assert keys.find(plain).use(0) == 0
    used = keys.find(plain).last_used_at
    assert used is not None
    again = keys.find(plain)
    with django_assert_num_queries(0):
        again.use(0)
    ApiKey.objects.filter(pk=key.pk).update(last_used_at=timezone.now() - timedelta(minutes=2))
    keys.find(plain).use(0)
    assert keys.find(plain).last_used_at >= used


def test_a_refused_request_does_not_extend_the_wait_after_which_the_key_is_accepted_again(help_bot):
    key, plain = keys.issue(help_bot, "website")
    for _ in range(5):
        keys.find(plain).use(5)
    waits = [keys.find(plain).use(5) for _ in range(20)]
    assert all(0 < wait <= 12 for wait in waits)
    ApiKey.objects.filter(pk=key.pk).update(due=keys.find(plain).due - 12)  # as if 12 seconds had passed
    assert keys.find(plain).use(5) == 0
    assert keys.find(plain).use(5) > 0
