"""The queue: a visitor asks for a person and waits, on each surface."""

import datetime

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from tests.people.conftest import LIVE, ask_for_updates, events, join, leader, say, the_conversation, updates_url
from tests.portal.conftest import PASSWORD, sign_in
from tests.webchat.visitor import Page, Visitor, fields_of
from webchat.handover import queue
from webchat.models import Bot, Conversation, Entry, TeamMember

MINUTE = datetime.timedelta(minutes=1)

# --- Joining the queue ------------------------------------------------------------------------------------------------


def test_asking_for_a_person_joins_the_queue_once_and_costs_no_message(visitor, upstream, grace):
    page = join(visitor)
    assert leader(page).startswith("You are in the queue.")
    assert events(page) == ["You have asked for a person."]
    page = visitor.send("I need help")
    page = visitor.send("With my order")
    assert [turn.message for turn in page.turns] == ["I need help", "With my order"]
    assert [turn.alert for turn in page.turns] == [None, None]
    assert upstream.requests == []
    form = {"csrfmiddlewaretoken": visitor.client.cookies["csrftoken"].value}
    visitor.client.post("/chat/help/person/join", form)
    assert Entry.objects.filter(kind="queued").count() == 1


def test_one_press_leads_back_to_the_bot_which_can_be_asked_what_was_said_meanwhile(visitor, upstream, grace):
    def is_told_that_a_new_conversation_leaves_the_queue() -> bool:
        return bool(Page(visitor.client.get("/chat/help/new")).all("p[@data-leaves-person and not(@hidden)]"))

    join(visitor)
    visitor.send("Are you there?")
    assert is_told_that_a_new_conversation_leaves_the_queue()
    page = visitor.press_other_button("person/leave")
    assert not is_told_that_a_new_conversation_leaves_the_queue()
    assert events(page)[-1] == "Ada is answering you again."
    assert "Nobody has answered this." in page.one("*[@data-turn]").text_content()
    assert upstream.requests == []
    page = visitor.press("retry")
    assert page.turns[0].reply == "You said: Are you there?"
    assert len(upstream.requests) == 1


def of_another_bot(grace: TeamMember) -> None:
    TeamMember.objects.update(all_bots=False)
    grace.bots.add(Bot.objects.create(slug="other", name="Other"))


NOT_THERE = {
    "is away": lambda grace: TeamMember.objects.update(is_available=False),
    "has no inbox open": lambda grace: TeamMember.objects.update(seen_at=None),
    "has closed the inbox": lambda grace: TeamMember.objects.update(seen_at=timezone.now() - 5 * MINUTE),
    "is there on another day": lambda grace: Bot.objects.update(hours=f"{timezone.now() + 2880 * MINUTE:%a} 9-10"),
    "answers for another bot": of_another_bot,
}


@pytest.mark.parametrize(("model", "change"), [(TeamMember, {"is_available": False}), (Bot, {"people_answer": False})])
def test_when_the_last_person_has_just_left_the_form_is_shown_or_a_sentence_says_so(model, change, visitor, grace):
    visitor.open()
    model.objects.update(**change)
    assert join(visitor).all("form[@class='handover']")
    assert visitor.open().all("button[contains(@formaction, 'person/join')]") == []
    assert visitor.page.all("header//button[@formaction='/chat/help/person']")
    model.objects.update(**dict.fromkeys(change, True))
    visitor.open()
    Bot.objects.update(handover=False)
    TeamMember.objects.update(is_available=False)
    assert join(visitor).refusal.sentence == "Nobody is available right now. Try again later."
    assert not Conversation.objects.exists()


def test_nothing_is_stored_before_the_visitor_has_consented_by_ticking_the_box(visitor, grace):
    Bot.objects.update(consent="I agree.")
    box = visitor.open().one("input[@data-consent]")
    page = join(visitor)
    assert (page.status, page.refusal.code) == (422, "CONSENT_MISSING")
    assert not Conversation.objects.exists()
    assert leader(join(visitor, consent=box.get("value"))).startswith("You are in the queue.")
    assert the_conversation().consented_to == "I agree."


def test_with_javascript_a_page_of_a_conversation_that_has_ended_is_loaded_again_on_joining(visitor, upstream, grace):
    visitor.send("Hello")
    sent = fields_of(visitor.page.composer) | {"shown": visitor.page.one("input[@name='shown']").get("value")}
    the_conversation().end()  # as when another tab begins a new one
    response = visitor.client.post("/chat/help/person/join", sent, **LIVE)
    assert response["HX-Refresh"] == "true"
    assert events(visitor.open()) == ["You have asked for a person."]
    again = {"shown": visitor.page.one("input[@name='shown']").get("value")}
    response = visitor.client.post("/chat/help/person/leave", fields_of(visitor.page.composer) | again, **LIVE)
    assert "HX-Refresh" not in response


def test_with_javascript_a_page_older_than_the_consent_text_shows_the_box_with_the_refusal(visitor, grace):
    visitor.open()
    Bot.objects.update(consent="I agree.")
    sent = fields_of(visitor.page.composer) | {"message": "A draft"}
    page = Page(visitor.client.post("/chat/help/person/join", sent, **LIVE))
    assert (page.status, page.refusal.code, page.typed) == (422, "CONSENT_MISSING", "A draft")
    assert page.response["HX-Retarget"] == "#composer"
    agreed = fields_of(page.composer) | {"consent": page.one("input[@data-consent]").get("value")}
    assert visitor.client.post("/chat/help/person/join", agreed, **LIVE).status_code == 200


def test_with_javascript_what_was_asked_before_joining_is_taken_away_with_the_refusal(visitor, grace):
    Bot.objects.update(consent="I agree.", asks_details="before", own_details="Your town *")
    sent = fields_of(visitor.open().composer) | {"consent": visitor.page.one("input[@data-consent]").get("value")}
    refused = Page(visitor.client.post("/chat/help/person/join", sent, **LIVE))
    assert (refused.status, refused.refusal.code) == (422, "DETAILS_MISSING")
    page = Page(visitor.client.post("/chat/help/person/join", sent | {"detail-own-0": "Springfield"}, **LIVE))
    asked = [page.one(f"*[@id='composer-{part}'][@hx-swap-oob='true']") for part in ("refusal", "consent", "details")]
    assert [part.text_content().strip() for part in asked] == ["", "", ""]
    assert not page.all("input[not(@type='hidden')][@form='composer']")


def test_typed_text_stays_in_the_composer_on_the_way_to_a_person_and_back(visitor, grace):
    assert join(visitor, draft="My order is").typed == "My order is"
    assert visitor.press_other_button("/back", draft="My order is lo").typed == "My order is lo"
    other = visitor.twin()
    assert visitor.press_other_button("person/leave", draft="My order is lost").typed == "My order is lost"
    assert the_conversation().led_by == "bot"
    assert visitor.client.get("/chat/help/person/leave")["Location"] == "/chat/help/"
    the_conversation().delete()
    assert other.press_other_button("person/leave", draft="My order is lost").typed == "My order is lost"


def test_joining_the_queue_again_and_again_is_limited(clock_at_noon, visitor, grace, settings):
    settings.MESSAGES_PER_MINUTE = 2
    for _ in range(2):
        join(visitor)
        visitor.press_other_button("person/leave")
    page = join(visitor)
    assert page.status == 422
    assert page.refusal.sentence.startswith("You’ve sent a lot of messages.")


# --- Waiting times ----------------------------------------------------------------------------------------------------


def store_waits(bot: Bot, grace: TeamMember, minutes: list[float]) -> None:
    for number, each in enumerate(minutes):
        conversation = Conversation.objects.create(bot=bot, visitor=f"{minutes} {number}")
        conversation.join_queue()
        conversation.claim(grace)
        queued, joined = conversation.entries.all()
        Entry.objects.filter(pk=queued.pk).update(created_at=joined.created_at - each * MINUTE)


def test_the_usual_wait_is_estimated_from_enough_real_waits(visitor, bot, grace, django_assert_num_queries):
    store_waits(bot, grace, [1, 2, 2])
    assert leader(join(visitor)).startswith("You are in the queue. Back to Ada")
    store_waits(bot, grace, [3, 3, 4, 4, 4, 4, 30])
    for conversation in [*Conversation.objects.filter(bot=bot, led_by="person")] * 3:
        conversation.release(grace)  # a return to the queue doesn't count as a wait
        conversation.claim(grace)
    with django_assert_num_queries(1):
        assert queue.usual_wait(bot) == 4
    assert "Somebody usually answers within 4 minutes." in leader(visitor.open())


def test_after_the_owners_minutes_the_form_is_offered_and_the_place_is_kept(visitor, grace):
    join(visitor)
    Conversation.objects.update(led_since=timezone.now() - 6 * MINUTE)
    page = visitor.open()
    assert leader(page).startswith("Everyone is still busy. You keep your place")
    assert page.all("*[@id='leader']//button[@formaction='/chat/help/person']")
    assert the_conversation().led_by == "queue"


@pytest.mark.parametrize("change", NOT_THERE.values(), ids=NOT_THERE)
def test_when_nobody_is_there_any_more_a_waiting_visitor_reads_it_and_is_offered_the_form(change, visitor, bot, grace):
    store_waits(bot, grace, [1, 2, 2, 3, 4])
    join(visitor)
    change(grace)
    page = visitor.open()
    assert leader(page).startswith("You are in the queue. Nobody is available right now.")
    assert "usually" not in leader(page)
    form = page.one("*[@id='leader']//button[@formaction='/chat/help/person']")
    assert form.text_content().strip() == "Write to us"  # they have already asked to talk to a person


@pytest.mark.parametrize("surface", ["visitor", "rosa"])
def test_who_waits_without_a_message_keeps_their_place_after_people_are_turned_off(surface, request, grace):
    waiting = request.getfixturevalue(surface)
    join(waiting)
    Bot.objects.update(people_answer=False)
    page = waiting.open(f"{waiting.path}{the_conversation().public_id}/" if surface == "rosa" else waiting.path)
    assert leader(page).startswith("You are in the queue. Nobody is available right now.")
    waiting.press_other_button("person/leave")
    assert the_conversation().led_by == "bot"


@pytest.mark.parametrize("how", ["by mail", "by notification"])
def test_closing_the_page_leaves_the_queue_unless_an_answer_can_be_sent(visitor, bot, grace, how):
    join(visitor)
    other = Conversation.objects.create(bot=bot, visitor="x", reply_email="jo@example.com" * (how == "by mail"))
    if how == "by notification":
        other.push_subscriptions.create(url="https://push.example/1")
    other.join_queue()
    Conversation.objects.update(visitor_seen_at=timezone.now() - 20 * MINUTE)
    queue.remove_absent_visitors()
    assert {each.led_by for each in Conversation.objects.exclude(pk=other.pk)} == {"bot"}
    other.refresh_from_db()
    assert other.led_by == "queue"


def test_without_javascript_reloading_keeps_the_place_and_marks_what_is_shown_as_read(visitor, grace):
    join(visitor)
    Conversation.objects.update(visitor_seen_at=timezone.now() - 2 * queue.GONE_AFTER)
    visitor.press_other_button("/back")
    queue.remove_absent_visitors()
    assert the_conversation().led_by == "queue"
    the_conversation().claim(grace)
    say(the_conversation(), grace, "Hello")
    page = visitor.press_other_button("/back", draft="Not finished")
    assert the_conversation().visitor_read_to == Entry.objects.last().pk
    assert ask_for_updates(visitor, page).status_code == 204


TOO_LONG = f"{'j' * 250}@example.com"  # PostgreSQL refuses to store it


@pytest.mark.parametrize(
    ("email", "stored"), [("jo@example.com", "jo@example.com"), ("jo@", ""), ("", ""), (TOO_LONG, "")]
)
def test_an_email_address_can_be_left_for_the_answer(email, stored, visitor, grace, settings):
    settings.EMAIL_HOST, settings.SITE_URL = "mail.example.com", "https://chat.example.com"
    join(visitor)
    fragment = visitor.submit_live(visitor.page.one("form[@id='reply-email']"), {"email": email})
    assert the_conversation().reply_email == stored
    assert fragment.one("input[@name='email']").get("value") == email
    assert bool(fragment.all("*[@id='reply-email-wrong']")) == (email != stored)


def test_without_javascript_typed_text_stays_while_an_email_address_is_left(visitor, grace, settings):
    settings.EMAIL_HOST, settings.SITE_URL = "mail.example.com", "https://chat.example.com"
    join(visitor)
    page = visitor.press_other_button("person/email", draft="My order\nis lost")
    page = visitor.submit(page.one("main//form"), {"email": "jo@"})
    assert (page.status, page.one("input[@id='reply-email-field']").get("value")) == (422, "jo@")
    assert "not an e-mail address" in page.one("*[@role='alert']").text
    page = visitor.submit(page.one("main//form"), {"email": "jo@example.com"})
    assert page.typed == "My order\nis lost"
    assert the_conversation().reply_email == "jo@example.com"
    assert "If you leave, the answer goes to jo@example.com" in leader(page)
    visitor.press_other_button("person/email", draft="Never mind")
    assert visitor.submit(visitor.page.one("main//form"), {"email": ""}).typed == "Never mind"
    assert the_conversation().reply_email == ""


# --- Other surfaces ---------------------------------------------------------------------------------------------------


def test_in_a_frame_without_cookies_the_form_carries_the_session(bot, upstream, grace):
    visitor = Visitor("/embed/help/")
    visitor.open()
    page = join(visitor)
    assert leader(page).startswith("You are in the queue.")
    token = page.all("input[@name='session']")[0].get("value")
    url = updates_url(page)
    the_conversation().claim(grace)
    assert visitor.client.get(url, headers={"HX-Request": "true"}).status_code == 404
    answer = visitor.client.get(url, headers={"HX-Request": "true", "Webchat-Session": token})
    assert "Grace</bdi> has joined" in answer.content.decode()
    assert not visitor.client.cookies


@pytest.fixture
def rosa(bot, upstream) -> Visitor:
    """A customer in the portal."""
    User.objects.create_user("rosa", "rosa@example.com", PASSWORD)
    rosa = Visitor("/portal/chat/help/")
    assert sign_in(rosa.client, "rosa").status_code == 302
    return rosa


def test_in_the_portal_each_conversation_waits_by_itself(rosa, grace):
    rosa.send("First")
    rosa.page = None
    rosa.open()
    rosa.send("Second")
    page = join(rosa)
    assert [turn.message for turn in page.turns] == ["Second"]
    assert sorted(Conversation.objects.values_list("led_by", flat=True)) == ["bot", "queue"]
    Conversation.objects.all().delete()
    page = rosa.send("Third, which is long")
    assert (page.status, page.typed) == (404, "Third, which is long")
    [form] = page.all("form")
    page = Page(rosa.client.post(form.get("action"), fields_of(form) | {"message": page.typed}))
    assert (page.status, page.typed) == (200, "Third, which is long")


def test_in_the_portal_the_next_message_goes_to_the_conversation_that_waits(rosa, upstream, grace):
    button = rosa.open().one("button[@hx-post='/portal/chat/help/person/join']")
    fragment = Page(rosa.client.post(button.get("hx-post"), fields_of(rosa.page.composer), **LIVE))
    named = fragment.one("input[@id='composer-conversation']")
    assert named.get("value") == str(the_conversation().public_id)
    assert rosa.open(named.get("data-page")).one("*[@id='leader']").get("data-leader") == "queue"
    rosa.post_message("My order is lost", conversation=named.get("value"))
    assert the_conversation().turns.get().state == "person"
    assert upstream.requests == []
