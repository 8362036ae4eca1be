"""Identities in the widget: the website says who its visitor is, and the frame's session is theirs."""

import pytest
from django.test import Client

from tests.webchat.identity_provider import Website
from tests.webchat.visitor import Page
from webchat.embed.embed_session import HEADER
from webchat.models import Bot, Conversation, Customer

FRAME = {"Sec-Fetch-Site": "same-origin"}
LIVE = FRAME | {"HX-Request": "true"}


@pytest.fixture
def website(bot: Bot, upstream: object) -> Website:
    return Website(bot)


def post(url: str, form: dict[str, str], frame: str = "", **headers: str) -> object:
    session = {HEADER: frame} if frame else {}
    return Client(enforce_csrf_checks=True).post(f"/embed/help/{url}", form, headers=FRAME | session | headers)


def identify(token: str, kept: str = "", **headers: str) -> object:
    return post("identity", {"token": token}, kept, **headers)


def say(frame: str, message: str, number: int) -> str:
    response = post("messages", {"message": message, "key": f"5f7d2a3e-33c5-4a0e-9a53-3c5b6a5e8a{number:02}"}, frame)
    assert response.status_code == 200
    return response[HEADER]


def frame_content(frame: str) -> str:
    return Client().get("/embed/help/", headers=LIVE | {HEADER: frame}).content.decode()


def test_an_identity_finds_its_conversation_on_every_device(website):
    first, second = (identify(website.sign())[HEADER] for _ in range(2))
    assert first != second
    say(first, "Hello from the desk", 1)
    assert "Hello from the desk" in frame_content(second)
    conversation = Conversation.objects.get()
    assert (conversation.surface, conversation.customer) == ("embed", Customer.objects.get())


def test_a_used_token_is_accepted_again_in_the_session_that_it_started(website):
    token = website.sign()
    frame = identify(token)[HEADER]
    say(frame, "Hello", 1)
    again = identify(token, kept=frame)
    assert again.status_code == 204
    assert "Hello" in frame_content(again[HEADER])
    assert identify(token).status_code == 403


def test_another_person_gets_a_new_session_immediately(website):
    frame = identify(website.sign())[HEADER]
    say(frame, "Rosa's secret", 1)
    other = identify(website.sign(sub="43", name="Eve"), kept=frame)[HEADER]
    assert "secret" not in frame_content(other)


def test_what_an_anonymous_visitor_said_before_stays_theirs_also_if_they_say_no_to_continuing_it(website):
    anonymous = say("", "Said by nobody", 1)
    frame = identify(website.sign(), kept=anonymous)[HEADER]
    assert answer_question(frame, anonymous, "no").content == b""
    assert "Said by nobody" not in frame_content(frame)
    assert "Said by nobody" in frame_content(anonymous)


def identify_after(website: Website, anonymous: str) -> tuple[str, Page]:
    """Identify the visitor; return their session and what the frame shows."""
    response = post("identity", {"token": website.sign(), "before": anonymous})
    return response[HEADER], Page(response)


def answer_question(frame: str, anonymous: str, word: str) -> object:
    return post("keep", {"before": anonymous, "answer": word}, frame, **LIVE)


def test_a_visitor_who_says_yes_continues_the_earlier_conversation(website, upstream):
    upstream.will_reply("One", chat_id="abc")
    anonymous = say("", "Said before", 1)
    frame, page = identify_after(website, anonymous)
    assert "Said before" in page.one("form[@data-question]").text_content()
    say(frame, "Said by the person", 2)
    assert answer_question(frame, anonymous, "yes")["HX-Refresh"] == "true"
    assert "Said before" in frame_content(frame)
    assert "Said by the person" not in frame_content(frame)  # that conversation is in the portal
    assert "Said before" not in frame_content(anonymous)
    say(frame, "And on", 3)
    assert upstream.requests[-1].chat_id == "abc"
    assert Conversation.objects.filter(customer=Customer.objects.get(), ended_at=None).count() == 2


def test_the_visitor_is_not_asked_when_nothing_was_said_before(website):
    for before in ("", "made up", identify(website.sign())[HEADER]):
        assert post("identity", {"token": website.sign(), "before": before}).status_code == 204


def test_nobody_can_take_over_an_identified_persons_conversation(website):
    frame = identify(website.sign())[HEADER]
    say(frame, "Rosa's", 1)
    other = identify(website.sign(sub="43"))[HEADER]
    assert answer_question(other, frame, "yes").status_code == 404
    assert answer_question("", frame, "yes").status_code == 404


def test_a_new_conversation_in_the_widget_keeps_the_old_one_for_the_portal(website):
    frame = identify(website.sign())[HEADER]
    say(frame, "One", 1)
    post("new", {}, frame)
    say(frame, "Two", 2)
    first, second = Conversation.objects.order_by("pk")
    assert (first.ended_at, first.is_present, second.is_present) == (None, False, True)
    assert first.chat_id


def test_another_site_cannot_say_who_the_visitor_is(website):
    assert identify(website.sign(), **{"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert not Customer.objects.exists()


def test_the_frames_sessions_survive_a_new_secret_key(website, settings):
    frame = identify(website.sign())[HEADER]
    say(frame, "Hello", 1)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another secret key that nobody has ever seen before"
    assert "Hello" in frame_content(frame)
