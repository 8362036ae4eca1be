"""One visitor after another on the same screen: the server only knows the current one."""

import uuid

import pytest
from django.contrib.sessions.models import Session
from lxml import html

from kiosk import visits
from kiosk.models import Device
from tests.kiosk.conftest import screen_with
from tests.kiosk.screen import Screen
from tests.webchat.pending import messages_stay_pending
from webchat.conversation import accept, answer
from webchat.conversation.visitor_session import ensure_visitor
from webchat.encryption import hash_of
from webchat.models import Bot, BotWords, Conversation, Surface, Turn


@pytest.fixture
def visit(screen: Screen) -> Screen:
    """A visit that has begun."""
    screen.open()
    screen.next_visit()
    return screen


def test_the_chat_id_is_kept_within_a_visit_and_not_beyond(visit, upstream):
    visit.send("One")
    visit.send("Two")
    visit.next_visit()
    visit.send("Three")
    chat_ids = [request.chat_id for request in upstream.requests]
    assert chat_ids[0] is None
    assert chat_ids[1]
    assert chat_ids[2] is None


def test_the_next_visit_shows_nothing_of_the_last(visit):
    visit.send("My secret")
    visit.next_visit()
    assert visit.messages() == []
    (before,) = Conversation.objects.all()
    assert (before.surface, before.ended_at is not None, before.chat_id) == (Surface.KIOSK, True, "")
    assert Session.objects.count() == 0


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
    turn = Turn.objects.select_related("conversation__bot").get()
    answer.answer(turn)
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


def test_a_visit_opened_outside_its_frame_redirects_to_the_screen(visit):
    response = visit.page(**{"Sec-Fetch-Dest": "document"})
    assert (response.status_code, response["Location"]) == (302, "/kiosk/help/")


def test_only_the_screen_may_frame_the_visit_and_nothing_else_may_be_framed_in_it(visit):
    page, screen = visit.page(), visit.open()
    assert "frame-ancestors 'self'" in page["Content-Security-Policy"]
    assert "X-Frame-Options" not in page
    assert page["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "frame-src 'self'" in screen["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in screen["Content-Security-Policy"]
    assert "frame-src" not in page["Content-Security-Policy"]


def test_no_response_of_a_visit_is_cached(visit):
    for response in (visit.open(), visit.next_visit(), visit.page(), visit.send("Hello"), visit.pulse()):
        assert "no-store" in response["Cache-Control"]


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
