"""Conversations at the desk: found, read as the visitor saw them, exported, deleted, and kept for a limited time."""

import csv
import datetime
import io
import json

from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.utils import timezone
from lxml.html import HtmlElement

from desk.conversations import admin, listing
from desk.exports.spreadsheets import escape_formula
from desk.privacy import retention
from desk.statistics import counting
from tests.desk.conftest import page, words
from webchat.conversation import erasure
from webchat.models import Bot, Conversation, Entry, Handover, TeamMember, Turn

LIST = "/admin/webchat/conversation/"


def listed(client, query: str = "") -> set[str]:
    cells = page(client.get(f"{LIST}?{query}")).xpath("//*[contains(@class, 'field-first_message')]")
    return {" ".join(cell.text_content().split()) for cell in cells}


def test_a_conversation_is_read_beside_the_list_and_the_way_back_leads_to_the_same_search(admin_client, said):
    conversation = said("Where is it?", seconds=90).conversation
    said("Where am I?")
    link = page(admin_client.get(f"{LIST}?q=where&p=1")).get_element_by_id(f"row-{conversation.pk}")
    shown = page(admin_client.get(LIST + link.get("href")))
    assert shown.xpath("//*[@id='reading']//h2")[0].text_content() == "Where is it?"
    assert shown.xpath("//*[@id='reading']//iframe/@src") == [f"{LIST}{conversation.pk}/seen/"]
    assert "90 s" in shown.get_element_by_id("reading").text_content()
    assert shown.xpath("//*[@id='result_list']//a[@aria-current]/@id") == [link.get("id")]
    (back,) = shown.xpath("//*[@class='reading-back']/a/@href")
    assert listed(admin_client, back.removeprefix("?").partition("#")[0]) == {"Where is it?", "Where am I?"}
    assert back.endswith(f"q=where&p=1#row-{conversation.pk}")
    assert [each for each in shown.xpath("//form//@value | //nav//@href") if "read=" in each] == []
    fragment = admin_client.get(f"{LIST}?read={conversation.pk}", headers={"HX-Request": "true"})
    alone = page(fragment)
    assert alone.xpath("//title")[0].text == "Where is it? · Conversations · Desk"
    assert alone.xpath("//h2")[0].text == "Where is it?"
    assert "frame-src 'self'" in fragment["Content-Security-Policy"]
    assert not alone.xpath("//*[@id='result_list']")
    whole = page(admin_client.get(shown.xpath("//a[text()='Open in full']/@href")[0]))
    assert whole.xpath("//p[@class='breadcrumbs']/a/@href") == [f"{LIST}?q=where&p=1"]


def test_a_conversation_that_is_gone_or_of_another_bot_is_not_here_and_the_list_stays(colleague, said, bot):
    client, member = colleague("Bea", bot)
    member.user.user_permissions.add(Permission.objects.get(codename="view_conversation"))
    said("Ours")
    foreign = said("Foreign", bot=Bot.objects.create(slug="other", name="Other")).conversation
    for htmx in ({}, {"HX-Request": "true"}):
        for named in (foreign.pk, 999_999, "x", "-1", "9" * 40, "9" * 5000):
            response = client.get(f"{LIST}?read={named}", headers=htmx)
            assert response.status_code == 404, named
            assert b"Foreign" not in response.content
            assert "It may have been deleted." in words(response)
            assert htmx or "Ours" in words(response)
        assert client.get(f"{LIST}?read=%00", headers=htmx).status_code == 400
        assert Client().get(f"{LIST}?read={foreign.pk}", headers=htmx).status_code == 302


def test_beside_the_list_only_what_the_account_may_do_is_offered(admin_client, staff, said):
    turn = said("Where is it?")
    url = f"{LIST}?read={turn.conversation_id}"

    def offered(client) -> set[str]:
        of_pane = "//*[@id='reading']//*[self::a or self::button][contains(@class, 'button')]"
        return {each.text for each in page(client.get(url)).xpath(of_pane)}

    assert offered(staff("webchat.view_conversation")) == {"Open in full"}
    everything = {"Open in full", "Answer in the inbox", "Export as CSV", "Export as JSON", "Delete"}
    assert offered(admin_client) == everything
    Conversation.objects.update(ended_at=timezone.now())
    assert offered(admin_client) == everything - {"Answer in the inbox"}
    said("Another")
    form = page(admin_client.get(url)).xpath("//*[@id='reading']//form")[0]
    response = admin_client.post(form.get("action"), dict(form.form_values()) | {"action": "export_csv"})
    text = b"".join(response.streaming_content).decode("utf-8-sig")
    assert [row["message"] for row in csv.DictReader(io.StringIO(text))] == ["Where is it?"]


def test_the_list_acts_on_what_is_chosen_while_a_conversation_is_read(admin_client, said):
    read, chosen = said("Read").conversation, [said(f"Question {number}").conversation.pk for number in range(12)]
    url = f"{LIST}?o=1&read={read.pk}"
    asked = {"action": "delete_selected", "_selected_action": chosen}
    named = [each.text_content() for each in page(admin_client.post(url, asked)).xpath("(//ul[@class='gone'])[1]/li")]
    assert (len(named), named[-1]) == (11, "2 more")
    assert set(named[:-1]) < {f"Question {number}" for number in range(12)}
    response = admin_client.post(url, asked | {"post": "yes"}, follow=True)
    assert Conversation.objects.get() == read
    assert "Read" in page(response).get_element_by_id("reading").text_content()
    response = admin_client.post(url, asked | {"_selected_action": [read.pk], "post": "yes"}, follow=True)
    assert response.redirect_chain == [(f"{LIST}?o=1", 302)]
    assert not Conversation.objects.exists()


def test_conversations_are_filtered_and_searched(admin_client, bot, said):
    named = said("open?", reply="We open on Monday.")
    said("broken", code="NO_ANSWER")
    liked = said("liked", feedback=1).conversation
    Entry.objects.add_entry(liked, Entry.Kind.MESSAGE, None, text="Your voucher is on its way.")
    Entry.objects.add_entry(liked, Entry.Kind.NOTE, None, text="A difficult one.")
    said("widget", surface="embed")
    said("elsewhere", bot=Bot.objects.create(slug="other", name="Other"))
    counting.count_changed_days()
    for query, found in (
        ("bot=help", {"open?", "broken", "liked", "widget"}),
        ("bot=other", {"elsewhere"}),
        ("surface__exact=embed", {"widget"}),
        ("outcome=failed", {"broken"}),
        ("outcome=answered", {"open?", "liked", "widget", "elsewhere"}),
        ("code=NO_ANSWER", {"broken"}),
        ("feedback=up", {"liked"}),
        ("feedback=down", set()),
        ("q=liked", {"liked"}),
        ("q=monday+OPEN", {"open?"}),
        ("q=VOUCHER+way", {"liked"}),
        ("q=difficult", set()),
        ("q=nothing of the kind", set()),
        ("q=%25", set()),
        (f"q={named.key}", {"open?"}),
        (f"q={named.conversation.public_id}", {"open?"}),
    ):
        assert listed(admin_client, query) == found, query
    assert "1 failed" in words(admin_client.get(f"{LIST}?outcome=failed"))


def test_a_person_is_the_outcome_where_one_was_asked_for_or_took_part(admin_client, said):
    ann = TeamMember.objects.create(user=User.objects.create(username="ann"), name="Ann")
    said("Only asked").conversation.join_queue()
    said("Answered by the bot, then by Ann").conversation.claim(ann)
    said("Never with Ann")
    counting.count_changed_days()
    with_a_person = {"Only asked", "Answered by the bot, then by Ann"}
    assert listed(admin_client, "outcome=person") == with_a_person
    assert listed(admin_client, "outcome=answered") == {"Never with Ann"}
    rows = page(admin_client.get(LIST)).xpath("//table[@id='result_list']/tbody/tr")
    shown = {row.xpath(".//*[contains(@class, 'first_message')]")[0].text_content(): row for row in rows}
    outcome = ".//*[contains(@class, 'field-outcome')]"
    said_of = {message: row.xpath(outcome)[0].text_content() for message, row in shown.items()}
    assert said_of == dict.fromkeys(with_a_person, "person") | {"Never with Ann": "answered"}
    exported = json.loads(export(admin_client, "json", "outcome=person"))
    assert {each["turns"][0]["message"] for each in exported} == with_a_person
    alone = "//*[dt='Resolved without a person']/dd"
    assert page(admin_client.get("/admin/insights/")).xpath(alone)[0].text_content() == "33.3%"


def test_the_count_stops_at_the_last_page_that_can_be_linked(admin_client, said, monkeypatch):
    monkeypatch.setattr(admin.ConversationAdmin, "list_per_page", 2)
    monkeypatch.setattr(listing, "PAGES_AHEAD", 2)
    for number in range(9):
        said(f"Question {number}", days_ago=number)
    first, last = admin_client.get(LIST), admin_client.get(f"{LIST}?p=3")
    assert "More than 6 conversations" in page(first).xpath("//*[@class='paginator']")[0].text_content()
    assert "Total: 9" in page(last).xpath("//*[@class='paginator']")[0].text_content()
    assert listed(admin_client, "p=5") == {"Question 8"}
    assert admin_client.get(f"{LIST}?p={'9' * 5000}").status_code == 200  # more digits than Python reads


def test_times_are_in_the_sites_time_zone_and_the_page_says_so_but_exports_are_in_utc(admin_client, said, settings):
    settings.TIME_ZONE = "Asia/Tokyo"
    turn = said("Mine")
    Turn.objects.update(created_at=datetime.datetime(2026, 3, 1, 23, 30, tzinfo=datetime.UTC))
    read = page(admin_client.get(f"{LIST}{turn.conversation_id}/change/"))
    assert read.xpath("//main//tbody//th[@scope='row']")[0].text_content() == "08:30:00"
    assert read.xpath("//*[@id='footer']/p")[0].text_content() == "Time zone: Asia/Tokyo"
    assert "2026-03-01T23:30:00+00:00" in export(admin_client, "json")


def test_a_conversation_is_read_as_the_visitor_saw_it(admin_client, said):
    turn = said("<b>When</b>?", reply="At **nine**.")
    said("And?", code="BOT_UNAVAILABLE", conversation=turn.conversation)
    response = admin_client.get(f"{LIST}{turn.conversation_id}/seen/")
    shown = page(response)
    assert shown.xpath("//*[@data-message]")[0].text_content() == "<b>When</b>?"
    assert shown.xpath("//*[@data-reply]//strong")[0].text_content() == "nine"
    assert shown.xpath("//*[@data-alert][@data-code='BOT_UNAVAILABLE']")
    assert shown.xpath("//link[contains(@href, 'webchat/people')]"), "somebody of the team may have joined"
    assert not shown.xpath("//script")
    assert "frame-ancestors 'self'" in response["Content-Security-Policy"]
    assert "no-store" in response["Cache-Control"]
    assert "BOT_UNAVAILABLE" in page(admin_client.get(f"{LIST}{turn.conversation_id}/change/")).text_content()


def export(client, kind: str, query: str = "") -> str:
    response = client.post(f"{LIST}export/{kind}/?{query}")
    assert response.status_code == 200
    assert response.streaming
    return b"".join(response.streaming_content).decode("utf-8-sig")


def conversation_log_entries():
    return LogEntry.objects.filter(content_type__model="conversation")


FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", '=HYPERLINK("http://x")', "＝1", "\n=1", "-2+3|cmd"]


def test_the_listed_conversations_are_exported_without_formulas_and_the_trail_says_so(admin_client, said):
    said("Yes", reply="At nine.", feedback=-1, outcome="not_sure")
    said("No", surface="embed")
    rows = list(csv.DictReader(io.StringIO(export(admin_client, "csv", "surface__exact=chat"))))
    told = [[row[name] for name in ("message", "reply", "outcome", "feedback")] for row in rows]
    assert told == [["Yes", "At nine.", "not_sure", "not helpful"]]
    for text in ("When?", "a=b", "1-1", "", "'quoted'"):
        assert escape_formula(text) == text
    whole = json.loads(export(admin_client, "json"))
    assert sorted(turn["message"] for one in whole for turn in one["turns"]) == ["No", "Yes"]
    assert admin_client.get(f"{LIST}export/csv/").status_code == 405, "a link of another site starts none"
    assert [entry.change_message for entry in conversation_log_entries().order_by("pk")] == [
        "Exported conversations as \u2068CSV\u2069: \u20681\u2069.",
        "Exported conversations as \u2068JSON\u2069: \u20682\u2069.",
    ]
    Conversation.objects.all().delete()
    for text in FORMULAS:
        said(text, reply=text)
    rows = list(csv.DictReader(io.StringIO(export(admin_client, "csv"), newline="")))
    assert [(row["message"][0], row["reply"][0]) for row in rows] == [("'", "'")] * len(FORMULAS)


def test_a_reader_can_neither_export_nor_delete_which_is_on_the_trail_without_a_text(staff, admin_client, said):
    turn = said("Secret")
    reader = staff("webchat.view_conversation")
    assert listed(reader) == {"Secret"}
    assert "Export" not in reader.get(LIST).content.decode()
    assert reader.post(f"{LIST}export/csv/").status_code == 403
    reader.post(LIST, {"action": "export_csv", "_selected_action": [turn.conversation_id]})
    assert reader.post(f"{LIST}{turn.conversation_id}/delete/", {"post": "yes"}).status_code == 403
    assert Conversation.objects.count() == 1
    assert not conversation_log_entries().exists()
    admin_client.post(f"{LIST}{turn.conversation_id}/delete/", {"post": "yes"})
    assert not Turn.objects.exists()
    entry = conversation_log_entries().get()
    assert "Secret" not in entry.object_repr + entry.change_message
    assert str(entry.object_repr) in page(admin_client.get("/admin/admin/logentry/")).text_content()


def test_conversations_are_deleted_after_their_days_and_not_before(bot, said, settings, monkeypatch):
    """Every day by the site itself, in batches."""
    assert settings.PERIODIC_TASKS["desk.privacy.retention.delete_expired"] <= 24 * 60 * 60
    monkeypatch.setattr(erasure, "BATCH", 3)
    bot.retention_days = 30
    bot.save()
    for number in range(10):
        said(f"old {number}", days_ago=31)
    said("young", days_ago=29)
    going_on = said("old, but it goes on", days_ago=40)
    said("still here", days_ago=1, conversation=going_on.conversation)
    said("another bot's", days_ago=500, bot=Bot.objects.create(slug="other", name="Other"))
    retention.delete_expired()
    kept = {"young", "old, but it goes on", "still here", "another bot's"}
    assert set(Turn.objects.values_list("message", flat=True)) == kept


def test_a_long_list_takes_no_more_queries(admin_client, said, django_assert_max_num_queries):
    for number in range(60):
        said(f"Question {number}", days_ago=number % 9)
    with django_assert_max_num_queries(13):
        admin_client.get(f"{LIST}?outcome=failed&q=Question")
    with django_assert_max_num_queries(18):
        admin_client.get(f"{LIST}?outcome=failed&q=Question&read={Conversation.objects.first().pk}")
    with django_assert_max_num_queries(16):
        assert len(export(admin_client, "csv").splitlines()) == 61


def test_a_request_for_a_person_is_listed_shortly_and_marked_as_done_from_its_page(admin_client, bot):
    message = f"<b>Help</b> me: {'where is it? ' * 20}"
    asked = Handover.objects.create(bot=bot, surface="chat", visitor="v", email="jo@example.com", message=message)
    listed = admin_client.get("/admin/webchat/handover/").content.decode()
    assert "&lt;b&gt;Help&lt;/b&gt; me: where is it?" in listed
    assert listed.count("where is it?") < 10

    def shown() -> HtmlElement:
        return page(admin_client.get(f"/admin/webchat/handover/{asked.pk}/change/"))

    assert shown().xpath("//a[@href='mailto:jo@example.com']")
    (button,) = shown().xpath("//button[@name='action']")
    fields = {each.get("name"): each.get("value") for each in (button, *button.xpath("../input"))}
    admin_client.post(button.get("formaction"), fields)
    asked.refresh_from_db()
    assert asked.done_at
    assert not shown().xpath("//button[@name='action']")


def test_an_empty_list_says_so_and_offers_neither_filters_nor_an_export(admin_client, said):
    def shown(query: str = "") -> tuple[bool, list[str]]:
        found = page(admin_client.get(LIST + query))
        exports = found.xpath("//form[contains(@class, 'exports')]//button/text()")
        return bool(found.xpath("//*[@id='changelist-filter']//summary")), exports

    assert "Nothing matches" in words(admin_client.get(f"{LIST}?q=nothing"))
    assert shown("?q=nothing") == (True, [])
    assert page(admin_client.get(LIST)).xpath("//p[@class='empty']")
    assert shown() == (False, [])
    said()
    assert shown() == (True, ["Export as CSV", "Export as JSON"])
