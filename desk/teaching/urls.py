"""The URLs of the pages for teaching, below the desk's own."""

from django.contrib.admin import AdminSite
from django.urls import URLPattern, path

from desk.teaching import views


def of(site: AdminSite) -> list[URLPattern]:
    guarded = site.admin_view
    return [
        path("teach/", guarded(views.show_list), name="teach"),
        path("teach/questions.csv", guarded(views.questions_as_csv), name="teach_csv"),
        path("teach/<int:turn>/", guarded(views.question), name="teach_question"),
        path("teach/<int:turn>/done/", guarded(views.done), name="teach_done"),
        path("teach/taught/<int:pk>/take-back/", guarded(views.take_back), name="teach_take_back"),
    ]
