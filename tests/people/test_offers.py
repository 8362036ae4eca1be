"""When a visitor is offered a person."""

import pytest

from tests.people.conftest import join
from tests.webchat.test_feedback import press_thumb
from webchat.models import Bot, TeamMember


@pytest.mark.parametrize("switch", [True, False])
@pytest.mark.parametrize(("message", "outcome", "offered"), [
    ("Can I talk to a person?", "", True),
    ("What does it cost?", "not_known", True),
    ("What does it cost?", "not_sure", False),
    ("What does it cost?", "", False),
])  # fmt: skip
def test_a_person_is_offered_beside_the_reply(message, outcome, offered, switch, visitor, upstream, grace):
    Bot.objects.update(offers_person_when_not_known=switch, offers_person_when_asked_for=switch)
    upstream.will_answer(200, {"success": True, "chatId": "c", "message": "Hm.", "outcome": outcome})
    page = visitor.send(message)
    assert bool(page.all("*[@data-turn]//*[@data-offer-person]")) == (offered and switch)


@pytest.mark.parametrize("switch", [True, False])
def test_a_person_is_offered_after_two_thumbs_down(switch, visitor, upstream, grace):
    Bot.objects.update(offers_person_after_thumbs_down=switch)
    for message in ("One", "Two"):
        page = visitor.send(message)
        assert page.all("*[@data-turn]//*[@data-person]") == []
        page = press_thumb(visitor, "Not helpful", -1)
    assert bool(page.all("*[@data-turn]//*[@data-person]")) == switch


@pytest.mark.parametrize("switch", [True, False])
@pytest.mark.parametrize("is_new_message", [True, False])
def test_a_person_is_offered_after_two_failures_in_a_row(is_new_message, switch, visitor, upstream, grace):
    Bot.objects.update(offers_person_after_failures=switch)
    upstream.will_answer(500).will_reply("I’m here.").will_answer(500, times=2)
    for message in ("Hello?", "Are you there?", "Good. When are you open?"):
        assert visitor.send(message).all("*[@data-turn]//*[@data-person]") == []
    page = visitor.send("Are you still there?") if is_new_message else visitor.press("retry")
    assert bool(page.all("*[@data-turn]//*[@data-person]")) == switch


def test_when_nobody_is_there_the_typed_text_is_put_in_the_form(visitor, upstream, grace):
    visitor.send("Where is my order?")
    TeamMember.objects.update(is_available=False)
    page = join(visitor, draft="It was to come on Monday.")
    assert page.one("textarea[@name='message']").text.strip() == "It was to come on Monday."
