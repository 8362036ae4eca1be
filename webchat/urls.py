"""The addresses of the full page."""

from django.conf import settings
from django.urls import path, re_path

from webchat import styleguide, views

app_name = "chat"
urlpatterns = [
    path("", views.home, name="home"),
    path("chat/<slug:slug>/", views.page, name="page"),
    path("chat/<slug:slug>/messages", views.messages, name="messages"),
    path("chat/<slug:slug>/turns/<uuid:key>/reply", views.reply, name="reply"),
    path("chat/<slug:slug>/turns/<uuid:key>/again", views.again, name="again"),
    re_path(r"^chat/(?P<slug>[-\w]+)/transcript\.(?P<format>txt|html|json)$", views.transcript, name="transcript"),
    path("chat/<slug:slug>/look.css", views.look, name="look"),
    re_path(r"^chat/(?P<slug>[-\w]+)/(?P<kind>face|logo)\.webp$", views.picture, name="picture"),
    path("chat/<slug:slug>/new", views.new_conversation, name="new"),
]
if settings.DEBUG:
    urlpatterns.append(path("styleguide/", styleguide.styleguide, name="styleguide"))
