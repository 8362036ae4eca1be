"""The kiosk: a bot on a public, unattended screen."""

from django.apps import AppConfig


class KioskConfig(AppConfig):
    name = "kiosk"
    verbose_name = "Kiosks"
