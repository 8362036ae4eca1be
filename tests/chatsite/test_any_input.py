"""Any input by form, token, signed identity, upload or endpoint is at worst refused, never a 500.

Hypothesis generates the input; test_hostile_values.py has the hand-picked values.
"""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from docbot.models import TrainedBot
from docbot.reading import KINDS, Unreadable
from docbot.reading.sandboxed_reader import Reader
from webchat.models import Bot

pytestmark = pytest.mark.django_db
some = settings(
    max_examples=15,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

FIELDS = ("message", "suggestion", "key", "after", "conversation", "consent", "proof", "session", "lang", "failures")
texts = st.text(st.characters(exclude_categories=[]), max_size=300)  # includes lone surrogates
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=60),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=8,
)
beginnings = st.sampled_from([b"", b"%PDF-1.7\n", b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"<html>", b"{"])


@pytest.fixture
def visitor(db: None, settings: Any) -> Client:
    """A visitor of a site with one bot, whose service is down."""
    settings.CHAT_BASE_URL, settings.BOT_API_KEY = "http://127.0.0.1:9", "a-key"
    settings.MESSAGES_PER_MINUTE = settings.ADDRESS_MESSAGES_PER_MINUTE = settings.CONVERSATIONS_PER_DAY = 0
    Bot.objects.create(slug="help", name="Ada", origins="https://shop.example")
    return Client(raise_request_exception=False)


def encodable(fields: dict[str, str]) -> dict[str, bytes]:
    return {name: value.encode("utf-8", "surrogatepass") for name, value in fields.items()}


@some
@given(st.sampled_from(["/chat", "/embed"]), st.dictionaries(st.sampled_from(FIELDS), texts, max_size=6), st.booleans())
def test_no_form_content_causes_a_server_error(visitor, surface, fields, by_htmx):
    headers = {"Sec-Fetch-Site": "same-origin"} | ({"HX-Request": "true"} if by_htmx else {})
    answer = visitor.post(f"{surface}/help/messages", encodable(fields), headers=headers)
    assert answer.status_code < 500


@some
@given(st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=300))
def test_no_frame_token_causes_a_server_error(visitor, token):
    headers = {"Webchat-Session": token, "Sec-Fetch-Site": "same-origin"}
    assert visitor.get("/embed/help/", headers=headers).status_code == 200
    assert visitor.post("/embed/help/messages", {"message": "Hello"}, headers=headers).status_code < 500


@some
@given(st.binary(max_size=60), st.sampled_from([*sorted(KINDS), ".exe", ""]), st.binary(max_size=200))
def test_no_upload_causes_a_server_error(desk, name, suffix, content):
    bot = TrainedBot.objects.get()
    quoted = name.replace(b"\r", b"").replace(b"\n", b"").replace(b'"', b"") + suffix.encode()
    head = b'--x\r\nContent-Disposition: form-data; name="files"; filename="%s"\r\n\r\n' % quoted
    url, kind = f"/admin/docbot/trainedbot/{bot.pk}/upload/", "multipart/form-data; boundary=x"
    answer = desk.generic("POST", url, head + content + b"\r\n--x--\r\n", content_type=kind)
    assert answer.status_code in (302, 400, 422)


@pytest.fixture
def desk(db: None, settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Client:
    """The owner's desk without training, which is another process and may fail on its own."""
    settings.DATA_DIR, settings.MEDIA_ROOT = tmp_path, tmp_path / "media"
    monkeypatch.setattr("docbot.dashboard.training.launch", lambda *_: None)
    TrainedBot.objects.create(slug="help", name="Ada")
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.create_superuser("owner"))
    return client


@some
@given(
    st.sampled_from(sorted(KINDS)),
    beginnings,
    st.binary(max_size=400) | texts.map(lambda text: text.encode("utf-8", "surrogatepass")),
)
def test_any_file_is_read_or_reported_as_unreadable(reader, suffix, beginning, rest):
    problem, document = "", None
    try:
        document = reader.read(beginning + rest, f"any{suffix}")
    except Unreadable as unreadable:
        problem = str(unreadable)
    assert (document is None) == bool(problem)
    assert "broke down" not in problem


@pytest.fixture(scope="module")
def reader() -> Any:
    with closing(Reader(seconds=20, megabytes=512)) as reader:
        yield reader
