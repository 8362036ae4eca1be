"""Set-up from what the bot was trained on, and in a terminal with manage.py set_up."""

import io
from urllib.parse import urljoin

import pytest
from django.contrib.admin.models import LogEntry
from django.core.management import CommandError, call_command
from django.http import HttpResponse
from lxml import html

from desk.access.audit import COMMAND_LINE
from desk.setup.steps import topics_of
from desk.trained_bots import suggest_questions
from docbot.endpoint import keys
from docbot.models import Document, Passage, TrainedBot
from docbot.training.training import train
from tests.desk.test_setup import url
from tests.docbot.sites import Site
from webchat.models import Bot


@pytest.fixture
def trained(bot, settings) -> TrainedBot:
    """A trained bot that answers for the site's bot, still without documents."""
    trained = TrainedBot.objects.create(slug="help", name="Help")
    keys.register(trained, "this site", settings.IN_PROCESS_KEY)
    return trained


def test_questions_and_then_headings_of_several_words_are_suggested(trained):
    for title, headings in (
        ("Prices of cakes", ["When are you open?", "Prices of cakes"]),
        ("About us", ["Warranty", "1. The contract", "About us", "Where to find us", "Where are you?"]),
    ):
        document = Document.objects.create(trained_bot=trained, location=title, title=title)
        for position, heading in enumerate(headings):
            Passage.objects.create(document=document, position=position, heading=heading, text="…")
    questions = ["When are you open?", "Where are you?"]
    assert suggest_questions(trained, 4) == [*questions, "Where to find us", "Warranty"]
    unreadable, too_long = "", "A title that is by far too long for a line on the page"
    for number, title in enumerate((unreadable, too_long, "About us")):
        Document.objects.create(trained_bot=trained, location=f"{number}.md", title=title)
    assert topics_of(trained) == "Prices of cakes, About us"


@pytest.fixture
def train_on(trained, bot, settings, tmp_path):
    """Return a function that trains the bot on a document with these questions as headings, as in the background."""
    settings.DATA_DIR = tmp_path / "var"

    def on(*questions: str) -> None:
        sections = "".join(f"## {question}\n\nRight here, every day of the week.\n\n" for question in questions)
        (tmp_path / "shop.md").write_text(f"# The shop\n\n{sections}")
        train(trained, [tmp_path / "shop.md"])

    return on


def test_an_owner_who_continues_during_the_training_gets_its_questions_afterwards(train_on, bot, admin_client):
    shown = html.fromstring(admin_client.get(url("look")).content)
    boxes = shown.xpath("//form[.//*[@name='greeting']]//*[self::input or self::textarea][@name]")
    look = {each.name: each.value or "" for each in boxes}
    assert look["suggestions"].strip() == ""
    train_on("When are you open?", "Where are you?")
    bot.refresh_from_db()
    assert bot.suggested_questions == ["When are you open?", "Where are you?"]
    assert bot.can_help == ""  # too few documents: there is one
    admin_client.post(url("look"), look)  # as the page opened before sends it
    bot.refresh_from_db()
    assert bot.suggested_questions == ["When are you open?", "Where are you?"]


def test_the_owners_own_and_removed_questions_are_not_replaced(train_on, bot, admin_client):
    Bot.objects.update(suggestions="What?")
    train_on("When are you open?")
    assert Bot.objects.get().suggestions == "What?"
    look = {"name": "Ada", "greeting": "Hi", "suggestions": "", "initial-suggestions": "What?", "accent": "#2b59c8"}
    admin_client.post(url("look"), look)
    assert Bot.objects.get().suggestions == ""
    train_on("When are you open?", "Where are you?")
    assert Bot.objects.get().suggestions == ""


def test_the_tab_look_adds_headings_of_later_documents_to_the_questions_when_asked(train_on, trained, bot, browser):
    at = f"/admin/webchat/bot/{bot.pk}/look/"
    train_on("When are you open?")
    train_on("When are you open?", "Where are you?")

    def questions(page: HttpResponse) -> list[str]:
        return html.fromstring(page.content).xpath("string(//*[@name='suggestions'])").strip().splitlines()

    [link] = html.fromstring(browser.get(at).content).xpath("//*[@id='id_suggestions_helptext']//a/@href")
    offered = browser.get(urljoin(at, link))
    assert questions(offered) == ["When are you open?", "Where are you?"]
    note = html.fromstring(offered.content).xpath("//*[@data-unsaved]")[0]
    assert note.text == note.get("data-unsaved")  # which warns before the page is left
    assert questions(browser.get(at)) == ["When are you open?"]  # nothing was stored
    look = dict(html.fromstring(offered.content).get_element_by_id("bot_form").form_values())
    assert browser.post(urljoin(at, link), look).status_code == 302
    assert Bot.objects.get().suggested_questions == ["When are you open?", "Where are you?"]
    assert "no other headings" in browser.get(urljoin(at, link)).content.decode()


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
        for options, accent in (((), "#bb2266"), (("--accent", "#0a7d4f"), "#0a7d4f")):
            assert "is set up" in set_up("--look-of", website.at("/"), *options)
            assert Bot.objects.get().accent == accent
        with pytest.raises(CommandError, match="No colour or icon was found"):
            set_up("--look-of", website.at("/plain"))
    with pytest.raises(CommandError, match="could not be read"):
        set_up("--look-of", "http://127.0.0.1:9/")


def test_a_service_gets_its_key_from_the_standard_input_and_nothing_is_locked_meanwhile(bot, monkeypatch):
    written = []

    class Typing(io.StringIO):
        def readline(self) -> str:
            written.append(Bot.objects.filter(name="Bella").exists())
            return super().readline()

    monkeypatch.setattr("sys.stdin", Typing("secret-key\n"))
    said = set_up("--name", "Bella", "--service", "https://bots.example.com/")
    assert written == [False]
    bot.refresh_from_db()
    assert (bot.base_url, bot.upstream_key) == ("https://bots.example.com", "secret-key")
    assert "secret-key" not in said + bot.sealed_key


def test_mistakes_are_named_and_nothing_is_changed(bot, monkeypatch):
    for options, sentence in (
        (("--name", "Bella", "--website", "www.example.com/page"), "Addresses of your websites: "),
        (("--name", "Bella", "--accent", "reddish"), "Accent colour: "),
        (("--name", "Bella", "--service", "http://bots.example.com"), "Address: Use https"),
        ((), "Nothing to change: add an option, such as --name"),
    ):
        monkeypatch.setattr("sys.stdin", io.StringIO("key\n"))
        with pytest.raises(CommandError, match=sentence):
            set_up(*options)
    with pytest.raises(CommandError, match="Bots: help"):
        call_command("set_up", "shop", "--name", "Bella")
    assert Bot.objects.get().name == bot.name
