"""A minimal chat page of Django and HTMX in one file: the baseline for the site's cost under load.

It keeps the chatId in the visitor's session and forwards each message while the visitor waits. It stores no message,
counts nothing, and loses the messages in flight when it is stopped.
"""

import os
from pathlib import Path

import django_htmx
import requests
from django.conf import settings

settings.configure(
    SECRET_KEY="of nobody",
    ALLOWED_HOSTS=["127.0.0.1", "localhost"],
    ROOT_URLCONF=__name__,
    INSTALLED_APPS=["django.contrib.sessions"],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django_htmx.middleware.HtmxMiddleware",
    ],
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": os.environ["BARE_SITE_DATABASE"],
            "OPTIONS": {"timeout": 20, "transaction_mode": "IMMEDIATE", "init_command": "PRAGMA journal_mode=WAL"},
        }
    },
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates"}],
)

from django.core.wsgi import get_wsgi_application  # noqa: E402 - it reads the settings

application = get_wsgi_application()

from django.core.management import call_command  # noqa: E402
from django.http import FileResponse, HttpRequest, HttpResponse  # noqa: E402
from django.template import engines  # noqa: E402
from django.urls import path  # noqa: E402

KEY = {"X-BOT-API-KEY": os.environ["BARE_SITE_KEY"]}
HTMX = Path(django_htmx.__file__).parent / "static" / "django_htmx" / "htmx-2.min.js"
PAGE = engines["django"].from_string(
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Chat</title><script src="/htmx.js" defer></script>'
    '<ol id="turns" data-transcript></ol>'
    '<form hx-post="/messages" hx-target="#turns" hx-swap="beforeend">{% csrf_token %}'
    '<input id="message" name="message"><button>Send</button></form>'
)
TURN = engines["django"].from_string("<li><p>{{ message }}</p><p data-reply>{{ reply }}</p></li>")


def page(request: HttpRequest) -> HttpResponse:
    return HttpResponse(PAGE.render({}, request))


def htmx(request: HttpRequest) -> FileResponse:
    return FileResponse(HTMX.open("rb"), content_type="text/javascript")


def messages(request: HttpRequest) -> HttpResponse:
    message = request.POST["message"]
    asked = {"message": message, "chatId": request.session.get("chat_id")}
    answer = requests.post(os.environ["BARE_SITE_UPSTREAM"], json=asked, headers=KEY, timeout=60).json()
    request.session["chat_id"] = answer["chatId"]
    return HttpResponse(TURN.render({"message": message, "reply": answer["message"]}, request))


urlpatterns = [path("", page), path("htmx.js", htmx), path("messages", messages)]

if __name__ == "__main__":
    call_command("migrate", verbosity=0)
