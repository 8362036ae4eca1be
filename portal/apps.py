"""The app portal: signed-in customers and their conversations."""

from django.apps import AppConfig


class PortalConfig(AppConfig):
    name = "portal"
    verbose_name = "Portal"

    def ready(self) -> None:
        from portal import signing_in  # noqa: F401 - connects signal receivers
