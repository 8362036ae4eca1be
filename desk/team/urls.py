"""The URLs of the team's pages, below the desk's own."""

from django.contrib.admin import AdminSite
from django.urls import URLPattern, path

from desk.language import in_own_language
from desk.team import joining, views


def get_urls(site: AdminSite) -> list[URLPattern]:
    guarded = site.admin_view
    return [
        path("team/", guarded(views.show_team), name="team"),
        path("team/invite/", guarded(views.invite), name="team_invite"),
        path("team/<int:pk>/", guarded(views.member), name="team_member"),
        path("team/invitations/<int:pk>/withdraw/", guarded(views.withdraw), name="team_withdraw"),
        path("team/join/<str:token>/", in_own_language(joining.join), name="team_join"),
    ]
