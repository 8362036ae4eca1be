"""The bots' pages as their owner sees them: the list, the tabs, what is refused, what is deleted."""

import re

import pytest
from django.contrib.admin.models import LogEntry
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


def test_the_form_is_saved_and_the_page_shows_it_immediately(admin_client, client, bot, fields):
    words = {"greeting": "Welcome to the **shop**", "retention_days": 30, "hours-0-0-from": "9", "hours-0-0-to": "17"}
    for tab, first_changed in (("look/", "greeting"), ("limits/", "retention_days"), ("people/", "hours")):
        response = admin_client.post(url(bot, tab), fields | words)
        assert response["Location"] == f"{url(bot, tab)}#id_{first_changed}"
    bot.refresh_from_db()
    assert (bot.retention_days, bot.hours) == (30, "Mon 9:00-17:00")
    assert b"Welcome to the <strong>shop</strong>" in client.get("/chat/help/").content


@pytest.mark.parametrize("rest", ["look/", "places/", "limits/", "people/", "look/?words=de"])
def test_a_page_saved_as_it_was_opened_changes_nothing_and_the_history_says_so(admin_client, bot, rest):
    """Browsers send the line ends of a textarea as \\r\\n."""
    texts = dict.fromkeys(("greeting", "suggestions", "privacy_note", "consent", "closed_notice"), "One?\nTwo?")
    texts |= {"own_details": "Order number\nInvoice", "hours": "Mon 9:00-17:00\nTue 9:00-12:00"}
    texts["origins"] = "https://www.example.com\nhttps://shop.example.com"
    Bot.objects.update(languages="de", **texts)
    before = Bot.objects.filter(pk=bot.pk).values()[0]
    form = page(admin_client.get(url(bot, rest))).get_element_by_id("bot_form")
    sent: dict[str, list[str]] = {}
    for name, value in form.form_values():
        sent.setdefault(name, []).append(value.replace("\n", "\r\n"))
    response = admin_client.post(url(bot, rest), sent)
    assert response["Location"] == url(bot, rest)
    assert Bot.objects.filter(pk=bot.pk).values()[0] == before
    assert not LogEntry.objects.filter(content_type__model="bot").exists()


def test_every_setting_is_on_one_tab_and_a_tab_saves_only_its_own(admin_client, bot):
    shown = [name for tab in (tabs.OVERVIEW, *tabs.SETTINGS) for name in tab.model_fields]
    assert sorted(shown) == sorted(BotForm.Meta.fields)
    Bot.objects.update(suggestions="What?", retention_days=7, switched_on=True, in_portal=True)
    assert admin_client.post(url(bot, "look/"), {"greeting": "Hi"}).status_code == 302
    bot.refresh_from_db()
    assert (bot.greeting, bot.suggestions) == ("Hi", "")
    assert (bot.name, bot.retention_days, bot.switched_on, bot.in_portal) == ("Ada", 7, True, True)


def test_whoever_saves_after_somebody_else_is_told_and_keeps_what_they_typed(admin_client, bot):
    seen = page(admin_client.get(url(bot, "look/"))).xpath("string(//input[@name='as_of']/@value)")
    admin_client.post(url(bot, "look/"), {"greeting": "From one tab", "as_of": seen})
    response = admin_client.post(url(bot, "look/"), {"greeting": "From another", "as_of": seen})
    assert "This page was changed after you opened it" in words(response)
    refused = page(response)
    assert refused.xpath("string(//textarea[@name='greeting'])").strip() == "From another"
    bot.refresh_from_db()
    assert bot.greeting == "From one tab"
    now = refused.xpath("string(//input[@name='as_of']/@value)")
    admin_client.post(url(bot, "look/"), {"greeting": "From another", "as_of": now})
    bot.refresh_from_db()
    assert bot.greeting == "From another"


def test_each_tab_names_itself_and_links_to_the_others(admin_client, bot):
    for tab in TABS:
        shown = page(admin_client.get(url(bot, tab)))
        [here] = shown.xpath("//nav[@aria-label='Pages of this bot']//a[@aria-current]/@href")
        assert here == url(bot, tab)
        links = shown.xpath("//nav[@aria-label='Pages of this bot']//a/@href")
        assert links == [*[url(bot, each) for each in TABS], "/admin/insights/?bot=help"]


def test_mistakes_are_listed_at_the_top_with_links_to_the_fields(admin_client, bot, fields):
    wrong = {"hours-0-0-from": "whenever", "handover_email": "nobody", "contact": "still here"}
    shown = page(admin_client.post(url(bot, "people/"), fields | wrong))
    [summary] = shown.xpath("//section[@data-problems]")
    assert "Nothing was saved under “People & hours”" in summary.text_content()
    assert "This is not an e-mail address." in summary.text_content()
    assert summary.xpath(".//a/@href") == ["#id_hours-0-0-from", "#id_handover_email"]
    for link in summary.xpath(".//a/@href"):
        assert shown.get_element_by_id(link[1:]) is not None
    assert shown.get_element_by_id("id_hours-0-0-from").value == "whenever"
    assert shown.get_element_by_id("id_contact").value == "still here"
    assert shown.xpath("//title")[0].text.startswith("Error: ")


def test_the_overview_shows_the_state_of_each_tab(admin_client, bot):
    Bot.objects.update(daily_budget=9, origins="https://www.example.com", people_answer=True)
    shown = " ".join(page(admin_client.get(url(bot))).xpath("string(//aside)").split())
    for sentence in ("on 1 website", "At most 9 messages a day", "people answer in the inbox", "0 conversations"):
        assert sentence in shown


def test_a_website_that_may_show_the_bot_is_listed_with_its_check(admin_client, bot):
    Bot.objects.update(origins="http://127.0.0.1:9")
    [link] = page(admin_client.get(url(bot, "places/"))).xpath("//ul[@class='websites']//a/@href")
    assert "http://127.0.0.1:9 could not be opened" in words(admin_client.get(link))


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


def test_proof_of_work_is_off_until_its_owner_ticks_it_and_the_preview_has_it_before(admin_client, client, bot, fields):
    admin_client.post(url(bot, "limits/"), fields)
    assert "data-challenge" not in client.get("/chat/help/").content.decode()
    ticked = fields | {"asks_for_proof": "on"}
    assert "data-challenge" in admin_client.post(url(bot, "preview/chat/?tab=desk_bot_limits"), ticked).content.decode()
    admin_client.post(url(bot, "limits/"), ticked)
    assert "data-challenge" in client.get("/chat/help/").content.decode()
    assert (
        "while"
        in page(admin_client.get(url(bot, "limits/"))).xpath("string(//*[@id='id_asks_for_proof_helptext'])").lower()
    )


@pytest.mark.parametrize(
    ("field", "tab", "wrong"),
    [
        ("time_zone", "people/", "Europe/Atlantis"),
        ("webhook_url", "service/", "http://example.com/hook"),
        ("base_url", "service/", "http://example.com"),
        ("origins", "places/", "javascript:alert(1)"),
        ("accent", "look/", "red"),
        ("retention_days", "limits/", "0"),
        ("retention_days", "limits/", "1000000"),
        ("queue_minutes", "people/", "9999999999999"),
        ("teaser_after", "places/", "4000000"),
        ("daily_budget", "limits/", "-1"),
        ("slug", "change/", "../admin"),
    ],
)
def test_invalid_values_are_refused_beside_their_field(admin_client, bot, fields, field, tab, wrong):
    response = admin_client.post(url(bot, tab), fields | {field: wrong})
    assert page(response).xpath(f"//*[contains(@class, 'field-{field}')]//ul[contains(@class, 'errorlist')]/li")


def test_a_refused_colour_keeps_its_picker_and_is_given_no_shades_of_another(admin_client, bot, fields):
    for stored in ("", "#ff8800"):
        Bot.objects.update(accent=stored)
        refused = page(admin_client.post(url(bot, "look/"), fields | {"accent": "teal"}))
        [shades] = refused.xpath("//div[@data-shades]")
        assert shades.text_content().strip() == ""


def test_a_city_is_enough_for_the_bots_time_zone_and_all_zones_are_offered(admin_client, bot, fields):
    shown = page(admin_client.get(url(bot, "people/")))
    offered = shown.xpath("//datalist[@id=//input[@name='time_zone']/@list]/option/@value")
    assert {"Asia/Tokyo", "Europe/Berlin", "UTC"} <= set(offered)
    admin_client.post(url(bot, "people/"), fields | {"time_zone": "new york"})
    bot.refresh_from_db()
    assert bot.time_zone == "America/New_York"


def test_a_reader_sees_the_bot_and_cannot_change_it(staff, bot, fields):
    reader = staff("webchat.view_bot")
    for tab in TABS:
        shown = page(reader.get(url(bot, tab)))
        assert not shown.xpath("//main//input[@type='password'] | //input[@name='_save'] | //button[@name='trained']")
        assert "once you save" not in shown.text_content()
        assert reader.post(url(bot, tab), fields | {"name": "Taken over", "trained": "new"}).status_code == 403
    assert reader.post(url(bot, "test/")).status_code == 403


def test_the_list_takes_the_same_number_of_queries_for_any_number_of_bots(
    admin_client, bot, django_assert_max_num_queries
):
    for number in range(20):
        Bot.objects.create(slug=f"bot-{number}", name=f"Bot {number}")
    with django_assert_max_num_queries(13):
        assert "Online" in page(admin_client.get(LIST)).text_content()


def test_before_a_bot_is_deleted_its_owner_reads_what_is_deleted_with_it(admin_client, bot, said):
    said()
    shown = html.fromstring(admin_client.get(f"/admin/webchat/bot/{bot.pk}/delete/").content.decode())
    asked = shown.xpath("//main")[0]
    assert asked.findtext(".//h1") == f"Delete “{bot}”?"
    assert [item.text for item in asked.xpath(".//li")] == ["Conversations: 1"]  # not each turn, and no primary keys
    assert asked.xpath(".//a[text()='Cancel']/@href") == [f"/admin/webchat/bot/{bot.pk}/change/"]
    admin_client.post(f"/admin/webchat/bot/{bot.pk}/delete/", {"post": "yes"})
    assert not Bot.objects.filter(pk=bot.pk).exists()


def test_a_deleted_bot_is_gone_immediately_and_its_conversations_are_deleted_in_batches(
    admin_client, client, bot, said, monkeypatch
):
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


def test_an_empty_list_says_so_and_offers_no_filters(admin_client, bot):
    shown = html.fromstring(admin_client.get("/admin/webchat/conversation/").content)
    assert shown.xpath("//p[@class='empty']")
    assert not shown.xpath("//*[@id='changelist-filter']")
    shown = html.fromstring(admin_client.get("/admin/webchat/conversation/?q=nothing").content)
    assert "Nothing matches" in shown.xpath("//p[@class='empty']")[0].text
    assert shown.xpath("//*[@id='changelist-filter']//summary")


@pytest.mark.parametrize(
    ("what", "title"),
    [
        ("webchat/bot", "Bot hinzufügen"),
        ("docbot/trainedbot", "Trainierten Bot hinzufügen"),
        ("kiosk/device", "Kiosk hinzufügen"),
        ("webchat/identitykey", "Website-Schlüssel hinzufügen"),
        ("auth/user", "Konto hinzufügen"),
    ],
)
def test_what_adds_a_row_has_the_name_of_the_page_that_it_leads_to(admin_client, bot, what, title):
    german = {"headers": {"Accept-Language": "de"}}
    list_, added = (page(admin_client.get(f"/admin/{what}/{end}", **german)) for end in ("", "add/"))
    assert list_.xpath("//a[@class='addlink']/text()") == [title]
    assert added.xpath("string(//h1)").strip() == title
    assert added.xpath("string(//title)").startswith(title)


@pytest.mark.parametrize("what", ["kiosk/device", "webchat/identitykey"])
def test_the_only_bot_is_chosen_for_what_is_added(admin_client, bot, what):
    def offered() -> list[str]:
        return page(admin_client.get(f"/admin/{what}/add/")).xpath("//select[@name='bot']/option/text()")

    assert offered() == [bot.name]
    Bot.objects.create(slug="another", name="Another")
    assert len(offered()) == 3  # also the choice of none
