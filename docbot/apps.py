"""The app docbot: a self-hosted implementation of chat-api.md."""

from django.apps import AppConfig


class DocbotConfig(AppConfig):
    name = "docbot"
    verbose_name = "docbot"

    def ready(self) -> None:
        from docbot import checks  # noqa: F401 - registers itself
