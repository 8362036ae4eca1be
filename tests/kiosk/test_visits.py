"""One visitor after another on the same screen, with and without JavaScript: the server only knows the current one."""

import uuid

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from lxml import html

from kiosk import visits
from kiosk.models import Device
from tests.kiosk.conftest import Screen, screen_with
from tests.people.conftest import make_member
from tests.webchat.pending import messages_stay_pending
from webchat.conversation import accept, answer
from webchat.conversation.visitor_session import ensure_visitor
from webchat.encryption import hash_of
from webchat.models import Bot, BotWords, Conversation, Leader, Surface, Turn


@pytest.fixture
def visit(screen: Screen) -> Screen:
    """A visit that has begun."""
    screen.open()
    screen.next_visit()
    return screen


def test_the_next_visit_shows_nothing_of_the_last_and_has_another_chat_id(visit, upstream):
    for message in ("My secret", "And more"):
        visit.send(message)
    visit.next_visit()
    assert visit.messages() == []
    (before,) = Conversation.objects.all()
    assert (before.surface, before.ended_at is not None, before.chat_id) == (Surface.KIOSK, True, "")
    assert Session.objects.count() == 0
    visit.send("Hello")
    assert [bool(request.chat_id) for request in upstream.requests] == [False, True, False]


@pytest.mark.parametrize(("prompt", "shown"), [("", "Ask me anything"), ("Where to?", "Where to?")])
def test_a_bot_without_a_greeting_greets_with_the_words_of_the_attract_screen(prompt, shown, visit, device):
    Bot.objects.update(greeting="")
    Device.objects.update(prompt=prompt)
    greeting = html.fromstring(visit.page().content).find(".//section[@data-greeting]/div[@class='text']")
    assert greeting.text_content().strip() == shown


def test_the_next_visit_replaces_the_cookies(visit):
    page = visit.client.get("/kiosk/visit/help/?lang=de")
    assert "Nachricht" in page.content.decode()
    before = {name: morsel.value for name, morsel in visit.client.cookies.items()}
    visit.send("Hallo")
    visit.next_visit()
    after = {name: morsel.value for name, morsel in visit.client.cookies.items()}
    assert after["visit"] != before["visit"]
    assert after["csrftoken"] != before["csrftoken"]
    assert after["language"] == ""
    assert "sessionid" not in after


def test_a_request_from_an_ended_visit_is_not_found(visit, device):
    visit.send("My secret")
    turn = Turn.objects.get()
    stale = dict(visit.client.cookies)
    visits.start_next(device)
    visit.client.cookies.update(stale)
    for response in (
        visit.page(),
        visit.send("More"),
        visit.client.post(f"/kiosk/visit/help/turns/{turn.key}/reply", {"csrfmiddlewaretoken": visit.csrf}),
        visit.client.get("/kiosk/visit/help/transcript.txt"),
    ):
        assert response.status_code == 404
        assert "secret" not in response.content.decode()
    assert Turn.objects.count() == 1


def test_a_reply_that_arrives_after_the_visit_is_shown_to_nobody(visit, upstream, device):
    with messages_stay_pending():
        assert visit.send("My secret", live=True).status_code == 200
    turn = Turn.objects.select_related("conversation__bot").get()
    assert turn.claim()
    visit.next_visit()
    turn.store_reply("The answer to the secret", "chat-1")
    assert "secret" not in visit.page().content.decode()
    assert Conversation.objects.get().chat_id == ""
    answer.answer(turn)
    assert upstream.requests == []


def test_a_message_still_pending_when_the_visit_ends_is_never_asked(visit, upstream):
    with messages_stay_pending():
        visit.send("My secret", live=True)
    visit.next_visit()
    answer.answer(Turn.objects.select_related("conversation__bot").get())
    assert upstream.requests == []


def test_a_first_message_stored_after_the_visit_ended_is_shown_to_nobody(visit, device, bot):
    """Its request is checked just before the end, and stored just after."""
    late = visit.page().wsgi_request
    visit.next_visit()
    accept.accept(ensure_visitor(late), bot, Surface.KIOSK, uuid.uuid4(), "My secret")
    assert visit.messages() == []
    visit.next_visit()
    assert visit.messages() == []
    assert not Conversation.objects.filter(ended_at=None).exists()
    assert Session.objects.count() == 0


def test_two_kiosks_of_one_bot_keep_their_visitors_apart(visit, bot):
    Device.objects.create(name="Shop", bot=bot, token_hash=hash_of("token-of-another"))
    other = screen_with("token-of-another")
    other.open()
    other.next_visit()
    visit.send("From the lobby")
    other.send("From the shop")
    other.next_visit()
    assert visit.messages() == ["From the lobby"]
    assert other.messages() == []


def test_only_the_screen_may_frame_the_visit_and_nothing_else_may_be_framed_in_it(visit):
    outside = visit.page(**{"Sec-Fetch-Dest": "document"})
    assert (outside.status_code, outside["Location"]) == (302, "/kiosk/help/")
    page, screen = visit.page(), visit.open()
    for response in (screen, visit.next_visit(), page, visit.send("Hello"), visit.pulse()):
        assert "no-store" in response["Cache-Control"]
    assert "frame-ancestors 'self'" in page["Content-Security-Policy"]
    assert "X-Frame-Options" not in page
    assert page["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "frame-src 'self'" in screen["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in screen["Content-Security-Policy"]
    assert "frame-src" not in page["Content-Security-Policy"]


def test_a_visit_begins_and_ends_in_a_bounded_number_of_queries(visit, django_assert_max_num_queries):
    visit.send("Hello")
    with django_assert_max_num_queries(10):
        visit.next_visit()
    with django_assert_max_num_queries(4):
        visit.page()
    with django_assert_max_num_queries(2):
        visit.pulse()


def test_the_screen_and_the_visit_use_the_language_that_the_visitor_chose(screen, device):
    Bot.objects.update(languages="de")
    words = BotWords.objects.create(bot=device.bot, language="de", greeting="Guten Tag!", suggestions="Wann?")
    assert "When are you open?" in screen.open().content.decode()
    assert "Wann?" in screen.client.get("/kiosk/help/?lang=de").content.decode()
    screen.next_visit()
    assert "Guten Tag!" in screen.client.get("/kiosk/visit/help/?lang=de").content.decode()
    version = screen.pulse().json()["version"]
    words.suggestions = "Wo?"
    words.save()
    assert screen.pulse().json()["version"] != version


START, STILL_HERE = "/kiosk/help/plain", "/kiosk/help/plain/still-here"
AS_PAGE = {"Sec-Fetch-Dest": "document"}


@pytest.fixture
def plain(screen: Screen) -> Screen:
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


def test_after_some_time_the_page_asks_whether_the_visitor_is_still_there_and_then_starts_again(plain):
    Device.objects.update(idle_seconds=30, warning_seconds=45)
    plain.send("My secret")
    page = plain.page(**AS_PAGE)
    assert page["Refresh"] == f"{visits.PLAIN_MIN_IDLE}; url={STILL_HERE}"
    asked = plain.client.get(STILL_HERE)
    assert "Are you still here?" in asked.content.decode()
    assert asked["Refresh"] == f"45; url={START}"
    assert plain.messages() == ["My secret"]
    plain.client.get(START)
    assert plain.page(**AS_PAGE).status_code == 302
    assert Conversation.objects.get().ended_at is not None
    begin(plain)
    assert plain.messages() == []


def test_finish_leaves_the_queue(plain):
    Bot.objects.update(people_answer=True)
    make_member("Grace")
    plain.client.post("/kiosk/visit/help/person/join", {"csrfmiddlewaretoken": plain.csrf})
    assert Conversation.objects.get().led_by == Leader.QUEUE
    finish = html.fromstring(plain.page(**AS_PAGE).content).xpath("//form[@data-finish]/@action")
    assert finish == [START]
    assert "Touch to start" in plain.client.get(finish[0]).content.decode()
    assert Conversation.objects.get().led_by == Leader.BOT


def test_a_paused_kiosk_says_so_and_ends_the_visit(plain):
    plain.send("My secret")
    Device.objects.update(paused=True)
    assert plain.send("More")["Location"] == START
    page = plain.client.get(START).content.decode()
    assert "Taking a break" in page
    assert "Touch to start" not in page
    assert Conversation.objects.get().ended_at is not None


def test_the_start_without_javascript_is_for_its_own_bot_and_visits_and_a_language_lasts_for_one(screen, client):
    page = screen.open().content.decode()
    assert f'<noscript><meta http-equiv="refresh" content="0; url={START}"></noscript>' in page
    screen.next_visit()
    screen.send("Hello")
    screen.client.get(START)
    assert screen.messages() == ["Hello"], "a visit with JavaScript beside it does not end"
    Bot.objects.create(slug="other", name="Bob")
    assert screen.client.get("/kiosk/other/plain")["Location"] == START
    assert client.get(START)["Location"] == "/kiosk/help/"
    Device.objects.update(languages="en,de")
    assert 'lang="de"' in screen.client.get(START).content.decode()
    screen.client.get(begin(screen, "?lang=de"))
    assert "Nachricht" in screen.page(**AS_PAGE).content.decode()
    screen.client.get(START)
    assert screen.client.cookies[settings.LANGUAGE_COOKIE_NAME].value == ""
    assert screen.client.get(STILL_HERE)["Location"] == START
