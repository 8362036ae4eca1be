"""The URLs of the pages for teaching, below the desk's own."""

from django.contrib.admin import AdminSite
from django.urls import URLPattern, path

from desk.teaching import taught, views


def get_urls(site: AdminSite) -> list[URLPattern]:
    guarded = site.admin_view
    return [
        path("teach/", guarded(views.show_list), name="teach"),
        path("teach/questions.csv", guarded(views.questions_as_csv), name="teach_csv"),
        path("teach/<int:turn>/", guarded(views.question), name="teach_question"),
        path("teach/<int:turn>/done/", guarded(views.done), name="teach_done"),
        path("teach/taught/", guarded(taught.show_list), name="teach_taught"),
        path("teach/taught/<int:pk>/", guarded(taught.answer), name="teach_answer"),
        path("teach/taught/<int:pk>/take-back/", guarded(taught.take_back), name="teach_take_back"),
        path("teach/taught/<int:pk>/delete/", guarded(taught.delete), name="teach_delete"),
    ]
