"""A kiosk without JavaScript: pages, buttons and the Refresh header end one visit before the next begins."""

import pytest
from django.conf import settings
from lxml import html

from kiosk import visits
from kiosk.models import Device
from tests.kiosk.screen import Screen
from tests.people.conftest import make_member
from webchat.models import Bot, Conversation, Leader

START, STILL_HERE = "/kiosk/help/plain", "/kiosk/help/plain/still-here"
AS_PAGE = {"Sec-Fetch-Dest": "document"}


@pytest.fixture
def visit(screen: Screen) -> Screen:
    """A visit that has begun, without JavaScript."""
    begin(screen)
    return screen


def begin(screen: Screen, query: str = "") -> str:
    """Press "Touch to start" and return where it leads."""
    page = html.fromstring(screen.client.get(START + query).content)
    screen.csrf = page.xpath("//input[@name='csrfmiddlewaretoken']/@value")[0]
    response = screen.client.post(START + query, {"csrfmiddlewaretoken": screen.csrf}, headers=AS_PAGE)
    assert response.status_code == 303
    screen.csrf = screen.client.cookies["csrftoken"].value
    return response["Location"]


def test_the_screen_leads_a_browser_without_javascript_to_its_own_start(screen):
    page = screen.open().content.decode()
    assert f'<noscript><meta http-equiv="refresh" content="0; url={START}"></noscript>' in page


def test_after_some_time_the_page_asks_whether_the_visitor_is_still_there_and_then_starts_again(visit):
    Device.objects.update(idle_seconds=30, warning_seconds=45)
    visit.send("My secret")
    page = visit.page(**AS_PAGE)
    assert page["Refresh"] == f"{visits.PLAIN_MIN_IDLE}; url={STILL_HERE}"
    asked = visit.client.get(STILL_HERE)
    assert "Are you still here?" in asked.content.decode()
    assert asked["Refresh"] == f"45; url={START}"
    assert visit.messages() == ["My secret"]
    visit.client.get(START)
    assert visit.page(**AS_PAGE).status_code == 302
    assert Conversation.objects.get().ended_at is not None
    begin(visit)
    assert visit.messages() == []


def test_finish_leaves_the_queue(visit):
    Bot.objects.update(people_answer=True)
    make_member("Grace")
    visit.client.post("/kiosk/visit/help/person/join", {"csrfmiddlewaretoken": visit.csrf})
    assert Conversation.objects.get().led_by == Leader.QUEUE
    finish = html.fromstring(visit.page(**AS_PAGE).content).xpath("//form[@data-finish]/@action")
    assert finish == [START]
    assert "Touch to start" in visit.client.get(finish[0]).content.decode()
    assert Conversation.objects.get().led_by == Leader.BOT


def test_a_paused_kiosk_says_so_and_ends_the_visit(visit):
    visit.send("My secret")
    Device.objects.update(paused=True)
    assert visit.send("More")["Location"] == START
    page = visit.client.get(START).content.decode()
    assert "Taking a break" in page
    assert "Touch to start" not in page
    assert Conversation.objects.get().ended_at is not None


def test_a_chosen_language_lasts_for_the_visit(screen):
    Device.objects.update(languages="en,de")
    assert 'lang="de"' in screen.client.get(START).content.decode()
    screen.client.get(begin(screen, "?lang=de"))
    assert "Nachricht" in screen.page(**AS_PAGE).content.decode()
    screen.client.get(START)
    assert screen.client.cookies[settings.LANGUAGE_COOKIE_NAME].value == ""


def test_the_start_is_for_the_kiosks_own_bot_only(screen, client):
    Bot.objects.create(slug="other", name="Bob")
    assert screen.client.get("/kiosk/other/plain")["Location"] == START
    assert client.get(START)["Location"] == "/kiosk/help/"
    assert screen.client.get(STILL_HERE)["Location"] == START


def test_a_start_that_is_opened_beside_a_visit_with_javascript_does_not_end_it(screen):
    screen.open()
    screen.next_visit()
    screen.send("Hello")
    screen.client.get(START)
    assert screen.messages() == ["Hello"]
