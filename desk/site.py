"""The admin site behind the desk: its name, its pages, who is let in, and the order of its navigation."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from accounts import provider
from accounts.forms import DeskSignInForm
from accounts.views import PasswordChangeView, SignInView
from desk.access import guard, unsent
from desk.access.scoping import scoped, view_on_site
from desk.inbox import urls as inbox
from desk.language import in_own_language
from desk.overview import page
from desk.privacy import urls as privacy
from desk.setup import urls as setup
from desk.site_settings import urls as site_settings
from desk.statistics import urls as statistics
from desk.teaching import urls as teaching
from desk.team import urls as team

# The navigation's groups, each with the models whose lists are in it; those not named follow at the end.
GROUPS = (
    ("visitors", _("Visitors"), ("Conversation", "Handover", "Customer", "User")),
    ("bots", _("Bots"), ("Bot", "Device", "IdentityKey")),
    ("site", _("This site"), ("Alarm", "LogEntry")),
)
INSIDE = ("docbot",)  # its pages stand inside those of the bot that it answers for
NAMES = {"User": _("Customers’ accounts"), "LogEntry": _("Audit trail")}


class DeskSite(admin.AdminSite):
    site_header = _("Desk")
    site_title = _("Desk")
    index_title = _("Desk")
    empty_value_display = "–"

    def admin_view(self, view: Callable[..., HttpResponse], cacheable: bool = False) -> Callable[..., HttpResponse]:
        @wraps(view)
        def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
            return guard.check_access(request) or view(request, *args, **kwargs)

        return in_own_language(unsent.keep_form(super().admin_view(guarded, cacheable)))

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        super().register(model_or_iterable, scoped(admin_class or admin.ModelAdmin), **options)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        if request.method == "GET" and self.has_permission(request):
            return HttpResponseRedirect(reverse("admin:index"))
        context = self.each_context(request) | {"title": _("Log in"), "app_path": request.get_full_path()}
        context["provider"] = provider.staff_provider_name()
        context["has_passkeys"] = Authenticator.objects.filter(type=Authenticator.Type.WEBAUTHN).exists()
        view = SignInView.as_view(
            template_name="admin/login.html",
            authentication_form=DeskSignInForm,
            next_page="admin:index",
            extra_context=context | (extra_context or {}),
        )
        return in_own_language(never_cache(view))(request)

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Use our view: Django's names a class of its own here."""
        view = PasswordChangeView.as_view(
            success_url=reverse("admin:password_change_done"),
            extra_context=self.each_context(request) | (extra_context or {}),
        )
        return never_cache(view)(request)

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return super().index(request, page.context_of(request) | (extra_context or {}))

    def app_index(
        self, request: HttpRequest, app_label: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return HttpResponseRedirect(reverse("admin:index"))  # the navigation lists an app's models already

    def get_urls(self) -> list[URLPattern | URLResolver]:
        return [
            *inbox.get_urls(self),
            *privacy.get_urls(self),
            *setup.get_urls(self),
            *site_settings.get_urls(self),
            *statistics.get_urls(self),
            *teaching.get_urls(self),
            *team.get_urls(self),
            path("before-sending/", self.admin_view(unsent.before_sending), name="before_sending"),
            path("send-selected/", self.admin_view(unsent.send_selected), name="send_selected"),
            path("r/<int:content_type_id>/<int:object_id>/", self.admin_view(view_on_site), name="view_on_site"),
            *super().get_urls(),
        ]

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[dict[str, Any]]:
        """Return the lists that the account may see, in the navigation's groups instead of Django's apps."""
        apps = [app for app in super().get_app_list(request, app_label) if app["app_label"] not in INSIDE]
        models = {model["object_name"]: model for app in apps for model in app["models"]}
        for name, model in models.items():
            model["name"] = NAMES.get(name, model["name"])
            model["also"] = reverse("admin:app_list", args=INSIDE) if name == "Bot" else ""
        groups = [
            {"app_label": label, "name": title, "models": [models.pop(name) for name in names if name in models]}
            for label, title, names in GROUPS
        ]
        groups[-1]["models"] += models.values()
        return groups
