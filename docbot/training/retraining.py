"""Has bots read their websites and folders again, daily or weekly, as their owners have chosen."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Q
from django.utils import timezone

from docbot.models import ReadsAgain, TrainedBot
from docbot.training.launching import launch

INTERVALS = {ReadsAgain.DAILY: timedelta(days=1), ReadsAgain.WEEKLY: timedelta(days=7)}


def read_again() -> None:
    """Periodic task: start the trainings that are due, each once; a bot that is being trained waits for the next."""
    now = timezone.now()
    for choice, interval in INTERVALS.items():
        due = Q(read_again_at=None) | Q(read_again_at__lte=now - interval)
        for trained_bot in TrainedBot.objects.filter(due, reads_again=choice):
            run = trained_bot.runs.first()
            if not (run and run.is_running) and trained_bot.documents.exclude(origin="").exists():
                TrainedBot.objects.filter(pk=trained_bot.pk).update(read_again_at=now)
                launch(trained_bot)
