"""`manage.py set_up`: the steps of the set-up in a terminal."""

import io

import pytest
from django.contrib.admin.models import LogEntry
from django.core.management import CommandError, call_command

from desk.access.audit import COMMAND_LINE
from tests.docbot.sites import Site
from webchat.models import Bot


def set_up(*options: str) -> str:
    said = io.StringIO()
    call_command("set_up", "help", *options, stdout=said)
    return said.getvalue()


def test_given_values_are_set_and_the_others_kept(bot):
    Bot.objects.update(greeting="Good day!")
    questions = ("--question", "When are you open?", "--question", "Where are you?", "--next-question", "And then?")
    said = set_up("--name", "Bella", "--accent", "#0a7d4f", *questions, "--website", "https://www.example.com")
    bot.refresh_from_db()
    assert (bot.name, bot.accent, bot.greeting) == ("Bella", "#0a7d4f", "Good day!")
    assert bot.suggested_questions == ["When are you open?", "Where are you?"]
    assert bot.questions_to_ask_next == ["And then?"]
    assert bot.allowed_origins == ["https://www.example.com"]
    assert "check_bot help" in said
    assert LogEntry.objects.filter(user__username=COMMAND_LINE).count() == 3


def test_colour_and_icon_are_taken_from_a_website_and_an_option_has_precedence(bot, settings):
    settings.DOCBOT_ALLOW_PRIVATE = True
    with Site() as website:
        website.page("/", head='<meta name="theme-color" content="#b26">')
        website.page("/plain")
        assert "is set up" in set_up("--look-of", website.at("/"))
        bot.refresh_from_db()
        assert (bot.name, bot.accent) == ("Ada", "#bb2266")
        set_up("--look-of", website.at("/"), "--accent", "#0a7d4f")
        bot.refresh_from_db()
        assert bot.accent == "#0a7d4f"
        with pytest.raises(CommandError, match="No colour or icon was found"):
            set_up("--look-of", website.at("/plain"))
    with pytest.raises(CommandError, match="could not be read"):
        set_up("--look-of", "http://127.0.0.1:9/")
    said = LogEntry.objects.filter(user__username=COMMAND_LINE).latest("pk").get_change_message()
    assert said == "Changed its name and look in the set-up."


def test_nobody_else_has_to_wait_while_the_key_is_being_typed(bot, monkeypatch):
    written = []

    class Typing(io.StringIO):
        def readline(self) -> str:
            written.append(Bot.objects.filter(name="Bella").exists())
            return super().readline()

    monkeypatch.setattr("sys.stdin", Typing("secret-key\n"))
    set_up("--name", "Bella", "--service", "https://bots.example.com/")
    assert written == [False]


def test_a_service_gets_its_key_from_the_standard_input(bot, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("secret-key\n"))
    said = set_up("--service", "https://bots.example.com/")
    bot.refresh_from_db()
    assert (bot.base_url, bot.upstream_key) == ("https://bots.example.com", "secret-key")
    assert "secret-key" not in said + bot.sealed_key


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--website", "www.example.com/page"), "Addresses of your websites: "),
        (("--accent", "reddish"), "Accent colour: "),
        (("--service", "http://bots.example.com"), "Address: Use https"),
    ],
)
def test_mistakes_are_named_and_nothing_is_changed(bot, monkeypatch, options, sentence):
    monkeypatch.setattr("sys.stdin", io.StringIO("key\n"))
    with pytest.raises(CommandError, match=sentence):
        set_up("--name", "Bella", *options)
    assert Bot.objects.get().name == bot.name


def test_without_an_option_nothing_is_said_to_be_set_up(bot):
    with pytest.raises(CommandError, match="Nothing to change: add an option, such as --name"):
        set_up()


def test_for_an_unknown_bot_the_existing_ones_are_listed_by_the_command(bot):
    with pytest.raises(CommandError, match="Bots: help"):
        call_command("set_up", "shop", "--name", "Bella")
