"""The kiosk: a bot on a public, unattended screen."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class KioskConfig(AppConfig):
    name = "kiosk"
    verbose_name = _("Kiosks")
