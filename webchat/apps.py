"""Registers the system checks."""

from django.apps import AppConfig


class WebchatConfig(AppConfig):
    name = "webchat"
    verbose_name = "Chat"

    def ready(self) -> None:
        from webchat import checks  # noqa: F401 - registers itself, once the models are there
