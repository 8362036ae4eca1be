"""Connects signal receivers in each process and starts metrics and error reports if configured."""

from django.apps import AppConfig
from django.conf import settings
from django.db.models.signals import post_save


class ChatsiteConfig(AppConfig):
    name = "chatsite"

    def ready(self) -> None:
        from chatsite import default_bot
        from desk.setup import steps
        from docbot.training.training import trained

        trained.connect(default_bot.update_texts)
        trained.connect(steps.suggest_texts)  # after update_texts, which removes the demo's questions
        post_save.connect(default_bot.update_texts, sender="webchat.Bot")
        if settings.METRICS_TOKEN:
            from chatsite.monitoring import metrics

            metrics.connect()
        if settings.SENTRY_DSN:
            from chatsite.monitoring import sentry

            sentry.start(settings.SENTRY_DSN, settings.SITE_URL or "here")
