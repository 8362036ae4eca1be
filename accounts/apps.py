"""Signing in to the portal and to the desk: attempts, second factors, sessions. Has no models of its own."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from accounts import checks, sessions, sign_in_log  # noqa: F401 - they register checks and receivers
