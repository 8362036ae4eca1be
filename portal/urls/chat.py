"""The chat pages in the portal: webchat's URLs, and a URL for each conversation."""

from django.urls import path, re_path

from webchat import urls
from webchat.conversation import views

app_name = urls.app_name
_NAMED = "(?P<slug>[-a-zA-Z0-9_]+)/(?P<conversation>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"
urlpatterns = [
    *urls.urlpatterns,
    path("<slug:slug>/<uuid:conversation>/", views.page, name="page"),
    re_path(rf"^{_NAMED}/transcript\.(?P<format>txt|html|json)$", views.transcript, name="transcript"),
]
