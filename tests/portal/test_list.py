"""The list of a customer's conversations: its order, its pages, and its search."""

import base64
import datetime
import hashlib
import re
import uuid

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from lxml.html import HtmlElement

from tests.portal.conftest import PAGE, listed, make_conversations, queries, titles, url_of
from tests.webchat.visitor import Page
from webchat.appearance import color_palette
from webchat.models import Bot, BotWords, Conversation, Entry, TeamMember


def test_the_list_is_empty_at_first_then_sorted_by_the_latest_message_and_beside_each_conversation(rosa, bot):
    page = rosa.open("/portal/")
    assert titles(page) == []
    assert [link.get("href") for link in page.all("ul[@class='bots']//a")] == [PAGE]
    assert "You have no conversations yet." in page.tree.text_content()
    for message in ("One", "Two"):
        rosa.open(PAGE)
        rosa.send(message)
    assert listed(rosa) == ["Two", "One"]
    rosa.open(url_of(Conversation.objects.order_by("pk").first()))
    assert [link.text_content() for link in rosa.page.all("a[@aria-current='page']")] == ["One"]
    rosa.send("Three")
    assert titles(rosa.page) == listed(rosa) == ["One", "Two"]
    make_conversations("rosa", 1, Bot.objects.create(slug="other", name="Closed"))
    page = rosa.open("/portal/")
    assert titles(page) == ["One", "Two"], "only of bots that are in the portal"
    assert "Closed" not in page.tree.text_content()
    gone = rosa.open("/portal/chat/other/")
    assert (gone.status, gone.one("a[contains(@class, 'button')]").get("href")) == (404, "/portal/")


def test_a_title_is_made_from_the_first_message(rosa):
    for message, title in (
        ("When do you open?", "When do you open?"),
        ("  a\n\n b\tc ", "a b c"),
        ("word " * 40, "word " * 12 + "…"),
        ("x" * 100, "x" * 60 + "…"),
        ("<b>&amp;", "<b>&amp;"),
        ("متى تفتحون؟", "متى تفتحون؟"),
    ):
        rosa.open(PAGE)
        rosa.send(message)
        assert listed(rosa)[0] == title


COLOURS = {"help": "", "shop": "#b3005e", "garden": "#1d7a2f"}


def test_each_bot_has_its_own_colour(rosa):
    for slug, accent in COLOURS.items():
        look = {"name": slug, "accent": accent, "in_portal": True}
        (one,) = make_conversations("rosa", 1, Bot.objects.update_or_create(slug=slug, defaults=look)[0])
        page = Page(rosa.client.get(f"/portal/chat/{slug}/{one.public_id}/"))
        assert colours(page) == ({":root": light_of(accent)} if accent else {})
    page = Page(rosa.client.get("/portal/"))
    assert colours(page) == {f".bot-{slug}": light_of(accent) for slug, accent in COLOURS.items() if accent}
    for slug in COLOURS:
        chip, row = page.all(f"li[contains(concat(' ', @class, ' '), ' bot-{slug} ')]")
        assert chip.xpath(".//*[contains(@class, 'face')]")
        assert row.xpath(".//*[contains(@class, 'face')]")


def light_of(accent: str) -> str:
    return color_palette.palettes(accent)[0].accent


def colours(page: Page) -> dict[str, str]:
    """Return the accent that each selector of the page's own styles sets, if the policy allows the styles."""
    found = {}
    for style in page.all("style"):
        if match := re.match(r"(\S+) {\s*--accent: light-dark\((#\w+)", style.text):
            found[match[1]] = match[2]
            fingerprint = base64.b64encode(hashlib.sha256(style.text.encode()).digest()).decode()
            assert f"'sha256-{fingerprint}'" in page.response["Content-Security-Policy"]
    return found


@pytest.mark.parametrize("at_once", [False, True])
def test_a_long_list_continues_with_a_real_link(rosa, bot, at_once):
    make_conversations("rosa", 60, bot)
    if at_once:  # all of the same moment
        Conversation.objects.update(last_at=timezone.now())
    page, seen = rosa.open("/portal/"), []
    while True:
        seen += titles(page)
        links = page.all("p[@data-more]/a")
        if not links:
            break
        assert links[0].get("href") == links[0].get("hx-get")
        rows = Page(rosa.client.get(links[0].get("href"), headers={"HX-Request": "true"}))
        page = rosa.open(links[0].get("href"))
        assert titles(rows) == titles(page)
        assert not rows.all("header")
    names = [f"Question {number}" for number in reversed(range(60))]
    assert sorted(seen) == sorted(names) if at_once else seen == names
    for mark in ("x", "1-x", "-", "9" * 40 + "-" + "a" * 32, "1.5-" + "a" * 32, "1-"):
        assert len(listed(rosa, f"?before={mark}")) == 15, mark


def test_a_conversation_is_found_by_its_words_and_its_title(rosa, bot):
    make_conversations("rosa", 10, bot)
    Conversation.objects.filter(turns__message="Question 9").update(title="My broken kettle")
    for query, found in (
        ("7", ["Question 7"]),
        ("question 7", ["Question 7"]),
        ("ANSWER 3", ["Question 3"]),
        ("kettle", ["My broken kettle"]),
        ("question answer", 10),
        ("  ", 10),
        *((none, []) for none in ("nothing", "%", "_", "question nothing", "'; DROP TABLE", "x" * 5000)),
    ):
        page = Page(rosa.client.get("/portal/", {"q": query}))
        shown = [link.text_content() for link in page.all("li[@data-conversation]//div/a")]
        assert shown == found if isinstance(found, list) else len(shown) == found, query
    page = Page(rosa.client.get("/portal/", {"q": "question 7"}))
    assert [mark.text_content() for mark in page.all("mark")] == ["Question"]  # in the title, and not below it again


def test_what_is_found_is_shown_and_marked(rosa, upstream):
    upstream.will_reply("Within a **working day**, see [our prices](https://shop.example/prices).")
    rosa.send("Ärger <script>alert(1)</script> in meiner STRASSE")
    conversation = Conversation.objects.get()
    Entry.objects.add_entry(conversation, Entry.Kind.MESSAGE, None, text="Your voucher is on its way.")
    Entry.objects.add_entry(conversation, Entry.Kind.NOTE, None, text="Customer is angry.")

    def found(words: str) -> HtmlElement:
        return rosa.open(f"/portal/?q={words}").one("p[contains(@class,'found')]")

    for words in ("ärger", "ÄRGER", "straße"):  # whatever its case, also in other alphabets
        assert len(listed(rosa, f"?q={words}")) == 1, words
    (title,) = rosa.open("/portal/?q=strasse").all("li[@data-conversation]//div/a")
    assert title.text_content().startswith("Ärger <script>alert(1)</script> in meiner STRASSE")
    assert title.findtext("mark") == "STRASSE"
    assert found("VOUCHER").text_content() == "Your voucher is on its way."
    assert listed(rosa, "?q=angry") == [], "it is a note of the team's"
    assert found("a+working").text_content() == "Within a working day, see our prices (https://shop.example/prices)."
    assert [mark.text for mark in found("a+working").iter("mark")] == ["working"], "the longest word"
    while_typing = Page(rosa.client.get("/portal/?q=working", headers={"HX-Request": "true"}))
    assert len(titles(while_typing)) == 1
    assert not while_typing.all("header")
    nothing = Page(rosa.client.get("/portal/?q=zebra", headers={"HX-Request": "true"}))
    assert "Nothing found" in nothing.one("p[@role='status']").text_content()


def marked(page: Page) -> list[str]:
    """Return what a screen reader says of the conversations that are marked."""
    links = page.all("li[contains(@class, 'unread')]//div/a")
    assert all(link.findtext("bdi") for link in links)
    return [" ".join(link.text_content().split()) for link in links]


@pytest.mark.parametrize("leaves", [False, True], ids=["who is still there", "who has handed it back"])
def test_a_conversation_is_marked_from_a_persons_reply_until_it_is_opened(rosa, bot, leaves):
    rosa.send("Is my parcel lost?")
    conversation = Conversation.objects.get()
    grace = TeamMember.objects.create(user=User.objects.create_user("grace", is_superuser=True), name="Grace")
    conversation.claim(grace)
    conversation.write_note(grace, uuid.uuid4(), "Customer is angry.")
    assert marked(rosa.open("/portal/")) == []
    conversation.write_message(grace, uuid.uuid4(), "It is on its way.")
    if leaves:
        conversation.hand_back(grace)
    for path in ("/portal/", PAGE, "/portal/?q=way"):
        assert marked(rosa.open(path)) == ["Is my parcel lost? New reply"], path
    assert "Neue Antwort" in marked(rosa.open("/portal/?lang=de"))[0]
    assert marked(rosa.open(url_of(conversation))) == []
    assert marked(rosa.open("/portal/")) == []


def test_each_bot_is_a_card_in_the_readers_language_and_longer_lists_take_no_more_queries(rosa, bot):
    def add(number: int) -> None:
        fields = {"in_portal": True, "languages": "de", "can_help": f"prices {number}"}
        added = Bot.objects.create(slug=f"bot-{number}", name=f"Bot {number}", **fields)
        BotWords.objects.create(bot=added, language="de", can_help=f"Preise {number}")

    paths = ("/portal/?lang=de", "/portal/?q=question")
    add(1)
    make_conversations("rosa", 1, bot)
    few = [queries(rosa, path) for path in paths]
    add(2)
    add(3)
    make_conversations("rosa", 60, bot)
    assert [queries(rosa, path) for path in paths] == few
    assert max(few) <= 9
    cards = Page(rosa.client.get("/portal/?lang=de")).all("a[@class='card']")
    # Whoever speaks to their device says what they read on a card.
    assert [card.get("aria-label") or card.get("aria-labelledby") for card in cards] == [None] * 4
    assert [" ".join(card.text_content().split()) for card in cards] == [
        "A Ada",
        "B Bot 1 Preise 1",
        "B Bot 2 Preise 2",
        "B Bot 3 Preise 3",
    ]


def test_the_list_has_a_heading_for_each_day_once_across_pages(rosa, bot):
    make_conversations("rosa", 30, bot)
    for number, days in enumerate((0, 1, 5, 40)):
        at = timezone.now() - datetime.timedelta(days=days)
        Conversation.objects.filter(turns__message=f"Question {29 - number}").update(last_at=at)
    old = timezone.now() - datetime.timedelta(days=40, hours=1)
    Conversation.objects.filter(turns__message__in=[f"Question {number}" for number in range(26)]).update(last_at=old)
    page = rosa.open("/portal/")

    def headings(page: Page) -> list[str]:
        return [heading.text_content() for heading in page.all("h3[contains(@class,'day')]")]

    month = f"{old:%B %Y}"
    assert headings(page) == ["Today", "Yesterday", "The last seven days", month]
    rest = Page(rosa.client.get(page.one("p[@data-more]/a").get("href"), headers={"HX-Request": "true"}))
    assert len(titles(rest)) == 15
    assert headings(rest) == []


def test_the_portals_own_pages_have_the_logo_and_colours_of_the_first_bot_and_their_rows_its_letter(rosa, bot):
    Bot.objects.create(slug="aaa", name="Another", accent="#008000", in_portal=True)
    Bot.objects.filter(pk=bot.pk).update(accent="#b3261e", logo="logos/1.webp")
    page = rosa.open("/portal/")
    assert page.one("header/img[@class='logo']").get("src").startswith("/chat/help/logo.webp")
    assert page.one("ul[@class='bots']/li[@class='bot-help']//img[@class='logo']").get("alt") == ""
    assert page.one("ul[@class='bots']/li[@class='bot-aaa']//span[@class='face ']").text == "A"
    rosa.open("/portal/chat/help/")
    rosa.send("Where is my parcel?")
    assert rosa.open("/portal/").one("li[@data-conversation]/span[@class='face ']").text == bot.name[0]
    assert "#b3261e" in page.tree.findtext(".//style").lower()
    assert "/chat/help/logo.webp" in rosa.open("/portal/chat/help/").one("header[@class='top']/img").get("src")
