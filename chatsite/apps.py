"""What the deployment begins with each process: counting and reporting, where the owner wants them."""

from django.apps import AppConfig
from django.conf import settings


class ChatsiteConfig(AppConfig):
    name = "chatsite"

    def ready(self) -> None:
        if settings.METRICS_TOKEN:
            from chatsite import metrics

            metrics.listen()
        if settings.SENTRY_DSN:
            from chatsite import sentry

            sentry.start(settings.SENTRY_DSN, settings.SITE_URL or "here")
