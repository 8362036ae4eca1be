"""The desk: what owners see of their bots and of what was said to them, on top of Django's admin."""

from django.apps import AppConfig
from django.contrib.admin import apps as admin


class DeskConfig(AppConfig):
    name = "desk"
    verbose_name = "Desk"
    default = True

    def ready(self) -> None:
        from desk import sign_ins  # noqa: F401 - listens to sign-ins


class DeskAdminConfig(admin.AdminConfig):
    """In INSTALLED_APPS instead of `django.contrib.admin`: whatever any app registers stands on the desk."""

    default = False
    default_site = "desk.site.DeskSite"
