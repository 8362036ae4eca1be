"""Training a bot at the desk: uploads and websites, trained on by real processes, with progress."""

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.contrib.admin.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, RequestFactory
from django.utils import timezone
from lxml import html

from docbot.dashboard.forms import safe_name
from docbot.endpoint.exchanges import compose_reply
from docbot.models import AlreadyTraining, Document, TaughtAnswer, TrainedBot, TrainingRun, TrainingStopped
from docbot.training.launching import launch
from docbot.training.training import train
from tests.docbot.sites import Site

WATERING = "The roses are watered in the evening, the tomatoes in the morning."
GUIDE = f"# Garden\n\n## Watering\n\n{WATERING}\n".encode()


def url(bot: TrainedBot, rest: str) -> str:
    return f"/admin/docbot/trainedbot/{bot.pk}/{rest}"


def panel(client: Client, bot: TrainedBot) -> html.HtmlElement:
    return html.fromstring(client.get(url(bot, "training/")).content.decode())


def words(element: html.HtmlElement) -> str:
    return " ".join(element.text_content().split())


@pytest.fixture
def wait_for_end(admin_client: Client, bot: TrainedBot) -> Callable[[], str]:
    """Return a function that polls as the page does, until the training has ended, and returns what the page says."""

    def wait() -> str:
        for _ in range(300):
            shown = panel(admin_client, bot)
            if not shown.get("hx-get"):
                return words(shown)
            time.sleep(0.05)
        raise AssertionError(words(shown))

    return wait


def test_uploaded_files_are_trained_on_and_quoted(admin_client, bot, database_on_disk, wait_for_end):
    files = [SimpleUploadedFile("garden.md", GUIDE), SimpleUploadedFile("../up: and away.txt", b"The shed is green.")]
    answers = "/admin/webchat/bot/7/answers/"
    assert admin_client.post(url(bot, "upload/"), {"files": files, "next": answers})["Location"] == answers
    shown = wait_for_end()
    assert "Trained just now" in shown
    assert "garden.md" in shown
    assert {entry.user.username for entry in LogEntry.objects.all()} == {"admin"}  # not "command-line"
    assert str(bot.upload_folder) not in shown  # the desk doesn't show the server's folders
    uploads = Document.objects.filter(trained_bot=bot, kind=Document.Kind.UPLOAD)
    assert {Path(document.location).parent for document in uploads} == {bot.upload_folder}
    garden = uploads.get(title="Garden")
    assert garden.passages.exists()
    document = admin_client.get(f"/admin/docbot/document/{garden.pk}/change/").content.decode()
    assert str(bot.upload_folder) not in document
    shown = admin_client.post(url(bot, "try/"), {"message": "When are the roses watered?"})
    assert "in the evening" in shown.content.decode()
    assert Document.objects.filter(title="Repairs").exists()  # earlier documents stay


def test_a_deleted_upload_is_no_longer_quoted(admin_client, bot, database_on_disk, wait_for_end):
    bot.upload_folder.mkdir(parents=True)
    file = bot.upload_folder / "garden.md"
    file.write_bytes(GUIDE)
    train(bot, [bot.upload_folder])
    TrainingRun.objects.all().delete()
    document = Document.objects.get(title="Garden")
    admin_client.post(f"/admin/docbot/document/{document.pk}/delete/", {"post": "yes"})
    assert not file.exists()
    wait_for_end()
    shown = admin_client.post(url(bot, "try/"), {"message": "When are the roses watered?"})
    assert "in the evening" not in shown.content.decode()


def test_a_training_that_cannot_start_says_why(admin_client, bot, database_on_disk, wait_for_end):
    launch(bot, ["/nowhere/at/all"]).join()
    said = wait_for_end()
    assert "The last training failed" in said
    assert "/nowhere/at/all" in said


def test_the_day_of_a_taught_answer_is_that_of_the_owners_time_zone(bot, database_on_disk):
    question, noon = "Who waters the cactus?", datetime(2026, 1, 2, 12, tzinfo=UTC)
    TaughtAnswer.objects.create(trained_bot=bot, question=question, text="Olga does.", taught_at=noon)
    with timezone.override("Pacific/Kiritimati"):  # where it is the next day
        bot.upload_folder.mkdir(parents=True)
        launch(bot, [str(bot.upload_folder)]).join()
        assert "Answered by the team, 3 January 2026" in compose_reply(bot, question, []).answer.text


@pytest.fixture
def website(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A website of one page on loopback."""
    monkeypatch.setenv("DOCBOT_ALLOW_PRIVATE", "1")
    monkeypatch.setenv("DOCBOT_SITE_DELAY", "0")
    with Site() as site:
        site.page("/", WATERING)
        yield site.at("/")


def test_a_website_is_trained_on_and_removed(admin_client, bot, website, database_on_disk, wait_for_end):
    admin_client.post(url(bot, "website/"), {"url": website})
    assert "Trained just now" in wait_for_end()
    page = Document.objects.get(kind=Document.Kind.WEBSITE)
    assert (page.origin, page.url) == (website, website)
    TrainingRun.objects.all().delete()
    admin_client.post(url(bot, "forget/"), {"origin": website})
    assert "Trained just now" in wait_for_end()
    assert not Document.objects.filter(kind=Document.Kind.WEBSITE).exists()
    shown = admin_client.post(url(bot, "try/"), {"message": "When are the roses watered?"})
    assert WATERING not in shown.content.decode()


# --- What is refused ---


@pytest.fixture
def documents_page(admin_client: Client, bot: TrainedBot) -> str:
    return f"/admin/docbot/document/?trained_bot__id__exact={bot.pk}"


def test_bad_files_are_named_and_the_good_ones_of_the_same_upload_are_kept(admin_client, bot, settings, monkeypatch):
    admin_client.post(url(bot, "upload/"), {"files": [SimpleUploadedFile("film.exe", b"x")]})
    assert not bot.upload_folder.exists()
    assert not TrainingRun.objects.exists()
    settings.DOCBOT_FILE_MAX_MB = 1
    monkeypatch.setattr("docbot.dashboard.training.launch", lambda *given: None)
    contents = {"good.md": b"# Good", "film.exe": b"x", "empty.md": b"", "big.md": b"x" * (2 << 20), "also.txt": b"Yes"}
    contents |= {"old.doc": b"x", "song.mp3": b"x"}
    files = [SimpleUploadedFile(name, content) for name, content in contents.items()]
    answer = admin_client.post(url(bot, "upload/"), {"files": files}, follow=True).content.decode()
    assert {file.name for file in bot.upload_folder.iterdir()} == {"good.md", "also.txt"}
    for sentence in (
        "“film.exe”: files of this kind can’t be read. Upload PDF, Word",
        "“old.doc”: files of this kind can’t be read: save it in another format (DOCX)",
        "“empty.md”: it is empty",
        "“big.md”: it is too large (DOCBOT_FILE_MAX_MB: 1)",
        "2 files have been uploaded",
    ):
        assert sentence in answer


def test_after_a_training_that_found_nothing_the_bot_is_not_called_trained(admin_client, bot, documents_page):
    other = TrainedBot.objects.create(slug="other", name="Other")
    bot.documents.update(trained_bot=other)
    TrainingRun.objects.create(trained_bot=bot, finished_at=timezone.now())
    shown = admin_client.get(documents_page)
    assert "Trained just now" not in shown.content.decode()
    assert "The last training found nothing" in shown.content.decode()
    assert shown.context["cl"].result_count == 0  # none of another bot's
    assert admin_client.get(f"/admin/docbot/document/?trained_bot__id__exact={other.pk}").context["cl"].result_count > 0


@pytest.mark.parametrize("wrong", ["", "not an address", "ftp://example.com/", "--afresh"])
def test_an_invalid_website_is_refused(admin_client, bot, wrong):
    response = admin_client.post(url(bot, "website/"), {"url": wrong})
    shown = html.fromstring(response.content)
    assert shown.xpath("//*[@data-problems]//a/@href") == ["#id_url"]
    assert shown.xpath("//input[@id='id_url']/@value") == [wrong][: bool(wrong)]
    assert not TrainingRun.objects.exists()


# --- Progress ---


def test_the_page_follows_a_running_training_refuses_a_second_and_stops_it(admin_client, bot, documents_page):
    run = TrainingRun.objects.begin(bot)
    run.report(250, 1000, "guide/roses.md")
    (shown,) = html.fromstring(admin_client.get(documents_page).content.decode()).xpath("//section[@id='training']")
    assert shown.get("hx-trigger") == "every 1s"
    (bar,) = shown.xpath(".//progress")
    assert (bar.get("value"), bar.get("max")) == ("250", "1000")
    assert "250 of 1000 documents read" in words(shown)
    assert "guide/roses.md" in words(shown)
    response = admin_client.post(url(bot, "train/"), follow=True)
    assert "being trained already" in response.content.decode()
    assert TrainingRun.objects.count() == 1
    run.report(0, 1, str(bot.upload_folder))
    german = admin_client.get(url(bot, "training/"), headers={"Accept-Language": "de"}).content.decode()
    assert "hochgeladene Dateien" in german
    admin_client.post(url(bot, "stop/"))
    with pytest.raises(TrainingStopped):
        run.report(1, 2)
    assert issubclass(TrainingStopped, KeyboardInterrupt)  # training ends on Ctrl-C, too


def test_the_last_update_refreshes_the_list_of_documents(admin_client, bot):
    run = TrainingRun.objects.begin(bot)
    assert "HX-Trigger-After-Swap" not in admin_client.get(url(bot, "training/")).headers
    run.finish([("old.doc", "save it as DOCX")])
    response = admin_client.get(url(bot, "training/"))
    assert response.headers["HX-Trigger-After-Swap"] == "trained"
    said = words(html.fromstring(response.content.decode()))
    assert "1 document could not be read" in said
    assert "save it as DOCX" in said


def test_a_training_is_shown_from_the_moment_in_which_it_was_asked_for(bot, admin_client, database_on_disk):
    bot.upload_folder.mkdir(parents=True)
    training = launch(bot, [str(bot.upload_folder)])
    assert "Looking for documents" in words(panel(admin_client, bot))
    with pytest.raises(AlreadyTraining):
        launch(bot)
    training.join()
    assert TrainingRun.objects.get().finished_at


# --- Runs ---


def test_a_dead_training_is_shown_as_stopped_and_does_not_block_the_next(bot, admin_client):
    dead = TrainingRun.objects.begin(bot)
    TrainingRun.objects.update(heartbeat=timezone.now() - timedelta(minutes=3))
    assert "stopped unexpectedly" in words(panel(admin_client, bot))
    assert TrainingRun.objects.begin(bot).is_running
    dead.refresh_from_db()
    assert dead.failure


@pytest.mark.parametrize(
    ("named", "kept"),
    [
        ("guide.md", "guide.md"),
        ("../../etc/guide.md", "guide.md"),
        ("C:\\Users\\me\\guide.md", "guide.md"),
        (".hidden.md", "hidden.md"),
        ("a\x07b\x00.md", "ab.md"),
        ("Über uns.md", "Über uns.md"),
        ("語" * 200 + ".md", "語" * 65 + ".md"),
    ],
)
def test_an_uploads_name_stays_inside_its_folder(named, kept):
    sent = RequestFactory().post("/", {"files": SimpleUploadedFile(named, b"Some text.")})
    assert safe_name(sent.FILES["files"].name) == kept
