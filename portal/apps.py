"""Registers the portal."""

from django.apps import AppConfig


class PortalConfig(AppConfig):
    name = "portal"
    verbose_name = "Portal"

    def ready(self) -> None:
        from portal import signing_in  # noqa: F401 - listens to sign-ins, once the models are there
