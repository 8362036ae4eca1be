"""The URLs of the insights, below the desk's own."""

from django.contrib.admin import AdminSite
from django.urls import URLPattern, path

from desk.statistics import views


def get_urls(site: AdminSite) -> list[URLPattern]:
    guarded = site.admin_view
    return [
        path("insights/", guarded(views.show_insights), name="insights"),
        path("insights/people.csv", guarded(views.people_as_csv), name="insights_people_csv"),
        path("insights/<slug:name>.svg", guarded(views.picture), name="insights_picture"),
        path("insights/<slug:name>.csv", guarded(views.figures_as_csv), name="insights_csv"),
    ]
