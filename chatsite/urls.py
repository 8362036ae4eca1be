"""Every address of the site."""

from django.contrib import admin
from django.urls import include, path

handler400 = "webchat.views.bad_request"
handler404 = "webchat.views.not_found"

urlpatterns = [
    path("", include("webchat.urls")),
    path("api/public/", include("docbot.urls")),
    path("admin/", admin.site.urls),
]
