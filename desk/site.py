"""The admin site behind the desk: its name, language, access checks and navigation order."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils import translation
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

ORDER = ("webchat", "desk", "kiosk", "portal")  # most used first; unlisted apps follow
INSIDE = ("docbot",)  # its pages stand inside those of the bot that it answers for
LAST = ("auth", "admin")
ENGLISH = "en-gb"  # date formats: chatsite/formats/en_GB; visitors' pages use "en"
NAMES = {"auth": _("Accounts"), "User": _("Customers’ accounts"), "admin": _("Trail"), "LogEntry": _("Audit trail")}


class DeskSite(admin.AdminSite):
    site_header = _("Desk")
    site_title = _("Desk")
    index_title = _("Desk")

    def admin_view(self, view: Callable[..., HttpResponse], cacheable: bool = False) -> Callable[..., HttpResponse]:
        from desk import access  # needs the models

        @wraps(view)
        def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
            return access.check_access(request) or view(request, *args, **kwargs)

        return in_own_language(super().admin_view(guarded, cacheable))

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        from desk.scoping import scoped  # needs the models

        super().register(model_or_iterable, scoped(admin_class or admin.ModelAdmin), **options)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        from accounts.forms import DeskSignInForm  # needs the models
        from accounts.views import SignInView

        if request.method == "GET" and self.has_permission(request):
            return HttpResponseRedirect(reverse("admin:index"))
        context = self.each_context(request) | {"title": _("Log in"), "app_path": request.get_full_path()}
        view = SignInView.as_view(
            template_name="admin/login.html",
            authentication_form=DeskSignInForm,
            next_page="admin:index",
            extra_context=context | (extra_context or {}),
        )
        return in_own_language(never_cache(view))(request)

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        from desk.overview import page  # needs the models

        return super().index(request, page.context_of(request) | (extra_context or {}))

    def app_index(
        self, request: HttpRequest, app_label: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return HttpResponseRedirect(reverse("admin:index"))  # the navigation lists an app's models already

    def get_urls(self) -> list[URLPattern | URLResolver]:
        from desk import views  # needs the models
        from desk.inbox import urls as inbox
        from desk.setup import urls as setup
        from desk.teaching import urls as teaching
        from desk.team import urls as team

        return [
            *inbox.of(self),
            *setup.of(self),
            *teaching.of(self),
            *team.of(self),
            path("r/<int:content_type_id>/<int:object_id>/", self.admin_view(views.view_on_site), name="view_on_site"),
            path("insights/", self.admin_view(views.show_insights), name="insights"),
            path("insights/people.csv", self.admin_view(views.people_as_csv), name="insights_people_csv"),
            path("insights/<slug:name>.svg", self.admin_view(views.picture), name="insights_picture"),
            path("insights/<slug:name>.csv", self.admin_view(views.figures_as_csv), name="insights_csv"),
            *super().get_urls(),
        ]

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[dict[str, Any]]:
        apps = sorted(super().get_app_list(request, app_label), key=_app_order)
        apps = [app for app in apps if app["app_label"] not in INSIDE]
        for app in apps:
            app["name"] = NAMES.get(app["app_label"], app["name"])
            for model in app["models"]:
                model["name"] = NAMES.get(model["object_name"], model["name"])
        return apps


def in_own_language(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Render the view in the language that its reader has chosen, else in the browser's."""
    from webchat import languages  # needs the models

    @wraps(view)
    def wrapped(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        languages.activate_language(request)
        language = translation.get_language()
        with translation.override(ENGLISH if language == settings.LANGUAGE_CODE else language):
            response = view(request, *args, **kwargs)
            if hasattr(response, "render"):
                response.render()
        languages.remember(request, response)
        return response

    return wrapped


def _app_order(app: dict[str, Any]) -> tuple[int, str]:
    label = app["app_label"]
    if label in ORDER:
        return ORDER.index(label), ""
    return len(ORDER) + (LAST.index(label) + 1 if label in LAST else 0), label
