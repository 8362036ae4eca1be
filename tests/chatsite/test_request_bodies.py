"""Bodies and headers that no browser sends: each surface shows its own error page, reading no more than needed."""

import io
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from chatsite.serving.charsets import always_utf_8
from webchat.models import Bot, Conversation

FORM, MULTIPART = "application/x-www-form-urlencoded", "multipart/form-data"
PLACES = (
    *(
        "/chat/help/messages",
        "/embed/help/messages",
        "/chat/help/new",
        "/chat/help/person/send",
        "/embed/help/identity",
    ),
    *("/portal/sign-in/", "/portal/chat/help/messages", "/kiosk/", "/admin/login/", "/nowhere", "/"),
)
CHARSETS = (
    "utf-8",
    "utf-16",
    "utf-7",
    "idna",
    "punycode",
    "undefined",
    "base64",
    "mbcs",
    "unknown",
    "",
    "a" * 5000,
    "é",
)
KINDS = (
    *(f"{kind}; charset={charset}" for kind in (FORM, f"{MULTIPART}; boundary=x") for charset in CHARSETS),
    *(MULTIPART, f"{MULTIPART}; boundary=", f"{MULTIPART}; boundary={'b' * 300}", f"{MULTIPART}; boundary=\x00"),
    *(f"{MULTIPART}; boundary=é", f'{MULTIPART}; boundary="', f"{FORM},text/plain", f"{FORM}; charset*=utf-16''x"),
    *(";;;", "", "/", "text/html", f'{FORM}; charset="utf-16', f"{FORM}; charset*0=utf; charset*1=-16"),
)
BODIES = {
    "form": b"message=Hello&key=00000000-0000-4000-8000-000000000001",
    "percent": b"message=%ZZ%&%=%&=&&%F0%28%8C%BC",
    "nul": b"message=\x00&csrfmiddlewaretoken=\x00%00",
    "fields": b"&".join(b"a%d=1" % number for number in range(1200)),
    "multipart": b'--x\r\nContent-Disposition: form-data; name="message"\r\n\r\nHello\r\n--x--\r\n',
    "cut": b'--x\r\nContent-Disposition: form-data; name="message"\r\n\r\nHel',
    "base64": b'--x\r\nContent-Disposition: form-data; name="a"\r\n'
    b"Content-Transfer-Encoding: base64\r\n\r\n!!!\r\n--x--\r\n",
    "no name": b"--x\r\nContent-Disposition: form-data\r\n\r\nHello\r\n--x--\r\n",
    "charset": b"--x\r\nContent-Disposition: form-data; name=\"a\"; filename*=idna''x\r\n\r\nHello\r\n--x--\r\n",
}


@pytest.fixture
def stranger(db: None, settings: Any) -> Client:
    settings.CHAT_BASE_URL, settings.BOT_API_KEY = "http://127.0.0.1:9", "a-key"
    settings.MESSAGES_PER_MINUTE = settings.ADDRESS_MESSAGES_PER_MINUTE = settings.CONVERSATIONS_PER_DAY = 0
    Bot.objects.create(slug="help", name="Ada", in_portal=True)
    return Client(raise_request_exception=False, enforce_csrf_checks=True)


@pytest.fixture
def ask(stranger: Client) -> Callable[..., tuple[int, dict[str, str]]]:
    """Call the WSGI application as gunicorn does: Django's test client would tidy the request first."""
    site = always_utf_8(get_wsgi_application())

    def ask(place: str, kind: str, body: bytes, **headers: str) -> tuple[int, dict[str, str]]:
        answer: list[tuple[int, dict[str, str]]] = []
        environ: dict[str, Any] = {
            "REQUEST_METHOD": "POST",
            "PATH_INFO": place,
            "QUERY_STRING": "",
            "CONTENT_TYPE": kind,
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_COOKIE": f"csrftoken={'a' * 32}",
            "REMOTE_ADDR": "127.0.0.1",
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(body),
            "wsgi.errors": io.StringIO(),
        }
        response = site(environ | headers, lambda status, fields: answer.append((int(status[:3]), dict(fields))))
        b"".join(response)
        return answer[0]

    return ask


@pytest.mark.parametrize("place", PLACES)
def test_no_content_type_and_no_body_causes_a_server_error(place, ask):
    usual = (FORM, f"{FORM}; charset=utf-16", f"{MULTIPART}; boundary=x")
    cases = [(kind, "form") for kind in KINDS] + [(kind, name) for kind in usual for name in BODIES]
    found = []
    for kind, name in cases:
        status, headers = ask(place, kind, BODIES[name])
        if status >= 500 or "X-Request-ID" not in headers:
            found.append((kind[:80], name, status))
    assert found == []


# --- Sizes ------------------------------------------------------------------------------------------------------------


class Body(io.RawIOBase):
    """A request body of the given length that counts the bytes read."""

    def __init__(self, length: int, start: bytes = b"") -> None:
        self.left, self.start, self.taken = length, start, 0

    def read(self, size: int = -1) -> bytes:
        size = self.left if size < 0 else min(size, self.left)
        piece, self.start = self.start[:size].ljust(size, b"x"), self.start[size:]
        self.left -= size
        self.taken += size
        return piece


def post(client: Client, place: str, kind: str, body: Body, **sent: Any) -> HttpResponse:
    raw = {"CONTENT_LENGTH": str(body.left), "wsgi.input": body, "CONTENT_TYPE": kind}
    return client.generic("POST", place, **raw, **sent)


FILE = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n'


DESK = ("/admin/docbot/trainedbot/1/upload/", "/admin/docbot/trainedbot/add/", "/admin/join/x/", "/admin/nowhere/")


@pytest.mark.parametrize("who", ["a stranger", "a customer", "a stranger with a session of their own making"])
def test_a_large_body_is_refused_unread_unless_from_staff(who, stranger):
    if who == "a customer":
        stranger.force_login(User.objects.create_user("rosa"))
    elif who != "a stranger":
        stranger.cookies["sessionid"] = "x" * 32
    for place, kind in product([*PLACES, *DESK], [FORM, f"{MULTIPART}; boundary=x"]):
        body = Body(300_000_000, FILE)
        answer = post(stranger, place, kind, body)
        assert answer.status_code in (404, 413), (place, kind)
        assert body.taken <= 64 * 1024, (place, kind)
        assert answer.headers["Content-Security-Policy"], (place, kind)


def test_a_file_in_a_short_form_is_dropped(stranger, settings, tmp_path):
    settings.FILE_UPLOAD_TEMP_DIR, settings.FILE_UPLOAD_MAX_MEMORY_SIZE = str(tmp_path), 0
    body = FILE + b"x" * 10_000 + b"\r\n--x--\r\n"
    answer = stranger.generic("POST", "/chat/help/messages", body, content_type=f"{MULTIPART}; boundary=x")
    assert answer.status_code == 403
    assert list(tmp_path.iterdir()) == []


def test_the_longest_message_fits_in_any_script(stranger, settings):
    message = "%F0%9F%98%80" * settings.MESSAGE_MAX_LENGTH
    key = "00000000-0000-4000-8000-000000000001"
    answer = Client().generic("POST", "/chat/help/messages", f"key={key}&message={message}", content_type=FORM)
    assert answer.status_code == 303
    assert Conversation.objects.count() == 1


def test_the_desk_accepts_large_documents(db, settings, tmp_path, monkeypatch):
    from docbot.models import TrainedBot

    settings.DATA_DIR, settings.MEDIA_ROOT = tmp_path, tmp_path / "media"
    monkeypatch.setattr("docbot.dashboard.training.launch", lambda *_: None)
    bot, client = TrainedBot.objects.create(slug="help", name="Ada"), Client()
    client.force_login(User.objects.create_superuser("owner"))
    body = FILE.replace(b'"file"', b'"files"').replace(b"a.bin", b"a.txt") + b"word " * 100_000 + b"\r\n--x--\r\n"
    url = f"/admin/docbot/trainedbot/{bot.pk}/upload/"
    answer = client.generic("POST", url, body, content_type=f"{MULTIPART}; boundary=x")
    assert answer.status_code == 302
    assert [file for file in (tmp_path).rglob("*") if file.is_file() and file.stat().st_size >= 500_000]


# --- Error pages ------------------------------------------------------------------------------------------------------


def test_a_wrong_host_is_explained_only_on_this_machine(stranger):
    here = stranger.get("/", HTTP_HOST="chat.example.net", REMOTE_ADDR="127.0.0.1")
    assert here.status_code == 400
    assert "&#x27;chat.example.net&#x27; is not in ALLOWED_HOSTS" in here.content.decode()
    for far in ({"REMOTE_ADDR": "192.0.2.1"}, {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "192.0.2.1"}):
        answer = stranger.get("/", HTTP_HOST="chat.example.net", **far)
        assert answer.status_code == 400
        assert "ALLOWED_HOSTS" not in answer.content.decode()
        assert "Go to the chat" in answer.content.decode()


def broken(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("a visitor's words")


class broken_urls:
    from chatsite.urls import handler400, handler404, handler500, urlpatterns

    urlpatterns = [path("broken", broken), *urlpatterns]


@pytest.fixture
def broken_site(stranger: Client, settings: Any) -> Client:
    settings.ROOT_URLCONF = broken_urls
    return stranger


def test_an_error_page_shows_the_request_id_and_if_it_fails_too_a_plain_sentence_does(broken_site, monkeypatch):
    answer = broken_site.get("/broken")
    page = answer.content.decode()
    assert answer.status_code == 500
    assert answer.headers["X-Request-ID"] in page
    assert "<h1>Something went wrong</h1>" in page
    assert "visitor's words" not in page
    monkeypatch.setattr("chatsite.serving.error_pages.TemplateResponse", broken)
    answer = broken_site.get("/broken")
    assert (answer.status_code, answer.headers["Content-Type"]) == (500, "text/plain")
    assert answer.headers["X-Request-ID"] in answer.content.decode()


@pytest.mark.parametrize("place", ["/embed/help/messages", "/embed/help/identity", "/chat/help/messages"])
@pytest.mark.parametrize("field", ["session", "proof"])
def test_a_token_or_a_proof_of_more_than_64_kb_is_refused(ask, place, field):
    body = f"message=Hello&{field}={'a' * 100_000}".encode()
    assert ask(place, FORM, body, HTTP_SEC_FETCH_SITE="same-origin")[0] == 413
