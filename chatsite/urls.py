"""The site's URLs."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path

from kiosk import transfer
from webchat.conversation import style_guide, views
from webchat.embed import launcher
from webchat.handover import views as handover_views
from webchat.web_app import views as web_app_views

handler400 = "chatsite.serving.error_pages.bad_request"
handler403 = "webchat.error_views.forbidden"
handler404 = "webchat.error_views.not_found"
handler500 = "chatsite.serving.error_pages.server_error"

urlpatterns = [
    path("", views.home, name="home"),
    path("chat/<slug:slug>/manifest.json", web_app_views.manifest, name="app-manifest"),
    path("chat/<slug:slug>/icon.svg", web_app_views.icon, name="app-icon"),
    path("chat/<slug:slug>/worker.js", web_app_views.worker, name="app-worker"),
    path("chat/<slug:slug>/offline", web_app_views.offline, name="app-offline"),
    path("chat/<slug:slug>/share", web_app_views.share, name="app-share"),
    path("chat/", include("webchat.urls", namespace="chat")),
    path("embed/", include("webchat.urls", namespace="embed")),
    path("embed.js", launcher.script, name="embed-script"),
    path("embed.d.ts", launcher.types, name="embed-types"),
    path("embed/<slug:slug>/launcher.json", launcher.launcher, name="embed-launcher"),
    path("embed/<slug:slug>/identity", launcher.identify, name="embed-identity"),
    path("embed/<slug:slug>/keep", launcher.keep_conversation, name="embed-keep-conversation"),
    path("embed/<slug:slug>/check", launcher.check, name="embed-check"),
    path("kiosk/", include("kiosk.urls")),
    path("resume/<str:token>", handover_views.resume, name="resume"),
    path("take/<str:code>", transfer.take, name="take"),
    path("portal/", include("portal.urls")),
    path("portal/chat/", include("portal.urls.chat", namespace="portal")),
    path("api/public/", include("docbot.endpoint.urls")),
    path("admin/", include("desk.urls")),
    path("admin/", admin.site.urls),
]
if settings.DEBUG:
    urlpatterns += [
        path("styleguide/", style_guide.styleguide, name="styleguide"),
        path("embed/<slug:slug>/demo", launcher.demo, name="embed-demo"),
    ]
