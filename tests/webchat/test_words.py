"""The owner's texts in each of a bot's languages: which of them a visitor reads, on every surface."""

import pytest

from tests.webchat.visitor import Page, Visitor
from webchat.models import Bot, BotWords, Conversation

GERMAN = {
    "greeting": "Guten *Tag*!",
    "can_help": "Öffnungszeiten",
    "suggestions": "Wann ist offen?",
    "teaser": "Fragen?",
    "privacy_note": "Zum Datenschutz",
    "closed_notice": "Zu bis Montag",
    "handover_next": "Wir melden uns.",
}


@pytest.fixture
def in_german(bot: Bot) -> BotWords:
    """The German texts of a bot with two more languages: German, and Arabic, which isn't translated yet."""
    Bot.objects.update(
        languages="de,ar", cannot_help="invoices", teaser="Questions?", launcher_label="Chat", in_portal=True
    )
    return BotWords.objects.create(bot=bot, language="de", **GERMAN)


def open_in(visitor: Visitor, language: str, path: str = "/chat/help/") -> Page:
    visitor.client.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    return visitor.open(path)


def suggested_questions(page: Page) -> list[str]:
    return [each.get("value") for each in page.all("button[@data-suggestion]")]


@pytest.mark.parametrize("path", ["/chat/help/", "/embed/help/"])
def test_a_visitor_reads_the_texts_in_their_language(path, visitor, in_german):
    page = open_in(visitor, "de", path)
    assert page.one("*[@data-greeting]//em").text == "Tag"
    assert [each.text for each in page.all("*[@data-abilities]//dd")] == ["Öffnungszeiten", "invoices"]
    assert suggested_questions(page) == ["Wann ist offen?"]
    assert "Zum Datenschutz" in page.one("*[@data-privacy]").text_content()


def test_a_missing_text_is_shown_in_the_default_language(visitor, in_german):
    page = open_in(visitor, "ar")
    assert page.tree.get("dir") == "rtl"
    assert page.one("*[@data-greeting]//strong").text == "anything"
    BotWords.objects.update(suggestions="")
    page = open_in(visitor, "de")
    assert page.one("*[@data-greeting]//em").text == "Tag"
    assert suggested_questions(page) == ["When are you open?", "Where do I find you?"]


def test_the_launcher_gets_teaser_and_label_in_the_visitors_language(client, in_german):
    def launcher(query: str = "", **headers: str) -> dict[str, str]:
        response = client.get(f"/embed/help/launcher.json{query}", headers=headers)
        assert "Accept-Language" in response["Vary"]
        return response.json()

    assert launcher("?lang=de")["teaser"] == "Fragen?"
    assert launcher(accept_language="de")["teaser"] == "Fragen?"
    assert launcher("?lang=de")["label"] == "Chat"
    assert launcher()["teaser"] == launcher("?lang=ar")["teaser"] == "Questions?"


def test_consent_in_one_language_is_not_asked_for_in_another(visitor, in_german):
    Bot.objects.update(consent="I agree.")
    BotWords.objects.update(consent="Ich stimme zu.")
    page = open_in(visitor, "de")
    assert "Ich stimme zu." in page.one("*[@id='composer-consent']").text_content()
    visitor.send("Hallo", consent=page.one("input[@data-consent]").get("value"))
    assert not open_in(visitor, "en").all("input[@data-consent]")
    visitor.send("And on")
    assert Conversation.objects.get().consented_to == "Ich stimme zu."
    BotWords.objects.update(consent="Ich stimme allem zu.")
    assert open_in(visitor, "de").all("input[@data-consent]")
