"""Every address of the site."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path

from kiosk import taking
from webchat import embedding, styleguide, views

handler400 = "webchat.views.bad_request"
handler404 = "webchat.views.not_found"

urlpatterns = [
    path("", views.home, name="home"),
    path("chat/", include("webchat.urls", namespace="chat")),
    path("embed/", include("webchat.urls", namespace="embed")),
    path("embed.js", embedding.script, name="embed-script"),
    path("embed/<slug:slug>/launcher.json", embedding.launcher, name="embed-launcher"),
    path("embed/<slug:slug>/identity", embedding.identify, name="embed-identity"),
    path("embed/<slug:slug>/along", embedding.along, name="embed-along"),
    path("embed/<slug:slug>/check", embedding.check, name="embed-check"),
    path("kiosk/", include("kiosk.urls")),
    path("take/<str:code>", taking.take, name="take"),
    path("portal/", include("portal.urls")),
    path("portal/chat/", include("portal.urls.chat", namespace="portal")),
    path("api/public/", include("docbot.urls")),
    path("admin/", include("desk.urls")),
    path("admin/", admin.site.urls),
]
if settings.DEBUG:
    urlpatterns += [
        path("styleguide/", styleguide.styleguide, name="styleguide"),
        path("embed/<slug:slug>/demo", embedding.demo, name="embed-demo"),
    ]
