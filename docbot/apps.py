"""docbot as a Django app: the service of chat-api.md, self-hosted."""

from django.apps import AppConfig


class DocbotConfig(AppConfig):
    name = "docbot"
    verbose_name = "docbot"

    def ready(self) -> None:
        from docbot import checks  # noqa: F401 - registers itself
