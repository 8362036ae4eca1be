"""The widget as websites use it: the launcher's settings, and the frame and its colours."""

import uuid

import pytest

from tests.webchat.visitor import Page
from webchat.models import Conversation, ResumeLink


def launcher(client) -> dict[str, object]:
    return client.get("/embed/help/launcher.json").json()


def test_a_website_that_names_an_unknown_bot_can_read_that_it_may_not_show_it(bot, client):
    response = client.get("/embed/hepl/launcher.json")
    assert response.json() == {"allowed": False}
    assert response["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize(
    ("url", "theme"),
    [("/embed/help/?theme=dark", "dark"), ("/embed/help/?theme=%22%3E", None), ("/chat/help/?theme=dark", None)],
)
def test_a_frame_has_the_colours_that_its_website_asks_for(bot, client, url, theme):
    assert Page(client.get(url)).tree.get("data-theme") == theme


def test_the_launcher_gets_the_owners_rules_if_there_are_any(bot, client):
    assert "rules" not in launcher(client)
    bot.teaser_rules.create(text="Questions about prices?", page="/prices", scrolled=50, visitors="returning")
    [rule] = launcher(client)["rules"]
    told = {"text": "Questions about prices?", "page": "/prices", "visitors": "returning", "scrolled": 50}
    assert rule == told | {"id": bot.teaser_rules.get().pk, "seconds": 10}
    assert launcher(client)["watch"].startswith("/static/webchat/embed/rules")


def test_the_owner_says_whether_the_website_may_read_messages_and_which_colours_the_launcher_has(bot, client):
    assert b"data-shares-text" not in client.get("/embed/help/").content
    bot.shares_text, bot.widget_theme = True, "dark"
    bot.save()
    assert launcher(client)["theme"] == "dark"
    assert b"data-shares-text" in client.get("/embed/help/").content


SHOP = "https://shop.example"


def test_only_the_listed_websites_may_frame_the_chat_and_without_a_list_none(bot, client):
    nobody = client.get("/embed/help/")
    assert "frame-ancestors 'none'" in nobody["Content-Security-Policy"]
    assert nobody["X-Frame-Options"] == "DENY"
    bot.origins = SHOP
    bot.save()
    listed = client.get("/embed/help/")
    assert f"frame-ancestors {SHOP};" in listed["Content-Security-Policy"] + ";"
    assert "X-Frame-Options" not in listed
    assert not listed.cookies


@pytest.mark.parametrize(
    ("site", "finding"),
    [("https://www.other.example", ["not-listed"]), ("javascript:alert(1)", ["not-an-origin"]), (SHOP, [])],
)
def test_the_check_page_says_what_is_wrong_and_accepts_a_listed_site(bot, client, site, finding):
    bot.origins = SHOP
    bot.save()
    page = Page(client.get("/embed/help/check", {"site": site}, secure=True))
    assert 'src="https://testserver/embed.js" data-bot="help"' in page.tree.xpath("//pre")[0].text_content()
    assert page.tree.xpath("//*[@data-alert]/@data-code") == finding
    assert bool(page.tree.xpath("//*[@data-fine]")) == (not finding)


SAME_SITE = {"Sec-Fetch-Site": "same-origin"}


def post(client, url: str, frame: Page | None = None, **fields: str) -> Page:
    session = {"session": frame.one("form[@data-composer]//input[@name='session']").get("value")} if frame else {}
    return Page(client.post(f"/embed/help/{url}", session | fields, headers=SAME_SITE))


def test_the_conversation_is_offered_at_home_and_continues_from_there(bot, client, upstream):
    opened = Page(client.get("/embed/help/"))
    assert opened.one("button[@data-go-home]").get("hidden") is not None
    assert opened.one("button[@data-continue]").get("hidden") is not None
    talking = post(client, "messages", opened, message="Where is my order?", key=str(uuid.uuid4()))
    assert talking.one("button[@data-go-home]").get("hidden") is None
    home = post(client, "back", talking, home="1", message="A draft")
    assert home.one("ol[@data-transcript]").get("hidden") is not None
    assert home.one("button[@data-continue]").get("hidden") is None
    assert home.one("*[@data-title]").text == "Where is my order?"
    assert len(home.all("button[@data-suggestion]")) == len(bot.suggested_questions)
    assert home.typed == "A draft"
    going_on = post(client, "back", home)
    assert going_on.one("ol[@data-transcript]").get("hidden") is None
    assert [turn.message for turn in going_on.turns] == ["Where is my order?"]
    assert not going_on.all("button[@data-suggestion]")


@pytest.fixture
def bot_told_page(bot):
    """A bot that is told which page the visitor is on."""
    bot.origins, bot.tells_page = "https://shop.example", True
    bot.save()
    return bot


def say(client, frame: Page, message: str, **fields: str) -> Page:
    after = frame.one("input[@name='after']").get("value")
    return post(client, "messages", frame, message=message, key=str(uuid.uuid4()), after=after, **fields)


def test_the_page_is_sent_to_the_bot_and_shown_above_the_first_message(bot_told_page, client, upstream):
    frame = Page(client.get("/embed/help/"))
    assert frame.one("label[@data-tell-page]//input").get("checked") is not None
    talking = say(client, frame, "How much is it?", page="https://shop.example/prices?coupon=secret#top")
    assert not talking.all("label[@data-tell-page]")
    talking = say(client, talking, "And two?", page="https://shop.example/prices")
    asked = upstream.messages
    assert asked == ["https://shop.example/prices\n\nHow much is it?", "And two?"]
    assert [turn.message for turn in talking.turns] == ["How much is it?", "And two?"]
    assert talking.one("li[@data-turn]//p[@data-told-page]").text_content() == "shop.example/prices"


def test_the_page_stays_above_the_message_on_another_device_and_in_a_file(bot_told_page, client, upstream):
    frame = Page(client.get("/embed/help/"))
    fields = {"session": frame.one("form[@data-composer]//input[@name='session']").get("value"), "after": ""}
    fields |= {"message": "How much is it?", "key": str(uuid.uuid4()), "page": "https://shop.example/prices"}
    live = {"HX-Request": "true", "Webchat-Page": "https://shop.example/prices"}
    client.post("/embed/help/messages", fields, headers=SAME_SITE | live)
    token = ResumeLink.make(Conversation.objects.get())
    client.post(f"/resume/{token}")
    shown = Page(client.get("/chat/help/"))
    assert [turn.message for turn in shown.turns] == ["How much is it?"]
    assert shown.one("li[@data-turn]//p[@data-told-page]").text_content() == "shop.example/prices"
    saved = Page(client.get("/chat/help/transcript.html")).all("section[@class='mine']/p")
    assert [line.text_content() for line in saved] == ["https://shop.example/prices", "How much is it?"]


@pytest.mark.parametrize("page", ["https://evil.example/", "Now do as I say", "https://[", "https://shop.example/"])
def test_a_page_elsewhere_is_not_sent_to_the_bot_and_the_websites_own_only_if_the_owner_wants_it(
    bot_told_page, client, upstream, page
):
    bot_told_page.tells_page = "shop" not in page
    bot_told_page.save()
    frame = Page(client.get("/embed/help/"))
    assert bool(frame.all("label[@data-tell-page]")) == bot_told_page.tells_page
    say(client, frame, "How much is it?", page=page)
    assert upstream.messages == ["How much is it?"]


def test_a_first_message_sent_twice_with_its_page_is_one_turn(bot_told_page, client, upstream):
    frame = Page(client.get("/embed/help/"))
    fields = {"message": "How much?", "key": str(uuid.uuid4()), "after": "", "page": "https://shop.example/prices"}
    for _ in range(2):
        post(client, "messages", frame, **fields)
    assert len(upstream.requests) == 1
