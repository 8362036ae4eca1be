"""The app portal: signed-in customers and their conversations."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PortalConfig(AppConfig):
    name = "portal"
    verbose_name = _("Portal")

    def ready(self) -> None:
        from portal import signing_in  # noqa: F401 - connects signal receivers
