"""Fixtures for docbot: a small trained bot, its key, and clients."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from docbot.endpoint import keys
from docbot.models import Document, Passage, TrainedBot
from docbot.retrieval.index import Index, IndexedPassage, build, open_index
from tests.docbot.fake_model import FakeModel
from tests.docbot.sites import Site

LLM_KEY = "sk-a-very-secret-one"

# Document, heading, text.
PASSAGES = (
    (
        "Opening hours",
        "Weekdays",
        "The workshop is open from nine to six, Monday to Friday. We are closed at lunch time.",
    ),
    ("Opening hours", "Saturdays", "On Saturdays the workshop is open from ten to two. On Sundays it is closed."),
    ("Repairs", "What a repair costs", "A repair of a bicycle costs 45 euros. A new chain costs 30 euros more."),
    ("Repairs", "How long a repair takes", "A repair of a bicycle takes three days. In spring it takes a week."),
    (
        "Warranty",
        "",
        "Every bicycle that we sell has a warranty of two years. Keep the receipt: it says when it was sold.",
    ),
    ("Payment", "", "You can pay by card, in cash or by bank transfer. We send an invoice to companies."),
)


def index_of(folder: Path, *passages: tuple[str, str, str], language: str = "en", url: str = "") -> Index:
    """Build an index of passages, given as title, heading and text; their ids are their positions, from 1."""
    titles = list(dict.fromkeys(title for title, _, _ in passages))
    build(
        folder,
        [
            IndexedPassage(number, titles.index(passage[0]) + 1, *passage, url, language)
            for number, passage in enumerate(passages, start=1)
        ],
    )
    return open_index(folder)


@pytest.fixture(scope="session")
def built_index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index of PASSAGES, built once."""
    folder = tmp_path_factory.mktemp("built")
    index_of(folder, *PASSAGES)
    return folder


@pytest.fixture
def own_data_folder(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR, settings.MEDIA_ROOT = tmp_path / "var", tmp_path / "var" / "media"


@pytest.fixture
def bot(db: None, settings: Any, tmp_path: Path, built_index: Path, monkeypatch: pytest.MonkeyPatch) -> TrainedBot:
    """A bot trained on PASSAGES, with its index in the test's own folder."""
    monkeypatch.setenv("DATA_DIR", str(tmp_path))  # a training process must not find another database
    settings.DATA_DIR, settings.MEDIA_ROOT = tmp_path, tmp_path / "media"
    bot = TrainedBot.objects.create(slug="help", name="Bicycle workshop")
    documents: dict[str, Document] = {}
    for position, (title, heading, text) in enumerate(PASSAGES):
        if title not in documents:
            documents[title] = Document.objects.create(
                trained_bot=bot,
                kind=Document.Kind.FOLDER,
                origin="/srv/docs",
                location=f"{title}.md",
                title=title,
                language="en",
                trained_at=timezone.now(),
            )
        Passage.objects.create(document=documents[title], position=position, heading=heading, text=text)
    shutil.copytree(built_index, bot.index_folder, symlinks=True)
    return bot


@pytest.fixture
def key(bot: TrainedBot) -> str:
    return keys.issue(bot, "website")[1]


@pytest.fixture
def other_key(bot: TrainedBot) -> str:
    """The key of a bot that isn't trained yet."""
    return keys.issue(TrainedBot.objects.create(slug="other", name="Other"), "website")[1]


@pytest.fixture
def second_bot(bot: TrainedBot) -> TrainedBot:
    """Another bot, trained on the same documents."""
    second = TrainedBot.objects.create(slug="second", name="Second")
    shutil.copytree(bot.index_folder, second.index_folder, symlinks=True)
    return second


@pytest.fixture
def model(settings: Any) -> Iterator[FakeModel]:
    """The language model that writes the replies."""
    with FakeModel() as model:
        settings.LLM_BASE_URL, settings.LLM_MODEL, settings.LLM_API_KEY = model.base_url, "small-one", LLM_KEY
        yield model


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as site:
        yield site


Post = Callable[..., HttpResponse]


@pytest.fixture
def post(client: Client) -> Post:
    """Post bytes with this key (None: without the header)."""

    def send(
        body: bytes, key: str | None, content_type: str = "application/json", headers: dict[str, str] | None = None
    ) -> HttpResponse:
        headers = (headers or {}) | ({} if key is None else {"X-BOT-API-KEY": key})
        # CONTENT_TYPE by name, because the test client drops the header of a request with an empty body.
        return client.generic(
            "POST", "/api/public/chat", body, content_type, headers=headers, CONTENT_TYPE=content_type
        )

    return send


@pytest.fixture
def ask(client: Client, key: str) -> Post:
    """Post a message, and other fields if given, with the bot's key or another one."""

    def send(message: str, *, key: str = key, **fields: Any) -> HttpResponse:
        return client.post(
            "/api/public/chat",
            {"message": message, **fields},
            content_type="application/json",
            headers={"X-BOT-API-KEY": key},
        )

    return send
