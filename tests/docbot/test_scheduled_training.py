"""Websites and folders are read again daily or weekly, and changes are listed."""

import datetime
from pathlib import Path

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.utils import timezone
from lxml import html

from docbot.models import ReadsAgain, TrainedBot, TrainingRun
from docbot.training import retraining
from docbot.training.training import train

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_data_folder")]
NOW = datetime.datetime(2026, 11, 23, 9, tzinfo=datetime.UTC)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, text in {"hours": "We open at nine.", "prices": "A seat costs five euros.", "old": "Once."}.items():
        (folder / f"{name}.md").write_text(f"# {name.capitalize()}\n\n{text}\n")
    return folder


@pytest.fixture
def trained(folder: Path) -> TrainedBot:
    bot = TrainedBot.objects.create(slug="shop", name="Shop")
    train(bot, [folder])
    return bot


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the bots whose trainings were started."""
    names: list[str] = []
    monkeypatch.setattr(retraining, "launch", lambda bot: names.append(bot.slug))
    return names


def changes_of(bot: TrainedBot) -> dict[str, list[str]]:
    """Return which files the last training added, changed and removed."""
    return {one["what"]: [Path(each).name for each in one["locations"]] for one in bot.runs.first().changes}


def test_a_training_lists_added_changed_and_removed_documents(trained, folder):
    assert changes_of(trained) == {"added": ["hours.md", "old.md", "prices.md"]}
    train(trained)
    assert changes_of(trained) == {}
    (folder / "prices.md").write_text("# Prices\n\nA seat costs six euros.\n")
    (folder / "new.md").write_text("# News\n\nWe have moved.\n")
    (folder / "old.md").unlink()
    train(trained)
    assert changes_of(trained) == {"added": ["new.md"], "changed": ["prices.md"], "gone": ["old.md"]}


@pytest.mark.parametrize(
    ("chosen", "days_ago", "starts"),
    [
        (ReadsAgain.NEVER, 30, False),
        (ReadsAgain.DAILY, 0.9, False),
        (ReadsAgain.DAILY, 1, True),
        (ReadsAgain.WEEKLY, 6.9, False),
        (ReadsAgain.WEEKLY, 7, True),
    ],
)
def test_a_scheduled_training_starts_once_when_it_is_due(chosen, days_ago, starts, trained, launched, monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: NOW)
    last = NOW - datetime.timedelta(days=days_ago)
    TrainedBot.objects.update(reads_again=chosen, read_again_at=last)
    retraining.read_again()
    retraining.read_again()
    assert launched == (["shop"] if starts else [])
    assert TrainedBot.objects.get().read_again_at == (NOW if starts else last)


def test_a_bot_in_training_waits_for_the_next_time(trained, launched):
    TrainedBot.objects.update(reads_again=ReadsAgain.DAILY)
    run = TrainingRun.objects.begin(trained)
    retraining.read_again()
    assert launched == []
    run.finish()
    retraining.read_again()
    assert launched == ["shop"]


def documents_page(client: Client, bot: TrainedBot) -> html.HtmlElement:
    response = client.get(f"/admin/docbot/document/?trained_bot__id__exact={bot.pk}")
    return html.fromstring(response.content.decode())


def test_the_owner_chooses_how_often_and_reads_what_has_changed(admin_client, trained):
    response = admin_client.post(f"/admin/docbot/trainedbot/{trained.pk}/again/", {"reads_again": "weekly"})
    assert response.status_code == 302
    trained.refresh_from_db()
    assert trained.reads_again == "weekly"
    assert timezone.now() - trained.read_again_at < datetime.timedelta(minutes=1)
    assert LogEntry.objects.first().change_message == "Changed how often websites and folders are read again."
    again = {"HTTP_ACCEPT_LANGUAGE": "de", "follow": True}
    german = admin_client.post(f"/admin/docbot/trainedbot/{trained.pk}/again/", {"reads_again": "weekly"}, **again)
    assert "erneut gelesen: jede Woche." in german.content.decode()
    shown = documents_page(admin_client, trained)
    assert shown.xpath("//select[@name='reads_again']/option[@selected]/@value") == ["weekly"]
    shown_at = f"/admin/docbot/document/?trained_bot__id__exact={trained.pk}"
    [form] = [each for each in shown.forms if (each.action or "").endswith("/again/")]
    assert form.fields["next"] == shown_at
    answers = "/admin/webchat/bot/7/answers/"
    for page, leads_to in ((answers, answers), ("//evil.example/", shown_at), ("https://evil.example/", shown_at)):
        chosen = {"reads_again": "weekly", "next": page}
        assert admin_client.post(form.action, chosen)["Location"] == leads_to
    [changed] = shown.xpath("//section[@id='training']/details[summary='What has changed']")
    assert "Added: 3" in " ".join(changed.text_content().split())
    assert len(changed.xpath(".//li")) == 3
