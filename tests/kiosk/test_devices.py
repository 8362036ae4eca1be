"""Kiosk devices: enrolled with a code that works once, recognised by a cookie, set up by the owner."""

import datetime

from django.test import Client
from django.utils import timezone
from lxml import html

from kiosk import devices, visits
from kiosk.models import Device
from tests.kiosk.conftest import TOKEN
from webchat.models import Bot


def enrol(code: str, client: Client | None = None) -> tuple[Client, object]:
    client = client or Client()
    return client, client.post("/kiosk/help/enrol", {"code": code})


def test_a_browser_that_is_not_a_kiosk_is_told_how_to_become_one(client, bot):
    response = client.get("/kiosk/help/")
    tree = html.fromstring(response.content)
    assert tree.findtext(".//h1") == "Set up this screen"
    assert "under Kiosks" in tree.text_content()
    assert tree.get_element_by_id("code").get("autocomplete") == "off"
    assert tree.xpath("//meta[@name='description']/@content") == ["Chat with Ada"]
    assert not tree.xpath("//*[@data-kiosk] | //script")  # it asks the site for nothing
    assert client.get("/kiosk/visit/help/").status_code == 404
    assert client.get("/kiosk/help/pulse").status_code == 403
    assert client.post("/kiosk/help/visit").status_code == 403
    assert client.get("/kiosk/nobody/").status_code == 404


def test_the_owners_code_turns_a_browser_into_the_kiosk_and_is_not_stored(device):
    for spelt in (str, lambda code: f" {code} ", lambda code: code.replace(" ", "-").lower()):
        code = device.make_code()
        client, response = enrol(spelt(code))
        assert (response.status_code, response["Location"]) == (302, "/kiosk/help/")
        assert client.get("/kiosk/help/").context["device"] == device
        cookie = response.cookies[devices.COOKIE]
        assert (cookie["httponly"], cookie["max-age"]) == (True, devices.COOKIE_SECONDS)
        kept = str(Device.objects.values().get())
        assert code.replace(" ", "") not in kept
        assert cookie.value not in kept
    Bot.objects.create(slug="other", name="Otto")
    response = Client().post("/kiosk/other/enrol", {"code": device.make_code()})
    assert response["Location"] == "/kiosk/help/", "the code's own bot"


def test_a_code_works_once_for_an_hour_and_until_the_next_one(device):
    def is_refused(code: str) -> bool:
        client, response = enrol(code)
        assert (devices.COOKIE in client.cookies) == (response.status_code != 422)
        return response.status_code == 422 and "is not valid" in response.content.decode()

    assert not is_refused(used := device.make_code())
    assert is_refused(used)
    replaced, expired = device.make_code(), device.make_code()
    for invalid in (replaced, "", " ", "ABCD 2345", "\0", "x" * 5000, "é"):
        assert is_refused(invalid), invalid
    Device.objects.update(code_until=timezone.now() - datetime.timedelta(seconds=1))
    assert is_refused(expired)
    assert not is_refused(device.make_code())


def test_enrolling_another_browser_ends_the_enrolment_of_the_first_and_no_other_site_its_visit(screen, device):
    screen.open()
    visit = Device.objects.get().visit
    assert screen.client.post("/kiosk/help/visit").status_code == 403, "without the screen's CSRF token"
    assert Device.objects.get().visit == visit
    bot, other = device.bot, Bot.objects.create(slug="other", name="Otto")
    Device.objects.update(bot=other)  # it opens the bot that it is given
    assert screen.pulse().json()["address"] == "/kiosk/other/"
    assert screen.client.get("/kiosk/help/")["Location"] == "/kiosk/other/"
    Device.objects.update(bot=bot)
    enrol(device.make_code())
    page = screen.open().content.decode()
    assert "The chat on this screen has ended" in page
    assert "/chat/help/" not in page
    screen.client.cookies["language"] = "de"  # the last visitor's
    assert 'lang="de"' in screen.open().content.decode()
    assert screen.pulse().status_code == 403
    assert screen.next_visit().status_code == 403
    assert screen.page().status_code == 404


def test_each_change_by_the_owner_is_a_new_version(screen, device):
    before = screen.pulse().json()["version"]
    page = screen.open().content.decode()
    assert f'data-version="{before}"' in page
    assert all(words in page for words in ("Ask me anything", "When are you open?"))
    assert screen.pulse().json()["version"] == before
    versions = {before}
    for model, change in (
        *((Device, {"prompt": "What would you like to know?"}), (Device, {"idle_seconds": 99})),
        *((Bot, {"greeting": "Good day!"}), (Bot, {"accent": "#aa3300"}), (Bot, {"asks_for_proof": True})),
        (Bot, {"switched_on": False}),
    ):
        model.objects.update(**change)
        versions.add(screen.pulse().json()["version"])
    Device.objects.reload()
    versions.add(screen.pulse().json()["version"])
    assert len(versions) == 8
    page = screen.open().content.decode()
    assert "This chat is switched off at the moment." in page
    assert not any(words in page for words in ("What would you like to know?", "When are you open?"))


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


def test_the_kiosk_speaks_its_own_language_and_offers_others_when_there_is_a_choice(screen, device):
    def offered() -> list[str]:
        return html.fromstring(screen.open().content).xpath("//*[@data-language]/@value")

    Device.objects.update(language="de")
    assert '<html lang="de"' in screen.open().content.decode()
    screen.next_visit()
    assert '<html lang="de"' in screen.page().content.decode()
    assert '<html lang="fr"' in screen.client.get("/kiosk/visit/help/?lang=fr").content.decode()
    screen.next_visit()
    assert '<html lang="de"' in screen.page().content.decode()
    for languages, shown in (("", []), ("ar", []), ("ar,en,de", ["en", "de", "ar"])):
        Device.objects.update(languages=languages)
        assert offered() == shown


def pages(device: Device) -> list[tuple[str, str]]:
    """Return the permissions policy and content of three pages: the screen, the visit in it, and the public chat."""
    client = Client()
    client.cookies[devices.COOKIE], client.cookies[visits.COOKIE] = TOKEN, str(device.visit)
    responses = [client.get(path) for path in ("/kiosk/help/", "/kiosk/visit/help/", "/chat/help/")]
    assert [response.status_code for response in responses] == [200] * 3
    return [(response["Permissions-Policy"], response.content.decode()) for response in responses]


def test_only_with_speech_on_and_only_the_kiosks_pages_may_use_the_microphone(device):
    for policy, page in pages(device):
        assert "microphone=()" in policy
        assert "data-listen " not in page
        assert "data-read-aloud" not in page
    device.speech = True
    device.save()
    (screen, _), (visit, page), (chat, _) = pages(device)
    assert "microphone=(self)" in screen
    assert "microphone=(self)" in visit
    assert "microphone=()" in chat
    assert "data-listen " in page
    assert "data-read-aloud" in page
    assert "camera=()" in visit
