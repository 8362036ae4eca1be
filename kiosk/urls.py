"""The addresses of kiosks: the screen of each bot, and within it the chat page of the present visit."""

from django.urls import include, path

from kiosk import views

device = (
    [
        path("<slug:slug>/", views.screen, name="screen"),
        path("<slug:slug>/enrol", views.enrol, name="enrol"),
        path("<slug:slug>/visit", views.visit, name="visit"),
        path("<slug:slug>/pulse", views.pulse, name="pulse"),
    ],
    "device",
)
urlpatterns = [
    path("visit/", include("webchat.urls", namespace="kiosk")),
    path("", include(device)),
]
