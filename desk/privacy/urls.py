"""The URL of the page "A visitor's data", below the desk's own."""

from django.contrib.admin import AdminSite
from django.urls import URLPattern, path

from desk.privacy import views


def get_urls(site: AdminSite) -> list[URLPattern]:
    return [path("visitor/", site.admin_view(views.visitor_data), name="visitor_data")]
