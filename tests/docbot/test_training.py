"""Training: what it reads, what it leaves alone, and what it reports."""

import os
import signal
import subprocess
import sys
import threading
import time
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.core.management import CommandError, call_command
from django.db import connection

from docbot.endpoint import keys
from docbot.models import Document, TrainedBot, TrainingRun
from docbot.reading.folders import IGNORE
from docbot.retrieval.index import open_index
from docbot.training.training import Progress, train

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_data_folder")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    (folder / "more").mkdir(parents=True)
    (folder / "start.md").write_text("# Getting started\n\n## Install it\n\nRun the installer and wait for a minute.\n")
    (folder / "faq.md").write_text("# Questions\n\n## Can I cancel?\n\nYes, at any time.\n")
    (folder / "more" / "prices.html").write_text(
        "<html><body><main><h1>Prices</h1><p>A seat costs five euros a month.</p></main></body></html>"
    )
    return folder


@pytest.fixture
def trained_bot() -> TrainedBot:
    return TrainedBot.objects.create(slug="help", name="Help")


def run(*args: object, **options: object) -> tuple[str, str]:
    """Run `manage.py train` and return its output and its errors."""
    out, err = StringIO(), StringIO()
    call_command("train", *map(str, args), stdout=out, stderr=err, **options)
    return out.getvalue(), err.getvalue()


def find_texts(trained_bot: TrainedBot, word: str) -> list[str]:
    return [hit.passage.text for hit in open_index(trained_bot.index_folder).search({word: 1.0}, 5)]


def test_a_folder_is_trained_for_a_new_bot_with_a_new_key(folder):
    out, err = run("first-aid", folder, new_key=True)
    assert "Created the trained bot “First aid”." in out
    assert "3 documents, 3 passages" in out
    assert err == ""
    bot = TrainedBot.objects.get(slug="first-aid", name="First aid")
    assert keys.find(out.splitlines()[-1]).trained_bot == bot
    assert find_texts(bot, "cancel") == ["Yes, at any time."]
    assert set(bot.documents.values_list("title", flat=True)) == {"Getting started", "Prices", "Questions"}
    trail = [entry.get_change_message() for entry in LogEntry.objects.filter(user__username="command-line")]
    assert sorted(trail) == ["Created a key.", "Trained."]
    assert "Created" not in run("first-aid", folder)[0]


def test_what_has_not_changed_is_neither_read_nor_indexed_again_and_what_is_gone_is_removed(folder, trained_bot):
    train(trained_bot, [folder])
    report = train(trained_bot, [folder])
    assert (report.read, report.unchanged, report.indexed) == (0, 3, False)
    (folder / "faq.md").write_text("# Questions\n\n## Can I cancel?\n\nNo, never.\n")
    report = train(trained_bot, [folder])
    assert (report.read, report.unchanged, report.indexed) == (1, 2, True)
    assert find_texts(trained_bot, "cancel") == ["No, never."]
    (folder / "faq.md").unlink()
    (folder / "new.md").write_text("# Windows\n\nWindows are washed on Fridays.\n")
    report = train(trained_bot)  # without a path, all that it was trained on
    assert (report.read, report.forgotten) == (1, 1)
    assert find_texts(trained_bot, "cancel") == []


def test_documents_from_elsewhere_stay_unless_only_is_given_which_uploads_survive(folder, tmp_path, trained_bot):
    trained_bot.upload_folder.mkdir(parents=True)
    (trained_bot.upload_folder / "given.txt").write_text("Bananas are yellow and grow in bunches.")
    train(trained_bot, [trained_bot.upload_folder])
    assert trained_bot.documents.get().kind == Document.Kind.UPLOAD
    (tmp_path / "other.txt").write_text("Apples are red and grow on trees.")
    assert train(trained_bot, [folder]).documents == 4
    assert train(trained_bot, [tmp_path / "other.txt"], only=True).documents == 2
    assert trained_bot.documents.filter(kind=Document.Kind.UPLOAD).count() == 1


def test_an_unreadable_file_is_named_with_the_reason_and_the_rest_is_trained(folder, settings):
    settings.DOCBOT_FILE_MAX_MB = 1
    (folder / "huge.txt").write_bytes(b"word " * 300_000)
    (folder / "broken.txt").write_bytes(b"\x00\x01\x02" * 100)
    (folder / "old.doc").write_bytes(b"anything")
    out, err = run("help", folder)
    assert f"{folder / 'broken.txt'}: it holds binary data, not text." in err
    assert f"{folder / 'old.doc'}: files of this kind can’t be read: save it in another format (DOCX)." in err
    assert "too large (DOCBOT_FILE_MAX_MB: 1)" in err
    assert "3 documents" in out
    assert "3 that can't be read" in out
    # tried again, as a limit may have been raised
    assert run("help", folder)[1] == err


def test_the_text_of_a_file_stays_when_its_new_content_is_unreadable(folder, trained_bot):
    train(trained_bot, [folder])
    (folder / "faq.md").write_bytes(b"\x00\x01\x02" * 100)
    report = train(trained_bot, [folder])
    assert report.problems == [(str(folder / "faq.md"), "it holds binary data, not text")]
    assert find_texts(trained_bot, "cancel") == ["Yes, at any time."]
    (folder / "faq.md").write_text("# Questions\n\n## Can I cancel?\n\nMaybe.\n")
    assert train(trained_bot, [folder]).problems == []
    assert find_texts(trained_bot, "cancel") == ["Maybe."]


def test_without_anything_to_read_training_is_an_error_and_creates_no_bot(tmp_path):
    with pytest.raises(CommandError, match="There is no file or folder"):
        run("help", tmp_path / "nowhere")
    assert not TrainedBot.objects.exists()
    (tmp_path / "picture.png").write_bytes(b"x")
    with pytest.raises(CommandError, match="no documents to answer from"):
        run("help", tmp_path)


def test_a_folder_that_was_moved_is_not_stored_twice_and_without_documents_the_bot_knows_nothing(folder, trained_bot):
    train(trained_bot, [folder])
    moved = folder.rename(folder.with_name("manual"))
    report = train(trained_bot, [moved])
    assert (report.documents, report.forgotten) == (3, 3)
    for path in moved.rglob("*.*"):
        path.unlink()
    report = train(trained_bot, [moved])
    assert (report.forgotten, report.documents, report.passages) == (3, 0, 0)
    assert find_texts(trained_bot, "cancel") == []


def test_a_path_too_long_to_be_stored_is_named(folder, trained_bot):
    deep = folder
    for _ in range(10):
        deep /= "d" * 200
    deep.mkdir(parents=True)
    (deep / "a.md").write_text("# A\n\nText.\n")
    assert train(trained_bot, [folder]).problems[0][1] == "its path is too long to be kept"


def test_an_interrupted_training_keeps_what_it_read_and_the_old_index(folder, trained_bot):
    train(trained_bot, [folder])
    (folder / "a.md").write_text("# A\n\nApples are red.\n")
    (folder / "b.md").write_text("# B\n\nBananas are yellow.\n")

    def interrupt(step: Any) -> None:
        if step.current.endswith("b.md"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(trained_bot, [folder], progress=interrupt)
    assert find_texts(trained_bot, "cancel") == ["Yes, at any time."]
    assert find_texts(trained_bot, "appl") == []
    assert trained_bot.runs.first().failure == "It was interrupted."
    report = train(trained_bot, [folder])
    assert (report.read, report.unchanged) == (1, 4)
    assert find_texts(trained_bot, "appl") == ["Apples are red."]


def test_private_files_are_left_out(folder, trained_bot):
    (folder / ".secret.md").write_text("# Secret\n\nHidden.\n")
    (folder / ".git").mkdir()
    (folder / ".git" / "notes.md").write_text("# Notes\n\nHidden.\n")
    (folder / "drafts" / "older").mkdir(parents=True)
    (folder / "drafts" / "older" / "left out.md").write_text("# Draft\n\nHidden.\n")
    (folder / "drafts" / IGNORE).touch()
    (folder / "picture.png").write_bytes(b"x")
    os.mkfifo(folder / "pipe.txt")
    report = train(trained_bot, [folder])
    assert report.documents == 3
    assert report.problems == [(str(folder / "pipe.txt"), "it is not a file")]


def test_a_document_of_few_words_is_in_the_language_that_it_says_or_in_that_of_the_others(folder, trained_bot):
    (folder / "menu.html").write_text('<html lang="en"><h1>Menu</h1><p>A pot of tea costs three pounds.</p></html>')
    (folder / "short.md").write_text("# Fruit\n\nApples, pears.\n")
    train(trained_bot, [folder])
    assert trained_bot.documents.get(title="Menu").language == "en"  # by its words it might be Romanian
    assert find_texts(trained_bot, "appl") == ["Apples, pears."]


def test_a_killed_training_leaves_no_lock_behind(folder, database_on_disk, settings):
    """Uses real processes: each is ended in its own way, and the next one trains at once."""
    settings.DATA_DIR = database_on_disk.parent
    for number in range(60):
        (folder / f"{number}.md").write_text(f"# Document {number}\n\n" + "Some words to be read. " * 200)
    environment = os.environ | {"DATA_DIR": str(database_on_disk.parent), "PYTHONWARNINGS": "ignore"}

    command = [sys.executable, "manage.py", "train", "help", str(folder)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    for number, sent in enumerate((signal.SIGKILL, signal.SIGTERM), start=1):
        training = subprocess.Popen(command, env=environment, cwd=Path(__file__).parents[2], **pipes)
        while TrainingRun.objects.count() != number:
            assert training.poll() is None
            time.sleep(0.01)
        training.send_signal(sent)
        _, err = training.communicate()
        assert training.returncode in (-signal.SIGKILL, 130), err
    assert "63 documents" in run("help", folder)[0]


def test_messages_are_stored_while_a_long_training_reports_its_progress(folder, database_on_disk):
    trained_bot = TrainedBot.objects.create(slug="help", name="Help")
    for number in range(300):
        (folder / f"{number}.md").write_text(f"# Document {number}\n\nSome words.\n")

    def somebody_writes() -> None:
        TrainedBot.objects.create(slug=f"other-{TrainedBot.objects.count()}", name="Other")
        connection.close()

    def progress(step: Progress) -> None:
        if step.phase == "indexing" and step.done % 100 == 1:
            thread = threading.Thread(target=somebody_writes)
            thread.start()
            thread.join()
            TrainedBot.objects.filter(pk=trained_bot.pk).update(name=f"Help, {step.done} passages")

    assert train(trained_bot, [folder], progress=progress).passages == 303
    assert TrainedBot.objects.count() == 1 + 4
