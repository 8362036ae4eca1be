"""The desk: the owner's pages for bots and conversations, built on Django's admin."""

from django.apps import AppConfig
from django.contrib.admin import apps as admin
from django.utils.translation import gettext_lazy as _


class DeskConfig(AppConfig):
    name = "desk"
    verbose_name = _("Desk")
    default = True

    def ready(self) -> None:
        from desk.access import audit, sign_ins  # noqa: F401 - connect signal receivers


class DeskAdminConfig(admin.AdminConfig):
    """Replaces `django.contrib.admin` in INSTALLED_APPS, so that every registered model appears on the desk."""

    default = False
    default_site = "desk.site.DeskSite"
