"""Every URL of the site, requested with hostile values, answers without a 5xx."""

import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from webchat.models import Bot, Turn

KEY = "00000000-0000-4000-8000-000000000001"
# For paths, query strings, forms, headers and cookies.
NAUGHTY = {
    "NUL": "a\0b",
    "lone surrogate": "\ud800",
    "controls": "\x01\x1b[31m\x7f\x85",
    "format": "%s%n%x {0} {{x}} ${x} {% x %}",
    "number too large": "9" * 400,
    "line breaks": "a\r\nSet-Cookie: x=y",
    "long": "x" * 5_000,
    "empty": "",
    "a URL that can’t be read": "http://[",
}
FIELDS = (
    *("message", "suggestion", "key", "after", "failures", "session", "conversation", "code", "next", "q", "p", "o"),
    *(
        "lang",
        "theme",
        "since",
        "page",
        "url",
        "files",
        "name",
        "email",
        "title",
        "token",
        "format",
        "action",
        "_popup",
    ),
    *("_to_field", "_changelist_filters", "date_hierarchy", "e", "kind", "consent", "feedback", "reason", "proof"),
)


def urls(resolver: URLResolver, before: str = "") -> Iterator[str]:
    """Return every route, with Django's placeholders."""
    for each in resolver.url_patterns:
        route = before + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from urls(each, route)
        elif isinstance(each, URLPattern):
            yield route


ROUTES = sorted(set(urls(get_resolver())))


KINDS = {"uuid": KEY, "int": "1", "slug": "help"}
GROUPS = {"slug": "help", "kind": "face", "format": "json", "conversation": KEY, "app_label": "webchat"}
GROUP = re.compile(r"\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)")  # a regular expression with nested groups


def quoted(value: str) -> str:
    """Return it percent-encoded; of a surrogate that means bytes that are no UTF-8."""
    return quote(value, safe="", errors="surrogatepass")


def filled(route: str, value: str) -> str:
    """Fill a placeholder with the hostile value, or with a valid one if its converter accepts nothing else."""
    hostile = quoted(value[:2000]) or "x"
    route = GROUP.sub(lambda group: GROUPS.get(group[1], hostile), route)
    route = route.replace("^", "").replace("$", "").replace("\\.", ".")
    return "/" + re.sub(r"<(?:(\w+):)?\w+>", lambda placeholder: KINDS.get(placeholder[1], hostile), route)


@pytest.fixture
def hostile(db: None, settings) -> Client:
    """A visitor with a conversation, whose browser sends hostile values."""
    settings.CHAT_BASE_URL = "http://127.0.0.1:9"
    settings.MESSAGES_PER_MINUTE = settings.ADDRESS_MESSAGES_PER_MINUTE = settings.CONVERSATIONS_PER_DAY = 0
    settings.CIRCUIT_FAILURES = 1
    settings.STATIC_ROOT = settings.BASE_DIR / "static"  # static files may not be collected
    bot = Bot.objects.create(slug="help", name="Ada", accent="#2f5bd0", origins="https://www.example.com")
    client = Client(raise_request_exception=False)
    client.post("/chat/help/messages", {"message": "Hello", "key": KEY})
    assert Turn.objects.get(key=KEY).conversation.bot == bot
    return client


def broken(client: Client, value: str, routes: list[str]) -> list[str]:
    """Return the requests that answer with a 5xx, with the value in every place and by each method.

    What a visitor posts is sent with and without htmx, since only one of the two may end in a redirect. A NUL character
    in a query is refused before any view.
    """
    query = "&".join(f"{field}={quoted(value[:500])}" for field in FIELDS)
    body = "&".join(f"{field}={quoted(value)}" for field in FIELDS)
    form = {"data": body, "content_type": "application/x-www-form-urlencoded"}
    found = []
    for route in routes:
        path = filled(route, value)
        asked = [("POST", path, form | {"headers": {"HX-Request": "true"}})]
        if "\0" not in value:
            asked.append(("GET", f"{path}?{query}", {}))
        if not route.startswith("admin/"):
            asked.append(("POST", path, form))
        for method, url, sent in asked:
            response = client.generic(method, url, **sent)
            if response.status_code >= 500:
                found.append(f"{method} {path[:80]} {response.status_code}")
    return found


OWNERS = ("NUL", "lone surrogate", "number too large")
STRANGERS = (*OWNERS, "line breaks")


@pytest.mark.parametrize("name", STRANGERS)
def test_no_url_fails_with_a_strangers_hostile_values(name, hostile):
    assert broken(hostile, NAUGHTY[name], [route for route in ROUTES if not route.startswith("admin/")]) == []


@pytest.mark.parametrize("name", OWNERS)
def test_no_url_fails_with_the_owners_hostile_values(name, hostile):
    hostile.force_login(User.objects.create_superuser("owner"))
    routes = [route for route in ROUTES if route.startswith("admin/") and route != "admin/logout/"]
    assert broken(hostile, NAUGHTY[name], routes) == []


def test_a_nul_character_is_refused_before_any_look_up(hostile):
    hostile.force_login(User.objects.create_superuser("owner"))
    for path in ("/portal/", "/admin/webchat/conversation/", "/admin/inbox/"):
        for query in ("bot=a%00", "code=a%00", "surface__exact=a%00", "q=%00"):
            assert hostile.get(f"{path}?{query}").status_code == 400, (path, query)


def test_a_nul_character_in_a_cookie_is_refused(hostile):
    for path in ("/portal/", "/chat/help/", "/admin/", "/nowhere"):
        assert hostile.get(path, headers={"Cookie": 'sessionid="abcdefgh\\000ijkl"'}).status_code in (400, 404), path


@pytest.mark.parametrize("value", NAUGHTY.values(), ids=NAUGHTY)
def test_no_header_and_no_cookie_causes_a_server_error(value, hostile):
    """As WSGI passes them: one character for each byte."""
    raw = value.encode(errors="surrogatepass").decode("latin-1").replace("\r", "").replace("\n", "")
    names = ("ACCEPT_LANGUAGE", "X_FORWARDED_FOR", "ORIGIN", "SEC_FETCH_SITE", "REFERER", "WEBCHAT_SESSION", "COOKIE")
    names += ("IF_NONE_MATCH", "IF_MODIFIED_SINCE", "RANGE", "X_BOT_API_KEY", "X_REQUEST_ID", "HX_CURRENT_URL")
    asked = [("GET", path) for path in ("/chat/help/", "/portal/", "/embed/help/launcher.json")]
    asked += [("POST", path) for path in ("/embed/help/messages", "/api/public/chat")]
    for name in names:
        sent = f"sessionid={raw}; csrftoken={raw}; language={raw}; theme={raw}" if name == "COOKIE" else raw
        for method, path in asked:
            response = hostile.generic(method, path, **{"HTTP_HX_REQUEST": "true", f"HTTP_{name}": sent})
            assert response.status_code < 500, (method, path, name)
