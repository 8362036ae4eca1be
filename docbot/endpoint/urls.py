"""docbot's URLs, below /api/public/."""

from django.urls import path

from docbot.endpoint import views

app_name = "docbot"

urlpatterns = [
    path("chat", views.chat, name="chat"),
    path("openapi.json", views.describe, name="openapi"),
]
