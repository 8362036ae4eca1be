"""The kiosk's URLs: the screen of each bot and, in its frame, the chat page of the current visit."""

from django.urls import include, path

from kiosk import plain_screen, transfer, views
from webchat import urls as conversation

device = (
    [
        path("<slug:slug>/", views.screen, name="screen"),
        path("<slug:slug>/enrol", views.enrol, name="enrol"),
        path("<slug:slug>/visit", views.visit, name="visit"),
        path("<slug:slug>/pulse", views.pulse, name="pulse"),
        path("<slug:slug>/plain", plain_screen.start, name="plain"),
        path("<slug:slug>/plain/still-here", plain_screen.still_here, name="still-here"),
    ],
    "device",
)
visit = (
    [
        *conversation.urlpatterns,
        path("<slug:slug>/transfer-code", transfer.show_code, name="transfer-code"),
        path("<slug:slug>/taken", transfer.taken, name="taken"),
    ],
    conversation.app_name,
)
urlpatterns = [
    path("visit/", include(visit, namespace="kiosk")),
    path("", include(device)),
]
