"""Encoding the meaning of a bot's documents: what answers meanwhile, and when it is done anew."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command

from docbot.answering.certainty import calibration
from docbot.models import TaughtAnswer, TrainedBot
from docbot.retrieval.index import open_index
from docbot.retrieval.languages import EVERYDAY
from docbot.training import encoding, launching
from docbot.training.training import train


@pytest.fixture(autouse=True)
def few_everyday_messages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Find the limits with a tenth of the everyday messages: all of them take seconds for each encoder."""
    few = tmp_path / "everyday"
    few.mkdir()
    for file in EVERYDAY.glob("*.txt"):
        (few / file.name).write_text("\n".join(file.read_text(encoding="utf-8").splitlines()[::10]), encoding="utf-8")
    monkeypatch.setattr(calibration, "EVERYDAY", few)
    calibration._messages.cache_clear()
    yield
    calibration._messages.cache_clear()


@pytest.fixture
def trained(bot: TrainedBot, settings, tmp_path: Path) -> TrainedBot:
    settings.DOCBOT_MEANING = True
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "rooms.md").write_text("# Rooms\n\n## Internet\n\nWireless internet is free in all rooms.\n")
    train(bot, [tmp_path / "docs"])
    return bot


WAITS = "only finds what is asked in the documents’ own words"


def test_a_bot_answers_by_words_until_its_meaning_is_encoded_and_while_meaning_is_switched_off(
    trained, settings, ask, admin_client, monkeypatch
):
    calibrate, meanwhile = calibration.calibrate, []

    def said_to_the_owner() -> str:
        page = admin_client.get(f"/admin/docbot/trainedbot/{trained.pk}/training/").content.decode()
        return " ".join(page.split())

    def reply() -> str:
        return ask("Is there wifi?").json()["message"]

    def note_and_calibrate(folder: Path, documents: str, by: str) -> None:
        """How alike a quotation has to be is known only at the end."""
        meanwhile.append((by, reply()))
        calibrate(folder, documents, by)

    assert encoding.is_outdated(trained)
    by_words = reply()
    assert "Wireless" not in by_words
    with encoding._alone() as is_alone:
        assert is_alone
        assert not encoding.encode(trained)
    assert WAITS in said_to_the_owner()
    monkeypatch.setattr(calibration, "calibrate", note_and_calibrate)
    call_command("encode")
    assert meanwhile[0] == ("english", by_words)
    assert WAITS not in said_to_the_owner()
    assert not encoding.is_outdated(trained)
    assert "Wireless internet is free" in reply()
    assert not encoding.encode(trained)
    settings.DOCBOT_MEANING = False
    assert "Wireless" not in reply()
    train(trained)
    assert not encoding.is_outdated(trained)


def test_a_bot_trained_during_encoding_is_encoded_again_and_its_limits_are_those_of_its_documents(trained, ask):
    """They are computed anew when the documents change, but not when the bot is taught an answer."""
    page = Path(trained.documents.get(title="Rooms").location)
    done = []

    def train_once(passages: int) -> None:
        if not done:
            page.write_text("# Rooms\n\n## Breakfast\n\nBreakfast is served from seven to ten.\n")
            train(trained)
        done.append(passages)

    def limits() -> list[float]:
        encoding.encode(trained)
        asked = open_index(trained.index_folder)
        return [calibration.sure(asked, by, is_foreign=False) for by in ("words", "english")]

    assert encoding.encode(trained, train_once)
    assert not encoding.is_outdated(trained)
    assert "Breakfast is served" in ask("When can one eat in the morning?").json()["message"]
    for name in ("sure_by_english.json", "sure_by_words.json"):
        file = trained.index_folder / name
        file.write_text(json.dumps(json.loads(file.read_text()) | {"limit": 0.123}))
    TaughtAnswer.objects.create(trained_bot=trained, question="Is there a lift?", text="Yes, two.", author="Ada")
    assert train(trained).indexed
    assert limits() == [0.123, 0.123]
    trained.documents.update(fingerprint="")
    train(trained)
    assert 0.123 not in limits()


def test_the_site_starts_encoding_when_something_is_outdated_and_no_process_is_at_it(trained, monkeypatch):
    started: list[list[str]] = []

    class Process:
        def __init__(self, command: list[str], **_: object) -> None:
            started.append(command[1:])

        def wait(self) -> None:
            """Return immediately."""

    monkeypatch.setattr(launching.subprocess, "Popen", Process)
    with encoding._alone():
        encoding.encode_outdated()
    assert started == []
    encoding.encode_outdated()
    assert started == [["-m", "django", "encode"]]
    encoding.encode(trained)
    encoding.encode_outdated()
    assert len(started) == 1
