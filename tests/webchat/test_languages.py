"""The language and text direction of each page."""

import datetime

import pytest
from django.conf import settings
from django.utils import timezone
from lxml.html import HtmlElement

from tests.webchat.visitor import Page
from webchat.models import Bot, Turn

SEND = {"en": "Send", "de": "Senden", "fr": "Envoyer", "es": "Enviar", "pt": "Enviar", "it": "Invia", "nl": "Verzenden"}
SEND |= {"pl": "Wyślij", "ar": "إرسال", "hi": "भेजें", "ja": "送信", "zh-hans": "发送"}


def language_of(page: Page) -> str:
    """Return the language of a page, if everything that states it agrees."""
    language = page.tree.get("lang")
    assert page.tree.get("dir") == ("rtl" if language == "ar" else "ltr")
    assert page.response["Content-Language"] == language
    return language


def test_the_page_speaks_each_language_in_its_direction(visitor):
    assert {code for code, _name in settings.LANGUAGES} == SEND.keys()
    for language, word in SEND.items():
        page = visitor.open(f"/chat/help/?lang={language}")
        assert language_of(page) == language
        assert page.one("button[@class='send']").get("aria-label") == word


@pytest.mark.parametrize(
    ("asked", "kept", "bots", "browsers", "spoken"),
    [
        ("", "", "", "", "en"),
        ("", "", "", "fr-CH, de;q=0.9", "fr"),
        ("", "", "", "fi, nl;q=0.5", "nl"),
        ("", "", "", "pt-BR", "pt"),
        ("", "", "", "zh-CN", "zh-hans"),
        ("", "", "de", "fr", "de"),
        ("", "it", "de", "fr", "it"),
        ("pl", "it", "de", "fr", "pl"),
        ("PT-br", "", "de", "fr", "pt"),
    ],
)
def test_the_url_decides_then_an_earlier_one_then_the_bot_then_the_browser(
    asked, kept, bots, browsers, spoken, visitor
):
    Bot.objects.update(language=bots)
    visitor.client.defaults["HTTP_ACCEPT_LANGUAGE"] = browsers
    if kept:
        visitor.open(f"/chat/help/?lang={kept}")
    assert language_of(visitor.open(f"/chat/help/?lang={asked}" if asked else "/chat/help/")) == spoken


@pytest.mark.parametrize(
    "asked", ["", "xx", "fi", "e", "../../etc/passwd", "<script>", "de_DE", "%F0%9F%92%A9", "-", "a" * 9000]
)
def test_an_unsupported_language_changes_nothing(asked, visitor):
    visitor.client.defaults["HTTP_ACCEPT_LANGUAGE"] = "fr"
    page = visitor.open(f"/chat/help/?lang={asked}")
    assert page.status == 200
    assert language_of(page) == "fr"
    assert settings.LANGUAGE_COOKIE_NAME not in visitor.client.cookies


def test_fragments_keep_the_language_that_the_pages_url_named(visitor):
    visitor.open("/chat/help/?lang=de")
    refused = visitor.post_message(" ")
    assert refused.refusal.sentence == "Schreiben Sie zuerst eine Nachricht."
    assert refused.response["Content-Language"] == "de"


def test_a_stored_code_is_shown_in_the_language_of_whoever_reads_it(visitor, upstream):
    upstream.will_refuse("BOT_DISABLED")
    visitor.open("/chat/help/?lang=de")
    visitor.send("Hallo")
    assert visitor.turns[0].alert.sentence == "Dieser Chat ist offline."
    assert visitor.open("/chat/help/?lang=es").turns[0].alert.sentence == "Este chat está fuera de servicio."


AT_NIGHT = datetime.datetime(2026, 3, 28, 1, 30, tzinfo=datetime.UTC)
TOMORROW = {
    "en": "Try again on March 29 at 1:20 a.m. UTC.",
    "de": "Am 29. März ab 01:20 UTC können Sie es wieder versuchen.",
    "ar": "يمكن إعادة المحاولة يوم 29 مارس في الساعة 1:20 ص UTC.",
    "ja": "3月29日の1:20 UTC以降にもう一度お試しください。",
    "zh-hans": "请在3月29日 01:20 UTC 之后重试。",
}


def test_a_wait_until_tomorrow_reads_naturally(visitor, upstream, monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: AT_NIGHT)
    upstream.will_refuse("RATE_LIMITED", status=429, retry_after=24 * 60 * 60 - 10 * 60)
    visitor.send("Hello")
    for language, sentence in TOMORROW.items():
        assert visitor.open(f"/chat/help/?lang={language}").one("time[@data-later]").text == sentence


DATES = {"en": "Nov. 3, 2026, 4:05 p.m.", "de": "3. November 2026, 16:05", "ar": "3 نوفمبر 2026، 4:05 م"}
DATES |= {"it": "3 nov 2026, 16:05", "pl": "3 listopada 2026 16:05", "zh-hans": "2026年11月3日 16:05"}


def test_times_are_written_as_usual_in_the_language_on_the_page_and_where_it_is_saved(visitor):
    """On 3 November: a day that shows which number is the month."""
    visitor.send("Hello")
    moment = datetime.datetime(2026, 11, 3, 16, 5, tzinfo=datetime.UTC)
    Turn.objects.update(created_at=moment, ended_at=moment)
    for language, date in DATES.items():
        page = visitor.open(f"/chat/help/?lang={language}")
        assert {time.text for time in page.all("time")} == {date}
        for kind in ("txt", "html"):
            assert date in visitor.client.get(f"/chat/help/transcript.{kind}").content.decode(), language


def test_each_text_of_people_and_bots_has_its_own_direction(visitor, upstream):
    Bot.objects.update(name="name-of-bot", greeting="greeting-of-bot", suggestions="suggestion-of-bot")
    upstream.will_reply("reply-of-bot")
    empty = visitor.open("/chat/help/?lang=ar")
    talk = visitor.send("message-of-person")
    saved = Page(visitor.client.get("/chat/help/transcript.html"))
    for page, texts in [
        (empty, {"name-of-bot", "greeting-of-bot", "suggestion-of-bot"}),
        (talk, {"name-of-bot", "greeting-of-bot", "message-of-person", "reply-of-bot"}),
        (saved, {"name-of-bot", "message-of-person", "reply-of-bot"}),
    ]:
        said = [(text, element) for element in page.tree.iter() for text in own_texts(element)]
        assert {text for text, _element in said} == texts
        assert [text for text, element in said if not has_own_direction(element)] == []


def own_texts(element: HtmlElement) -> list[str]:
    """Return those of the texts above that are directly in this element and visible."""
    if not isinstance(element.tag, str) or element.tag in ("title", "script") or "unseen" in element.get("class", ""):
        return []
    words = " ".join([element.text or "", *(child.tail or "" for child in element)]).split()
    return [word for word in words if word.endswith(("-of-bot", "-of-person"))]


def has_own_direction(element: HtmlElement) -> bool:
    """Return whether the element has a direction of its own, not the page's."""
    nearest = next(each for each in [element, *element.iterancestors()] if each.tag == "bdi" or each.get("dir"))
    return nearest.tag == "bdi" or nearest.get("dir") == "auto"
