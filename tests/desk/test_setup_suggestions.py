"""Questions and topics that the set-up suggests from what the bot was trained on."""

from urllib.parse import urljoin

import pytest
from django.http import HttpResponse
from lxml import html

from desk.setup.steps import topics_of
from desk.trained_bots import suggest_questions
from docbot.endpoint import keys
from docbot.models import Document, Passage, TrainedBot
from docbot.training.training import train
from tests.desk.test_setup import url
from webchat.models import Bot


@pytest.fixture
def trained(bot, settings) -> TrainedBot:
    """A trained bot that answers for the site's bot, still without documents."""
    trained = TrainedBot.objects.create(slug="help", name="Help")
    keys.register(trained, "this site", settings.IN_PROCESS_KEY)
    return trained


def test_suggested_questions_come_from_the_documents_headings(trained):
    for number, headings in enumerate([("When are you open?", "Prices of cakes"), ("Where are you?", "Hours")]):
        document = Document.objects.create(trained_bot=trained, location=f"{number}.md", title="Prices of cakes")
        for position, heading in enumerate(headings):
            Passage.objects.create(document=document, position=position, heading=heading, text="…")
    assert suggest_questions(trained, 3) == ["When are you open?", "Where are you?", "Hours"]


def test_a_heading_of_several_words_is_suggested_before_a_single_word(trained):
    document = Document.objects.create(trained_bot=trained, location="about.md", title="About us")
    for position, heading in enumerate(["Warranty", "1. The contract", "About us", "Where to find us"]):
        Passage.objects.create(document=document, position=position, heading=heading, text="…")
    assert suggest_questions(trained, 3) == ["Where to find us", "Warranty"]


def test_the_bot_can_help_with_the_titles_of_its_documents(trained):
    unreadable = ""
    titles = ("Prices", unreadable, "A title that is by far too long for a line on the page", "Repairs", "Prices")
    for number, title in enumerate(titles):
        Document.objects.create(trained_bot=trained, location=f"{number}.md", title=title)
    assert topics_of(trained) == "Prices, Repairs"


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


def test_a_second_training_suggests_nothing(train_on, trained, bot, tmp_path):
    train_on("When are you open?")
    Bot.objects.update(suggestions="")
    (tmp_path / "more.md").write_text("# More\n\n## Where are you?\n\nRight here.\n")
    train(trained, [tmp_path / "more.md"])
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
