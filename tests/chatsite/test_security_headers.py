"""The headers that say what a page may load and who may frame it: on every kind of response, errors too."""

import json

import pytest
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from chatsite import urls
from tests.commands import python
from tests.databases import copy_migrated, temporary_database
from tests.webchat.upstream_server import UpstreamServer
from webchat.models import Bot

POLICY = {
    "default-src": "'none'",
    **{f"{kind}-src": "'self'" for kind in ("script", "style", "img", "connect")},
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}


def broken(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("a secret detail of the machine")


def without_database(request: HttpRequest) -> HttpResponse:
    raise OperationalError("could not connect to a secret host")


urlpatterns = [*urls.urlpatterns, path("broken", broken), path("without-database", without_database)]
handler400, handler404, handler500 = urls.handler400, urls.handler404, urls.handler500


@pytest.fixture
def bot(db) -> Bot:
    return Bot.objects.create(slug="help", name="Ada")


@pytest.fixture
def client(bot, settings) -> Client:
    settings.ROOT_URLCONF = __name__
    settings.CHAT_BASE_URL, settings.BOT_API_KEY = "http://127.0.0.1:9", "a key"
    settings.WHITENOISE_USE_FINDERS = True
    return Client(raise_request_exception=False)


def policy_of(response: HttpResponse) -> dict[str, str]:
    return dict(part.strip().split(" ", 1) for part in response["Content-Security-Policy"].split(";"))


TOO_LONG = {"message": "x" * 3_000_000}
LIVE = {"HX-Request": "true"}
KEY = {"key": "5f7d2a3e-33c5-4a0e-9a53-3c5b6a5e8a11"}
RESPONSES = {
    "a page": (200, lambda client: client.get("/")),
    "a bot's page": (200, lambda client: client.get("/chat/help/")),
    "a page's head": (200, lambda client: client.head("/")),
    "a refused message": (422, lambda client: client.post("/chat/help/messages", {"message": ""})),
    "a message too long to be read": (413, lambda client: client.post("/chat/help/messages", TOO_LONG)),
    "a redirect after a message": (303, lambda client: client.post("/chat/help/messages", {"message": "Hi", **KEY})),
    "a redirect after a new conversation": (303, lambda client: client.post("/chat/help/new")),
    "a redirect to the slash": (301, lambda client: client.get("/chat/help")),
    "a saved transcript": (200, lambda client: client.get("/chat/help/transcript.html")),
    "a static file": (200, lambda client: client.get("/static/webchat/chat.css")),
    "an unknown page": (404, lambda client: client.get("/nothing")),
    "an expired form": (403, lambda client: Client(enforce_csrf_checks=True).post("/chat/help/messages")),
    "a wrong method": (405, lambda client: client.get("/portal/sign-out")),
    "a foreign host": (400, lambda client: client.get("/", headers={"Host": "evil.example"})),
    "an error of ours": (500, lambda client: client.get("/broken")),
    "no database": (503, lambda client: client.get("/without-database")),
    "the endpoint": (401, lambda client: client.post("/api/public/chat", {}, content_type="application/json")),
}  # fmt: skip


INSTALLABLE = {"a page", "a bot's page", "a page's head", "a refused message", "an expired form"}


@pytest.mark.parametrize("what", RESPONSES)
def test_every_response_carries_the_policy(what, client):
    status, ask = RESPONSES[what]
    response = ask(client)
    assert response.status_code == status
    assert policy_of(response) == POLICY | ({"manifest-src": "'self'"} if what in INSTALLABLE else {})
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Referrer-Policy"] == "same-origin"
    assert response.headers.get("X-Frame-Options", "DENY") == "DENY"  # for browsers without frame-ancestors
    assert response["Cross-Origin-Opener-Policy"] == "same-origin"
    assert response["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "camera=()" in response["Permissions-Policy"]
    assert not {"Server", "X-Powered-By"} & set(response.headers)
    if response.streaming:
        response.close()


def test_while_the_database_is_away_the_response_has_retry_after(client):
    response = client.get("/without-database")
    assert response["Retry-After"] == "5"
    assert "try again in a minute" in response.content.decode()
    assert "secret host" not in response.content.decode()


# --- On https ---------------------------------------------------------------------------------------------------------

# In a new process: the settings are computed at its start.
VISIT = """
import json
import django; django.setup()
from django.conf import settings
settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
from django.test import Client
from webchat.models import Bot
Bot.objects.create(slug="help", name="Ada")
browser = Client(enforce_csrf_checks=True)
site = {"Host": "chat.example.com", "X-Forwarded-Proto": "https"}
page = browser.get("/", headers=site)
token = page.content.decode().split('name="csrfmiddlewaretoken" value="')[1].split('"')[0]
form = {"message": "Hello", "key": "5f7d2a3e-33c5-4a0e-9a53-3c5b6a5e8a11", "csrfmiddlewaretoken": token}
sent = browser.post("/chat/help/messages", form, headers=site | {"Origin": "https://chat.example.com"})
forged = browser.post("/chat/help/messages", form, headers=site | {"Origin": "https://evil.example"})
cookies = {name: dict(cookie) for name, cookie in browser.cookies.items()}
print(json.dumps([sent.status_code, forged.status_code, page.headers["Strict-Transport-Security"], cookies]))
"""


def test_over_https_forged_forms_are_refused_and_cookies_are_bound_to_this_host(tmp_path):
    copy_migrated(tmp_path)
    with UpstreamServer() as upstream, temporary_database() as database:
        settings = {"SITE_URL": "https://chat.example.com", "BEHIND_PROXY": 1, "LOG_LEVEL": "ERROR", **database}
        endpoint = {"CHAT_BASE_URL": upstream.base_url, "BOT_API_KEY": upstream.api_key}
        done = python(VISIT, DATA_DIR=tmp_path, **settings, **endpoint)
    assert done.returncode == 0, done.stderr
    sent, forged, security, cookies = json.loads(done.stdout)
    assert (sent, forged) == (303, 403)
    assert int(security.split(";")[0].removeprefix("max-age=")) >= 365 * 24 * 60 * 60
    assert set(cookies) == {"__Host-sessionid", "__Host-csrftoken", "__Host-start"}
    for cookie in cookies.values():
        assert cookie["secure"]
        assert cookie["httponly"] or cookie["max-age"] == 0  # deleted
        assert (cookie["path"], cookie["domain"], cookie["samesite"]) == ("/", "", "Lax")
