"""Connects signal receivers in each process and starts metrics and error reports if configured."""

from django.apps import AppConfig
from django.conf import settings
from django.db.models.signals import post_save


class ChatsiteConfig(AppConfig):
    name = "chatsite"

    def ready(self) -> None:
        from chatsite import default_bot
        from docbot.training.training import trained

        trained.connect(default_bot.update_texts)
        post_save.connect(default_bot.update_texts, sender="webchat.Bot")
        if settings.METRICS_TOKEN:
            from chatsite import metrics

            metrics.connect()
        if settings.SENTRY_DSN:
            from chatsite import sentry

            sentry.start(settings.SENTRY_DSN, settings.SITE_URL or "here")
