"""The URLs of the inbox, below the desk's own."""

from django.contrib.admin import AdminSite
from django.urls import URLPattern, path

from desk.inbox import settings_views, views


def get_urls(site: AdminSite) -> list[URLPattern]:
    guarded = site.admin_view
    return [
        path("inbox/", guarded(views.show_inbox), name="inbox"),
        path("inbox/availability/", guarded(views.set_availability), name="inbox_availability"),
        path("inbox/updates/<str:token>/", guarded(views.show_updates), name="inbox_updates"),
        path("inbox/profile/", guarded(settings_views.edit_profile), name="inbox_profile"),
        path("inbox/profile/picture/", guarded(settings_views.show_picture), name="inbox_picture"),
        path("inbox/canned-replies/", guarded(settings_views.canned_replies), name="inbox_canned_replies"),
        path("inbox/canned-replies/new/", guarded(settings_views.canned_reply), name="inbox_new_canned_reply"),
        path("inbox/canned-replies/<int:pk>/", guarded(settings_views.canned_reply), name="inbox_canned_reply"),
        path("inbox/files/<uuid:key>/", guarded(views.show_attachment), name="attachment"),
        path("inbox/<uuid:public_id>/", guarded(views.show_conversation), name="inbox_conversation"),
        path("inbox/<uuid:public_id>/write/", guarded(views.write), name="inbox_write"),
        path("inbox/<uuid:public_id>/typing/", guarded(views.record_typing), name="inbox_typing"),
        path("inbox/<uuid:public_id>/<slug:action>/", guarded(views.act), name="inbox_act"),
    ]
