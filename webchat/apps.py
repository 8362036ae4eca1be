"""Registers the system checks."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class WebchatConfig(AppConfig):
    name = "webchat"
    verbose_name = _("Chat")

    def ready(self) -> None:
        from webchat import checks  # noqa: F401 - registers itself, once the models are there
        from webchat.conversation import erasure  # noqa: F401 - the same
