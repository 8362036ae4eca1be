"""The bots' pages as their owner sees them: the list, the tabs, what is refused, what is deleted."""

import re

from django.contrib.admin.models import LogEntry
from django.http import HttpResponse
from django.utils import timezone
from lxml import html

from desk.bot import tabs
from desk.bot.form import BotForm
from desk.privacy import deleting
from desk.statistics.counting import count_day
from kiosk.models import Device
from tests.desk.bot_pages import LIST, TABS, url
from tests.desk.conftest import page, words
from webchat.models import Alarm, Bot, Conversation, Handover


def test_a_page_saved_as_it_was_opened_changes_nothing_and_the_history_says_so(admin_client, bot):
    """Browsers send the line ends of a textarea as \\r\\n."""
    texts = dict.fromkeys(("greeting", "suggestions", "privacy_note", "consent", "closed_notice"), "One?\nTwo?")
    texts |= {"own_details": "Order number\nInvoice", "hours": "Mon 9:00-17:00\nTue 9:00-12:00"}
    texts["origins"] = "https://www.example.com\nhttps://shop.example.com"
    Bot.objects.update(languages="de", **texts)
    before = Bot.objects.filter(pk=bot.pk).values()[0]
    for rest in ("look/", "places/", "limits/", "people/", "look/?words=de"):
        form = page(admin_client.get(url(bot, rest))).get_element_by_id("bot_form")
        sent: dict[str, list[str]] = {}
        for name, value in form.form_values():
            sent.setdefault(name, []).append(value.replace("\n", "\r\n"))
        response = admin_client.post(url(bot, rest), sent)
        assert response["Location"] == url(bot, rest)
        assert Bot.objects.filter(pk=bot.pk).values()[0] == before, rest
    assert not LogEntry.objects.filter(content_type__model="bot").exists()


def test_a_tab_saves_only_its_own_settings_and_the_page_shows_them_immediately(admin_client, client, bot, fields):
    shown = [name for tab in (tabs.OVERVIEW, *tabs.SETTINGS) for name in tab.model_fields]
    assert sorted(shown) == sorted(BotForm.Meta.fields), "each is on one tab"
    Bot.objects.update(suggestions="What?", switched_on=True, in_portal=True)
    entered = {"greeting": "Welcome to the **shop**", "retention_days": 30, "hours-0-0-from": "9", "hours-0-0-to": "17"}
    for tab, first_changed in (("limits/", "retention_days"), ("people/", "hours"), ("look/", "greeting")):
        sent = entered | (fields if tab != "look/" else {})
        response = admin_client.post(url(bot, tab), sent)
        assert response["Location"] == f"{url(bot, tab)}#id_{first_changed}"
    bot.refresh_from_db()
    assert (bot.retention_days, bot.hours, bot.suggestions) == (30, "Mon 9:00-17:00", "")
    assert (bot.name, bot.switched_on, bot.in_portal) == ("Ada", True, True)
    assert b"Welcome to the <strong>shop</strong>" in client.get("/chat/help/").content


def test_whoever_saves_after_somebody_else_is_told_and_keeps_what_they_typed(admin_client, bot):
    def save(greeting: str, seen: html.HtmlElement) -> HttpResponse:
        as_of = seen.xpath("string(//input[@name='as_of']/@value)")
        return admin_client.post(url(bot, "look/"), {"greeting": greeting, "as_of": as_of})

    seen = page(admin_client.get(url(bot, "look/")))
    save("From one tab", seen)
    response = save("From another", seen)
    assert "This page was changed after you opened it" in words(response)
    refused = page(response)
    assert refused.xpath("string(//textarea[@name='greeting'])").strip() == "From another"
    assert Bot.objects.get().greeting == "From one tab"
    save("From another", refused)
    assert Bot.objects.get().greeting == "From another"


def test_the_overview_shows_the_state_of_each_tab_and_links_to_it(admin_client, bot):
    Bot.objects.update(daily_budget=9, origins="https://www.example.com", people_answer=True)
    shown = " ".join(page(admin_client.get(url(bot))).xpath("string(//aside)").split())
    for sentence in ("on 1 website", "At most 9 messages a day", "people answer in the inbox", "0 conversations"):
        assert sentence in shown
    for tab in TABS:
        links = page(admin_client.get(url(bot, tab))).xpath("//nav[@aria-label='Pages of this bot']//a")
        assert [link.get("href") for link in links if link.get("aria-current")] == [url(bot, tab)]
        assert [link.get("href") for link in links] == [*(url(bot, each) for each in TABS), "/admin/insights/?bot=help"]


def test_the_kiosks_of_the_bot_are_listed_with_their_state(admin_client, staff, bot):
    places = url(bot, "places/")
    assert "None yet." in page(admin_client.get(places)).xpath("string(//*[@data-kiosks])")
    lobby = Device.objects.create(bot=bot, name="Lobby")
    Device.objects.create(bot=Bot.objects.create(slug="other", name="Grace"), name="Elsewhere")
    shown = page(admin_client.get(places))
    [kiosk] = shown.xpath("//*[@data-kiosks]/li")
    assert " ".join(kiosk.text_content().split()) == "Lobby No screen yet"
    assert kiosk.xpath("./a/@href") == [f"/admin/kiosk/device/{lobby.pk}/change/"]
    assert shown.xpath(f"//a[@href='/admin/kiosk/device/add/?bot={bot.pk}']")
    assert not page(staff("webchat.view_bot").get(places)).xpath("//*[@data-kiosks]")


def test_invalid_values_are_refused_beside_their_field(admin_client, bot, fields):
    Bot.objects.update(accent="#ff8800")  # whose shades are not shown beside another colour
    for field, tab, wrong in (
        ("time_zone", "people/", "Europe/Atlantis"),
        ("webhook_url", "service/", "http://example.com/hook"),
        ("base_url", "service/", "http://example.com"),
        ("origins", "places/", "javascript:alert(1)"),
        ("accent", "look/", "red"),
        ("retention_days", "limits/", "0"),
        ("queue_minutes", "people/", "9999999999999"),
        ("teaser_after", "places/", "4000000"),
        ("daily_budget", "limits/", "-1"),
        ("slug", "change/", "../admin"),
    ):
        refused = page(admin_client.post(url(bot, tab), fields | {field: wrong}))
        beside = f"//*[contains(@class, 'field-{field}')]//ul[contains(@class, 'errorlist')]/li"
        assert refused.xpath(beside), (field, wrong)
        assert not [each for each in refused.xpath("//div[@data-shades]") if each.text_content().strip()]
    wrong = {"hours-0-0-from": "whenever", "handover_email": "nobody", "contact": "still here"}
    shown = page(admin_client.post(url(bot, "people/"), fields | wrong))
    [summary] = shown.xpath("//section[@data-problems]")
    assert "Nothing was saved under “People & hours”" in summary.text_content()
    assert "This is not an e-mail address." in summary.text_content()
    assert summary.xpath(".//a/@href") == ["#id_hours-0-0-from", "#id_handover_email"]
    assert shown.get_element_by_id("id_handover_email").value == "nobody"
    assert shown.get_element_by_id("id_hours-0-0-from").value == "whenever"
    assert shown.get_element_by_id("id_contact").value == "still here"
    assert shown.xpath("//title")[0].text.startswith("Error: ")
    people = page(admin_client.get(url(bot, "people/")))
    offered = people.xpath("//datalist[@id=//input[@name='time_zone']/@list]/option/@value")
    assert {"Asia/Tokyo", "Europe/Berlin", "UTC"} <= set(offered)
    admin_client.post(url(bot, "people/"), fields | {"time_zone": "new york"})
    assert Bot.objects.get().time_zone == "America/New_York"


def test_a_reader_sees_the_bot_and_cannot_change_it(staff, bot, fields):
    reader = staff("webchat.view_bot")
    for tab in TABS:
        shown = page(reader.get(url(bot, tab)))
        assert not shown.xpath("//main//input[@type='password'] | //input[@name='_save'] | //button[@name='trained']")
        assert "once you save" not in shown.text_content()
        assert reader.post(url(bot, tab), fields | {"name": "Taken over", "trained": "new"}).status_code == 403
    assert reader.post(url(bot, "test/")).status_code == 403


def test_what_is_deleted_with_a_bot_is_said_before(admin_client, bot, said, django_assert_max_num_queries):
    said()
    for number in range(20):
        Bot.objects.create(slug=f"bot-{number}", name=f"Bot {number}")
    with django_assert_max_num_queries(13):
        assert "Online" in page(admin_client.get(LIST)).text_content()
    asked = page(admin_client.get(f"/admin/webchat/bot/{bot.pk}/delete/")).xpath("//main")[0]
    assert asked.findtext(".//h1") == f"Delete “{bot}”?"
    assert [item.text for item in asked.xpath(".//li")] == ["Conversations: 1"]  # not each turn, and no primary keys
    assert asked.xpath(".//a[text()='Cancel']/@href") == [f"/admin/webchat/bot/{bot.pk}/change/"]


def test_a_deleted_bot_is_gone_at_once_and_its_conversations_in_batches(admin_client, client, bot, said, monkeypatch):
    said("Where is my parcel?"), said(code="NO_ANSWER").conversation.join_queue()
    Handover.objects.create(bot=bot, surface="chat", visitor="0" * 64, message="Call me about the parcel")
    Alarm.objects.create(
        bot=bot, cause="key_refused", number=1, raised_at=timezone.now(), facts={"code": "INVALID_API_KEY"}
    )
    count_day(timezone.localdate())
    badge = "//nav[@aria-label='Desk']//*[@class='badge'][not(@hidden)]"
    pages = ("inbox/?show=all", "webchat/conversation/", "webchat/handover/", "webchat/alarm/", "insights/", "")
    before = {path: page(admin_client.get(f"/admin/{path}")) for path in pages}
    assert len(before[""].xpath(badge)) == 4
    admin_client.post(f"/admin/webchat/bot/{bot.pk}/delete/", {"post": "yes"}, follow=True)
    for path, then in before.items():
        after = page(admin_client.get(f"/admin/{path}"))
        assert bot.name in then.text_content()
        assert not {bot.name, "parcel"} & set(re.findall(r"\w+", after.text_content()))
        assert not after.xpath(badge)
    assert client.get(f"/chat/{bot.slug}/").status_code == 404
    assert client.get(f"/embed/{bot.slug}/").status_code == 404
    assert bot.name not in page(admin_client.get(LIST)).xpath("//*[@id='changelist']")[0].text_content()
    assert admin_client.get(url(bot)).status_code == 302  # as for an unknown bot
    Bot.objects.create(slug=bot.slug, name="Another")  # its slug is free

    monkeypatch.setattr(deleting, "SECONDS", 0)
    deleting.delete_bots_in_parts()
    assert Bot.with_deleted.filter(pk=bot.pk).exists()
    monkeypatch.setattr(deleting, "SECONDS", 20)
    deleting.delete_bots_in_parts()
    assert not Bot.with_deleted.filter(pk=bot.pk).exists()
    assert not Conversation.objects.exists()


def test_the_only_bot_is_chosen_for_what_is_added_and_one_of_several_in_words(admin_client, bot):
    def offered() -> list[list[str]]:
        pages = (page(admin_client.get(f"/admin/{what}/add/")) for what in ("kiosk/device", "webchat/identitykey"))
        return [each.xpath("//select[@name='bot']/option/text()") for each in pages]

    assert offered() == [[bot.name]] * 2
    Bot.objects.create(slug="another", name="Another")
    assert offered() == [["Choose…", "Another", bot.name]] * 2
