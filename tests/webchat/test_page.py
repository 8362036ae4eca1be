"""The page before and after the first message, and its database queries."""

import uuid
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.formats import date_format

from tests.webchat.visitor import Page
from webchat.appearance.color_palette import palettes
from webchat.models import Allowance, Bot, Conversation, Turn


@pytest.mark.parametrize("path", ["/chat/nobody/", "/chat/nobody/new", "/chat/nobody/transcript.txt", "/styleguide/"])
def test_there_is_no_page_of_an_unknown_bot_and_none_for_developers(path, visitor):
    assert visitor.open(path).status == 404


def test_a_line_marks_the_beginning_of_another_day(visitor):
    visitor.send("Hello")
    assert not visitor.open().all("ol/li[@data-day]")  # no mark for today
    visitor.send("And then?")
    first, second = Turn.objects.order_by("pk")
    for days_ago, words in ((1, "Yesterday"), (300, date_format(timezone.localdate() - timedelta(300), "DATE_FORMAT"))):
        Turn.objects.filter(pk=first.pk).update(created_at=timezone.now() - timedelta(days=days_ago))
        page = visitor.open()
        assert [line.text for line in page.all("ol/li[@data-day]")] == [words, "Today"]
        assert page.one(f"ol/li[@data-day][2]/following-sibling::li[1][@id='turn-{second.key}']") is not None


def test_the_page_has_the_hooks_that_tests_themes_and_assistive_technology_rely_on(visitor):
    page = visitor.open()
    transcript = page.one("ol[@data-transcript]")
    assert page.one(f"h2[@id='{transcript.get('aria-labelledby')}']").text
    assert page.one("*[@role='log'][@data-announcer]").text is None
    assert page.composer.xpath(".//textarea[@name='message'][@id='message']")
    assert page.one("label[@for='message']").text
    assert page.all("*[@data-new-conversation]")


def test_a_message_is_shown_as_text_never_as_markup_and_never_stored_by_browsers_or_proxies(visitor, upstream):
    upstream.will_reply("ok")
    page = visitor.send("<b>bold</b> & <script>alert(1)</script> **stars**")
    assert page.turns[0].message == "<b>bold</b> & <script>alert(1)</script> **stars**"
    assert not page.all("*[@data-message]/*")
    for each in (page, visitor.open(), visitor.send_live("Hello"), visitor.send("")):
        assert each.response["Cache-Control"] == "no-store, private"


def test_nothing_is_stored_about_a_visitor_who_has_not_sent_anything(visitor, upstream):
    visitor.open()
    visitor.open("/")
    visitor.send("   ")
    visitor.open("/chat/help/transcript.json")
    visitor.begin_a_new_conversation() if visitor.page.all("dialog") else None
    assert set(visitor.client.cookies) == {"csrftoken", "start"}
    assert [model.objects.count() for model in (Session, Conversation, Turn, Allowance)] == [0, 0, 0, 0]
    assert upstream.requests == []


def test_the_url_of_a_form_leads_to_the_conversation_and_changes_nothing(visitor, upstream):
    """It is in the browser after a refusal, and may be reloaded."""
    upstream.will_refuse("BOT_DISABLED")
    turn = visitor.send("Hello").turns[0]
    for url in ("messages", f"turns/{turn.key}/reply", f"turns/{turn.key}/again"):
        response = visitor.client.get(f"/chat/help/{url}")
        assert (response.status_code, response["Location"]) == (302, "/chat/help/")
    assert len(upstream.requests) == 1


def test_the_start_page_leads_to_the_first_bot_if_the_default_one_is_missing(client, bot):
    Bot.objects.update(slug="bakery")
    assert client.get("/")["Location"] == "/chat/bakery/"


def test_a_long_transcript_takes_as_many_queries_as_a_short_one(visitor):
    visitor.send("Hello")
    answered = {"conversation": Conversation.objects.get(), "message": "m", "reply": "**r**", "state": "answered"}
    counts = []
    for turns in (1, 198):
        Turn.objects.bulk_create(Turn(**answered) for _ in range(turns))
        with CaptureQueriesContext(connection) as queries:
            page = visitor.open()
        counts.append(len(queries))
    assert len(page.turns) == 200
    assert counts[0] == counts[1] <= 3


def test_an_error_page_has_the_colour_and_language_of_its_bot_and_leads_back_to_it(client, bot, settings):
    Bot.objects.filter(pk=bot.pk).update(accent="#0f766e", language="de")
    Bot.objects.create(slug="other", name="Bea", accent="#b3261e")
    settings.DEFAULT_BOT = "other"
    colour = {slug: palettes(accent)[0].accent for slug, accent in {"help": "#0f766e", "other": "#b3261e"}.items()}
    for below in (f"files/{uuid.uuid4()}", "nowhere"):
        gone = client.get(f"/chat/{bot.slug}/{below}")
        assert (gone.status_code, gone["Content-Language"]) == (404, "de")
        assert Page(gone).one("main//a").get("href") == f"/chat/{bot.slug}/"
        assert colour["help"] in gone.content.decode()
    Bot.objects.filter(pk=bot.pk).update(slug="admin")
    assert Page(client.get("/chat/admin/nowhere")).one("main//a").get("href") == "/chat/admin/", "it isn't the desk's"
    for path in ("/nowhere", "/chat/unknown/nowhere"):
        nowhere = client.get(path)
        assert Page(nowhere).one("main//a").get("href") == "/"
        assert colour["other"] in nowhere.content.decode()
