"""The URL of the page "Site", below the desk's own."""

from django.contrib.admin import AdminSite
from django.urls import URLPattern, path

from desk.site_settings import views


def get_urls(site: AdminSite) -> list[URLPattern]:
    return [path("site/", site.admin_view(views.show_site), name="site")]
