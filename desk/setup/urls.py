"""The URLs of the set-up, below the desk's own."""

from django.contrib.admin import AdminSite
from django.urls import URLPattern, path

from desk.language import in_own_language
from desk.setup import login, views
from desk.setup.steps import TITLES


def get_urls(site: AdminSite) -> list[URLPattern]:
    guarded = site.admin_view
    return [
        path("setup/", guarded(views.start), name="setup"),
        path("setup/login/<str:token>/", in_own_language(login.make_login), name="setup_login"),
        *(
            path(f"setup/<slug:slug>/{step}/", guarded(views.STEPS[step]), {"step": step}, name=f"setup_{step}")
            for step in TITLES
        ),
        path("webchat/bot/<slug:slug>/website/", guarded(views.website), name="setup_website"),
        path("setup/<slug:slug>/preview/", guarded(views.preview), name="setup_preview"),
    ]
