"""`manage.py prepare`: makes everything once; a second time it changes nothing."""

import io
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.core.management import call_command

from chatsite.management.commands.prepare import Command
from docbot.models import TrainedBot
from webchat.models import Bot


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of static files that all tests share: hundreds are copied."""
    return tmp_path_factory.mktemp("static")


@pytest.fixture(autouse=True)
def fresh_machine(db, settings, collected: Path, tmp_path: Path) -> Path:
    """Return the folder of a machine without data, where the manual is one page."""
    settings.DATA_DIR, settings.MEDIA_ROOT = tmp_path / "var", tmp_path / "var/media"
    settings.STATIC_ROOT, settings.MANUAL = collected, tmp_path / "manual"
    settings.DATA_DIR.mkdir()
    settings.MANUAL.mkdir()
    (settings.MANUAL / "key.md").write_text("# Keys\n\nA key is set at the desk.\n")
    return tmp_path


def prepare() -> str:
    said = io.StringIO()
    call_command("prepare", stdout=said)
    return said.getvalue()


def files_below(folder: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


def rows() -> str:
    everything = io.StringIO()
    call_command("dumpdata", stdout=everything)
    return everything.getvalue()


def test_the_default_bot_is_created_and_answers_from_the_manual(client, settings, capsys):
    """The page asks docbot with its key, without a socket."""
    settings.MANUAL = settings.BASE_DIR / "docs"
    assert "Created the bot “help”." in prepare()
    call_command("check_bot")
    said = capsys.readouterr().out
    assert "OK  REPLY" in said
    assert "costs" not in said  # as one of another service would
    bot = Bot.objects.get()
    assert (bot.slug, bot.name) == ("help", "Help")
    assert len(bot.suggested_questions) == 3
    locations = TrainedBot.objects.get().documents.values_list("location", flat=True)
    assert {Path(place).name for place in locations} == {path.name for path in settings.MANUAL.glob("*.md")}
    form = {"message": "How do I set my bot's key?", "key": "5f7d2a3e-33c5-4a0e-9a53-3c5b6a5e8a11"}
    page = client.post("/chat/help/messages", form, follow=True).content.decode()
    assert 'data-state="answered"' in page
    assert "BOT_API_KEY" in page


def test_running_prepare_again_prints_and_changes_nothing_of_the_owners(fresh_machine, collected):
    prepare()
    Bot.objects.update(name="Ada", greeting="Hi", suggestions="")
    before = files_below(fresh_machine), files_below(collected), rows()
    assert prepare() == ""
    assert (files_below(fresh_machine), files_below(collected), rows()) == before


def test_of_two_simultaneous_runs_one_collects_static_files_and_the_other_waits(settings, tmp_path):
    settings.STATIC_ROOT = tmp_path / "static"
    commands = [Command(stdout=io.StringIO()) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        for collecting in [pool.submit(command.collect_static_files) for command in commands]:
            collecting.result()
    assert sorted(command.stdout.getvalue() for command in commands) == ["", "", "", "Collecting the static files …\n"]
    assert (settings.STATIC_ROOT / "webchat/chat.js").exists()


def test_the_default_bot_mentions_the_manual_only_if_docbot_answers(settings):
    settings.CHAT_BASE_URL = "https://bot.example"
    prepare()
    assert not TrainedBot.objects.exists()
    assert "manual" not in Bot.objects.get().greeting
    assert Bot.objects.get().suggested_questions == []
    settings.CHAT_BASE_URL = settings.IN_PROCESS_URL
    prepare()
    assert "manual" in Bot.objects.get().greeting
    settings.CHAT_BASE_URL = "https://bot.example"
    prepare()
    assert "manual" not in Bot.objects.get().greeting


def test_once_trained_on_other_documents_only_it_suggests_no_questions_about_the_manual(fresh_machine, settings):
    prepare()
    (fresh_machine / "bicycles.md").write_text("# Bicycles\n\nA bell costs five euros.\n")
    call_command("train", "help", str(fresh_machine / "bicycles.md"))
    assert "manual" in Bot.objects.get().greeting  # the bot answers from both
    call_command("train", "help", str(fresh_machine / "bicycles.md"), "--only")
    prepare()
    assert TrainedBot.objects.get().documents.count() == 1
    assert "manual" not in Bot.objects.get().greeting
    assert Bot.objects.get().suggested_questions == []
    call_command("train", "help", str(settings.MANUAL), "--only")
    assert len(Bot.objects.get().suggested_questions) == 3


def test_an_index_that_an_update_cannot_read_is_rebuilt(fresh_machine, settings):
    (fresh_machine / "bicycles.md").write_text("# Bicycles\n\nA bell costs five euros.\n")
    call_command("train", "shop", str(fresh_machine / "bicycles.md"))
    (TrainedBot.objects.get(slug="shop").index_folder / "built_from").write_text("another version")
    assert "Built the index of “shop”." in prepare()


def test_a_default_bot_that_was_deleted_or_renamed_is_not_recreated(client, settings):
    prepare()
    TrainedBot.objects.all().delete()
    prepare()
    assert not TrainedBot.objects.exists()
    Bot.objects.update(slug="shop")
    assert "Created" not in prepare()
    assert not TrainedBot.objects.exists()
    assert client.get("/").url == "/chat/shop/"
    Bot.objects.get().begin_deletion()
    assert "Created the bot “help”." in prepare()  # a site without a bot isn't ready
