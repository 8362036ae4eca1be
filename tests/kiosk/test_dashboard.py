"""The owner's pages about kiosks: enrolment codes, the state of each, pause and reload from afar."""

import datetime
import re

import pytest
from django.test import Client
from django.utils import timezone
from lxml import html

from kiosk.models import Device
from webchat.models import Conversation

CHANGELIST = "/admin/kiosk/device/"
FIELDS = {"name": "Shop", "prompt": "", "language": "", "idle_seconds": 60, "warning_seconds": 30, "sound": "on"}
FIELDS |= {"messages_per_minute": 0}


@pytest.fixture
def owner(admin_client: Client) -> Client:
    return admin_client


def do(owner: Client, device: Device, what: str):
    return owner.post(f"{CHANGELIST}{device.pk}/do/", {"do": what}, follow=True)


def code_on(page) -> str:
    return html.fromstring(page.content).findtext(".//*[@data-code]") or ""


def test_a_new_kiosk_gets_a_code_that_enrols_a_browser_and_is_shown_once(owner, bot, settings):
    page = owner.post(f"{CHANGELIST}add/", FIELDS | {"bot": bot.pk}, follow=True)
    assert "/kiosk/help/" in page.content.decode()
    assert "no-store" in page["Cache-Control"]
    code = code_on(page)
    assert re.fullmatch(r"\w{4} \w{4}", code)
    again = owner.get(page.redirect_chain[-1][0])
    assert code_on(again) == ""
    assert "already been shown" in again.content.decode()
    assert Client().post("/kiosk/help/enrol", {"code": code}).status_code == 302
    settings.ALLOWED_HOSTS = ["localhost", "testserver"]
    do_url = f"{CHANGELIST}{Device.objects.get().pk}/do/"
    for host in ("localhost", "testserver"):  # an address that no other screen can open
        page = owner.post(do_url, {"do": "code"}, headers={"host": host}, follow=True)
        assert ("Works on this computer only" in page.content.decode()) == (host == "localhost")


def test_the_list_shows_the_state_of_each_kiosk(owner, screen, device):
    def state() -> str:
        return html.fromstring(owner.get(CHANGELIST).content).xpath("string(//*[@data-state])")

    assert state() == "Not responding"
    screen.pulse()
    assert state() == "Online"
    do(owner, device, "pause")
    assert state() == "Paused"
    Device.objects.update(seen_at=timezone.now() - datetime.timedelta(minutes=5))
    assert state() == "Not responding"
    do(owner, device, "dismiss")
    assert state() == "No screen yet"


def test_pause_resume_and_reload_reach_the_screen(owner, screen, device, bot):
    version = screen.pulse().json()["version"]
    do(owner, device, "pause")
    assert screen.pulse().json()["paused"] is True
    do(owner, device, "resume")
    assert screen.pulse().json()["paused"] is False
    assert screen.pulse().json()["version"] == version
    do(owner, device, "reload")
    assert screen.pulse().json()["version"] != version
    url = f"{CHANGELIST}{device.pk}/do/"
    assert [owner.post(url, {"do": what}).status_code for what in ("", "delete", "pause it")] == [400] * 3
    assert owner.get(url).status_code == 400
    Device.objects.create(name="Shop", bot=bot)
    chosen = list(Device.objects.values_list("pk", flat=True))
    owner.post(CHANGELIST, {"action": "pause", "_selected_action": chosen})
    assert set(Device.objects.values_list("paused", flat=True)) == {True}


@pytest.mark.parametrize("gone", ["dismissed", "deleted"])
def test_a_browser_that_is_no_kiosk_any_more_is_an_ordinary_one_and_nobody_waits_there(gone, owner, screen, device):
    screen.open()
    screen.next_visit()
    screen.send("Is anybody there?")
    conversation = Conversation.objects.get()
    conversation.join_queue()
    if gone == "dismissed":
        do(owner, device, "dismiss")
    else:
        owner.post(CHANGELIST, {"action": "delete_selected", "_selected_action": [device.pk], "post": "yes"})
    assert screen.pulse().status_code == 403
    conversation.refresh_from_db()
    assert (conversation.led_by, conversation.ended_at is None) == ("bot", False)
    assert "Is anybody there?" not in owner.get("/admin/inbox/").content.decode()


def test_the_prompt_is_written_in_each_language_and_shown_in_the_visitors(owner, device, bot, screen):
    Device.objects.update(languages="de,ar")
    fields = FIELDS | {"bot": bot.pk, "languages": ["de", "ar"], "prompt": "Ask!", "prompts-de": "Fragen Sie!"}
    version, change = screen.pulse().json()["version"], f"{CHANGELIST}{device.pk}/change/"
    refused = owner.post(change, fields | {"warning_seconds": 19})
    assert "greater than or equal to 20" in refused.content.decode()
    owner.post(change, fields | {"prompts-ar": ""})
    assert screen.pulse().json()["version"] != version
    page = html.fromstring(owner.get(change).content)
    assert page.xpath("//input[@name='languages'][@checked]/@value") == ["de", "ar"]
    assert [label.xpath("./input/@lang")[0] for label in page.xpath("//label[.//*[@class='missing']]")] == ["ar"]
    shown = {code: screen.client.get(f"/kiosk/{bot.slug}/?lang={code}").content.decode() for code in ("de", "ar")}
    assert "Fragen Sie!" in shown["de"]
    assert "Ask!" in shown["ar"]
