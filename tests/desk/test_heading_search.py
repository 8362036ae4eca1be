"""The search on the widget's home: headings of the trained bot, as buttons that ask them."""

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from desk import trained_bots
from docbot.models import Document, Passage, TrainedBot
from tests.webchat.visitor import Page
from webchat.conversation import heading_search
from webchat.models import Bot

PATH = "/embed/help/search"
FRAME = {"Sec-Fetch-Site": "same-origin"}
LIVE = FRAME | {"HX-Request": "true"}


@pytest.fixture
def trained(bot: Bot, settings) -> TrainedBot:
    """A trained bot with two documents, whose headings can be asked."""
    settings.CHAT_BASE_URL = settings.IN_PROCESS_URL
    trained = TrainedBot.objects.create(slug="shop", name="Shop")
    headings = {"Visit us": ["When are you open?", "Where to park"], "Orders": ["Can I open a parcel?", ""]}
    for title, below in headings.items():
        document = Document.objects.create(trained_bot=trained, location=title, title=title)
        for position, heading in enumerate(below):
            Passage.objects.create(document=document, position=position, heading=heading, text="…")
    trained_bots.link(bot, trained)
    bot.save()
    return trained


def find_headings(words: str, headers: dict[str, str] = LIVE) -> list[str]:
    page = Page(Client().post(PATH, {"search": words, "home": "1"}, headers=headers))
    return [each.get("value") for each in page.all("div[@data-found]//button") or page.all("button[@data-suggestion]")]


def test_typed_words_find_headings_that_can_be_asked_on_the_widget_of_a_trained_bot(trained):
    page = Page(Client().get("/embed/help/"))
    assert page.one("form[@data-search]").get("action") == PATH
    assert find_headings("open") == ["When are you open?", "Can I open a parcel?"]
    assert find_headings("OPEN parcel") == ["Can I open a parcel?"]
    assert find_headings("park") == ["Where to park"]
    assert find_headings("bicycle") == find_headings(" ") == []
    assert find_headings("parcel", headers=FRAME) == ["Can I open a parcel?"]  # without JavaScript, on the page
    assert not Session.objects.exists()
    assert not Page(Client().get("/chat/help/")).all("form[@data-search]")
    for change in ({"switched_on": False}, {"switched_on": True, "base_url": "https://bot.example.com"}):
        Bot.objects.update(**change)
        assert find_headings("open") == [], change
    assert not Page(Client().get("/embed/help/")).all("form[@data-search]")


def test_searches_are_limited(trained, monkeypatch, clock_at_noon):
    monkeypatch.setattr(heading_search, "MOST", 2)
    clients = [Client(REMOTE_ADDR=ip) for ip in ("192.0.2.7", "127.0.0.1")]  # the proxy doesn't report the second IP
    known, unknown = ([client.post(PATH, {"search": "open"}, headers=LIVE) for _ in range(3)] for client in clients)
    assert [response.status_code for response in known] == [200, 200, 429]
    assert int(known[-1]["Retry-After"]) > 0
    plain = Page(clients[0].post(PATH, {"search": "open"}, headers=FRAME))  # without JavaScript: a whole page
    assert (plain.status, plain.refusal.code) == (429, "RATE_LIMITED")
    assert "A lot of searches" in Page(known[-1]).one("*[@role='alert']").text_content()
    assert [response.status_code for response in unknown] == [200, 200, 200]
