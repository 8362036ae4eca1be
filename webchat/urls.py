"""The addresses of the full page."""

from django.urls import path

from webchat import views

app_name = "chat"
urlpatterns = [
    path("", views.home, name="home"),
    path("chat/<slug:slug>/", views.page, name="page"),
    path("chat/<slug:slug>/messages", views.messages, name="messages"),
    path("chat/<slug:slug>/turns/<uuid:key>/reply", views.reply, name="reply"),
    path("chat/<slug:slug>/turns/<uuid:key>/again", views.again, name="again"),
    path("chat/<slug:slug>/new", views.new_conversation, name="new"),
]
