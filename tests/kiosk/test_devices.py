"""Kiosk devices: enrolled with a code that works once, recognised by a cookie, set up by the owner."""

import datetime

import pytest
from django.test import Client
from django.utils import timezone
from lxml import html

from kiosk import devices
from kiosk.models import Device
from webchat.models import Bot


def enrol(code: str, client: Client | None = None) -> tuple[Client, object]:
    client = client or Client()
    return client, client.post("/kiosk/help/enrol", {"code": code})


def test_a_browser_that_is_not_a_kiosk_is_told_how_to_become_one(bot):
    response = Client().get("/kiosk/help/")
    tree = html.fromstring(response.content)
    assert tree.findtext(".//h1") == "Set up this screen"
    assert "under Kiosks" in tree.text_content()
    assert tree.get_element_by_id("code").get("autocomplete") == "off"
    assert tree.xpath("//meta[@name='description']/@content") == ["Chat with Ada"]
    assert not tree.xpath("//*[@data-kiosk] | //script")  # it asks the site for nothing


@pytest.mark.parametrize("typed", ["{}", " {} ", "{} ".lower()])
def test_the_owners_code_turns_a_browser_into_the_kiosk(device, typed):
    code = device.make_code()
    client, response = enrol(typed.format(code if typed != "{} " else code.replace(" ", "-").lower()))
    assert (response.status_code, response["Location"]) == (302, "/kiosk/help/")
    assert client.get("/kiosk/help/").context["device"] == device
    cookie = response.cookies[devices.COOKIE]
    assert (cookie["httponly"], cookie["max-age"]) == (True, devices.COOKIE_SECONDS)


def test_a_code_works_once_for_an_hour_and_until_the_next_one(device):
    def is_refused(code: str) -> bool:
        _client, response = enrol(code)
        return response.status_code == 422 and "is not valid" in response.content.decode()

    assert not is_refused(used := device.make_code())
    assert is_refused(used)
    replaced, expired = device.make_code(), device.make_code()
    assert is_refused(replaced)
    Device.objects.update(code_until=timezone.now() - datetime.timedelta(seconds=1))
    assert is_refused(expired)
    assert not is_refused(device.make_code())


def test_an_invalid_code_enrols_nothing(device):
    device.make_code()
    for typed in ("", " ", "ABCD 2345", "\0", "x" * 5000, "é"):
        client, response = enrol(typed)
        assert response.status_code == 422
        assert devices.COOKIE not in client.cookies


def test_the_site_stores_neither_code_nor_token(device):
    code = device.make_code()
    client, _response = enrol(code)
    kept = str(Device.objects.values().get())
    assert code.replace(" ", "") not in kept
    assert client.cookies[devices.COOKIE].value not in kept


def test_enrolling_another_browser_ends_the_enrolment_of_the_first(screen, device):
    screen.open()
    enrol(device.make_code())
    page = screen.open().content.decode()
    assert "The chat on this screen has ended" in page
    assert "/chat/help/" not in page
    screen.client.cookies["language"] = "de"  # the last visitor's
    assert 'lang="de"' in screen.open().content.decode()
    assert screen.pulse().status_code == 403
    assert screen.next_visit().status_code == 403
    assert screen.page().status_code == 404


def test_a_code_of_another_bot_leads_to_that_bot(device):
    Bot.objects.create(slug="other", name="Otto")
    code = device.make_code()
    response = Client().post("/kiosk/other/enrol", {"code": code})
    assert response["Location"] == "/kiosk/help/"


def test_a_kiosk_that_is_given_another_bot_opens_it(screen, device):
    screen.open()
    Device.objects.update(bot=Bot.objects.create(slug="other", name="Otto"))
    assert screen.pulse().json()["address"] == "/kiosk/other/"
    assert screen.client.get("/kiosk/help/")["Location"] == "/kiosk/other/"


@pytest.mark.parametrize(
    "change",
    [
        lambda device: Device.objects.reload(),
        lambda device: Device.objects.update(prompt="What would you like to know?"),
        lambda device: Device.objects.update(idle_seconds=99),
        lambda device: Bot.objects.update(greeting="Good day!"),
        lambda device: Bot.objects.update(suggestions="Who are you?"),
        lambda device: Bot.objects.update(accent="#aa3300"),
        lambda device: Bot.objects.update(asks_for_proof=True),
        lambda device: Bot.objects.update(switched_on=False),
    ],
)
def test_each_change_by_the_owner_is_a_new_version(screen, device, change):
    before = screen.pulse().json()["version"]
    assert f'data-version="{before}"' in screen.open().content.decode()
    assert screen.pulse().json()["version"] == before
    change(device)
    assert screen.pulse().json()["version"] != before


def test_a_bot_that_is_switched_off_says_so_and_offers_no_questions(screen):
    inviting = ("Ask me anything", "When are you open?")
    assert all(words in screen.open().content.decode() for words in inviting)
    Bot.objects.update(switched_on=False)
    page = screen.open().content.decode()
    assert not any(words in page for words in inviting)
    assert "This chat is switched off at the moment." in page


def test_a_paused_kiosk_says_so_and_accepts_no_message(screen, device):
    screen.open()
    screen.next_visit()
    Device.objects.update(paused=True)
    assert screen.pulse().json()["paused"] is True
    assert screen.send("Hello").status_code == 404
    assert "data-paused" in screen.open().content.decode()


def test_all_visitors_of_a_kiosk_share_its_own_message_limit(screen, device, clock_at_noon):
    Device.objects.update(messages_per_minute=2)
    screen.open()
    answers = []
    for _visitor in range(3):
        screen.next_visit()
        answers.append(screen.send("Hello").status_code)
    assert answers == [303, 303, 429]


def test_the_kiosk_speaks_its_own_language(screen, device):
    Device.objects.update(language="de")
    assert '<html lang="de"' in screen.open().content.decode()
    screen.next_visit()
    assert '<html lang="de"' in screen.page().content.decode()
    assert '<html lang="fr"' in screen.client.get("/kiosk/visit/help/?lang=fr").content.decode()
    screen.next_visit()
    assert '<html lang="de"' in screen.page().content.decode()


def test_languages_are_offered_when_there_is_a_choice(screen, device):
    def offered() -> list[str]:
        return html.fromstring(screen.open().content).xpath("//*[@data-language]/@value")

    assert offered() == []
    Device.objects.update(languages="ar")
    assert offered() == []
    Device.objects.update(languages="ar,en,de")
    assert offered() == ["en", "de", "ar"]


def test_a_stranger_reaches_neither_visits_nor_heartbeat(bot):
    client = Client()
    assert client.get("/kiosk/visit/help/").status_code == 404
    assert client.get("/kiosk/help/pulse").status_code == 403
    assert client.post("/kiosk/help/visit").status_code == 403
    assert client.get("/kiosk/nobody/").status_code == 404


def test_a_visit_ends_only_on_request_of_its_own_screen(screen, device):
    """A page of another site can't end a visit: it needs the screen's CSRF token."""
    screen.open()
    screen.next_visit()
    before = Device.objects.get().visit
    assert screen.client.post("/kiosk/help/visit").status_code == 403
    assert Device.objects.get().visit == before
