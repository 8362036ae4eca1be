"""The kiosk: a bot on an unattended screen that strangers share."""

from django.apps import AppConfig


class KioskConfig(AppConfig):
    name = "kiosk"
    verbose_name = "Kiosks"
