"""A visitor asks for a person, waits, talks to one, and is with the bot again; on each surface."""

import datetime
import uuid
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.core import signing
from django.db import connection
from django.utils import timezone

from tests.people.conftest import LIVE, ask_for_updates, events, join, leader, say, updates_url
from tests.portal.conftest import PASSWORD, sign_in
from tests.webchat.test_feedback import thumb
from tests.webchat.visitor import Page, Visitor, fields_of
from webchat.conversation import updates
from webchat.handover import queue
from webchat.models import Bot, Conversation, Entry, TeamMember, Turn


def the_conversation() -> Conversation:
    return Conversation.objects.get()


# --- Into the queue ---------------------------------------------------------------------------------------------------


def test_whoever_asks_for_a_person_waits_in_the_queue_and_costs_no_message(visitor, upstream, grace):
    page = join(visitor)
    assert leader(page).startswith("You are in the queue.")
    assert events(page) == ["You have asked for a person."]
    page = visitor.send("I need help")
    page = visitor.send("With my order")
    assert [turn.message for turn in page.turns] == ["I need help", "With my order"]
    assert [turn.alert for turn in page.turns] == [None, None]
    assert upstream.requests == []


def test_pressing_twice_joins_the_queue_once(visitor, grace):
    join(visitor)
    form = {"csrfmiddlewaretoken": visitor.client.cookies["csrftoken"].value}
    visitor.client.post("/chat/help/person/join", form)
    assert Entry.objects.filter(kind="queued").count() == 1


def test_back_to_the_bot_is_one_press_and_what_was_said_meanwhile_can_be_asked(visitor, upstream, grace):
    join(visitor)
    visitor.send("Are you there?")
    page = visitor.press_beside("person/leave")
    assert events(page)[-1] == "Ada is answering you again."
    assert "Nobody has answered this." in page.one("*[@data-turn]").text_content()
    assert upstream.requests == []
    page = visitor.press("retry")
    assert page.turns[0].reply == "You said: Are you there?"
    assert len(upstream.requests) == 1


def another_day(grace: TeamMember) -> None:
    Bot.objects.update(hours=f"{timezone.now() + datetime.timedelta(days=2):%a} 9-10")


def of_another_bot(grace: TeamMember) -> None:
    TeamMember.objects.update(all_bots=False)
    grace.bots.add(Bot.objects.create(slug="other", name="Other"))


def seen_long_ago(grace: TeamMember) -> None:
    TeamMember.objects.update(seen_at=timezone.now() - datetime.timedelta(minutes=5))


NOT_THERE = {
    "is away": lambda grace: TeamMember.objects.update(is_available=False),
    "has no inbox open": lambda grace: TeamMember.objects.update(seen_at=None),
    "has closed the inbox": seen_long_ago,
    "is there on another day": another_day,
    "answers for another bot": of_another_bot,
}


@pytest.mark.parametrize("change", NOT_THERE.values(), ids=NOT_THERE)
def test_nobody_is_offered_who(change, bot, grace):
    assert queue.has_people(bot)
    change(grace)
    assert not queue.has_people(Bot.objects.get(slug=bot.slug))


def test_nobody_there_the_form_stands_in_its_place(visitor):
    page = visitor.open()
    assert page.all("button[contains(@formaction, 'person/join')]") == []
    assert page.all("header//button[@formaction='/chat/help/person']")


def test_when_the_last_person_has_just_gone_the_form_is_shown(visitor, grace):
    visitor.open()
    TeamMember.objects.update(is_available=False)
    assert join(visitor).all("form[@class='handover']")
    assert not Conversation.objects.exists()


def test_without_people_and_form_a_sentence_says_that_nobody_is_available(visitor, grace):
    Bot.objects.update(handover=False)
    visitor.open()
    TeamMember.objects.update(is_available=False)
    assert join(visitor).refusal.sentence == "Nobody is available right now. Try again later."


def test_nothing_is_stored_before_the_visitor_has_agreed(visitor, grace):
    Bot.objects.update(consent="I agree.")
    visitor.open()
    page = join(visitor)
    assert (page.status, page.refusal.code) == (422, "CONSENT_MISSING")
    assert not Conversation.objects.exists()


def test_who_ticks_the_box_and_asks_for_a_person_has_agreed(visitor, grace):
    Bot.objects.update(consent="I agree.")
    visitor.open()
    assert leader(join(visitor, consent="1")).startswith("You are in the queue.")
    assert the_conversation().consented_to == "I agree."


def test_what_was_typed_stays_in_the_composer_on_the_way_to_a_person_and_back(visitor, grace):
    assert join(visitor, draft="My order is").typed == "My order is"
    assert visitor.press_beside("/back", draft="My order is lo").typed == "My order is lo"
    assert visitor.press_beside("person/leave", draft="My order is lost").typed == "My order is lost"
    assert the_conversation().led_by == "bot"
    assert visitor.client.get("/chat/help/person/leave")["Location"] == "/chat/help/"


def test_a_bot_that_people_do_not_answer_for_has_no_queue(visitor, grace):
    visitor.open()
    Bot.objects.update(people_answer=False)
    assert join(visitor).status == 404


def test_a_visitor_who_joins_the_queue_again_and_again_is_stopped(visitor, grace, settings):
    settings.MESSAGES_PER_MINUTE = 2
    for _ in range(2):
        join(visitor)
        visitor.press_beside("person/leave")
    page = join(visitor)
    assert page.status == 422
    assert page.refusal.sentence.startswith("You’ve sent a lot of messages.")


# --- How long it takes ------------------------------------------------------------------------------------------------


def waits(bot: Bot, grace: TeamMember, minutes: list[float]) -> None:
    for number, each in enumerate(minutes):
        conversation = Conversation.objects.create(bot=bot, visitor=f"{number}")
        conversation.join_queue()
        conversation.claim(grace)
        queued, joined = conversation.entries.all()
        Entry.objects.filter(pk=queued.pk).update(created_at=joined.created_at - datetime.timedelta(minutes=each))


def test_the_usual_wait_is_estimated_from_real_waits(visitor, bot, grace):
    waits(bot, grace, [1, 2, 2, 3, 3, 4, 4, 4, 4, 30])
    assert "Somebody usually answers within 4 minutes." in leader(join(visitor))


def test_with_too_few_waits_no_estimate_is_shown(visitor, bot, grace):
    waits(bot, grace, [1, 2, 2])
    assert "Usually" not in leader(join(visitor))


def test_after_the_owners_minutes_the_form_is_offered_and_the_place_is_kept(visitor, grace):
    join(visitor)
    Conversation.objects.update(led_since=timezone.now() - datetime.timedelta(minutes=6))
    page = visitor.open()
    assert leader(page).startswith("Nobody has been free so far. You keep your place")
    assert page.all("*[@id='leader']//button[@formaction='/chat/help/person']")
    assert the_conversation().led_by == "queue"


@pytest.mark.parametrize("how", ["by mail", "by notification"])
def test_who_closes_the_page_leaves_the_queue_unless_an_answer_reaches_them(visitor, bot, grace, how):
    join(visitor)
    other = Conversation.objects.create(bot=bot, visitor="x", reply_email="jo@example.com" * (how == "by mail"))
    if how == "by notification":
        other.push_subscriptions.create(url="https://push.example/1")
    other.join_queue()
    Conversation.objects.update(visitor_seen_at=timezone.now() - datetime.timedelta(minutes=20))
    queue.let_the_gone_leave()
    assert {each.led_by for each in Conversation.objects.exclude(pk=other.pk)} == {"bot"}
    other.refresh_from_db()
    assert other.led_by == "queue"


# --- With a person ----------------------------------------------------------------------------------------------------


def test_without_javascript_a_visitor_who_looks_again_keeps_the_place_and_has_read_what_is_shown(visitor, grace):
    join(visitor)
    Conversation.objects.update(visitor_seen_at=timezone.now() - 2 * queue.GONE_AFTER)
    visitor.press_beside("/back")
    queue.let_the_gone_leave()
    assert the_conversation().led_by == "queue"
    the_conversation().claim(grace)
    say(the_conversation(), grace, "Hello")
    page = visitor.press_beside("/back", draft="Not finished")
    assert the_conversation().visitor_read_to == Entry.objects.last().pk
    assert ask_for_updates(visitor, page).status_code == 204


def test_a_person_answers_in_the_same_transcript(visitor, upstream, grace):
    visitor.send("Hello")
    join(visitor)
    conversation = the_conversation()
    conversation.claim(grace)
    say(conversation, grace, "Hello, I am **Grace**.\n\n<script>alert(1)</script> [x](javascript:y)")
    conversation.note(grace, uuid.uuid4(), "Seems angry")
    page = visitor.open()
    assert leader(page).startswith("G You are talking to Grace")
    assert page.one("textarea[@name='message']").get("placeholder") == "Message Grace"
    (message,) = page.all("*[@data-kind='message']")
    assert message.xpath(".//strong")[0].text == "Grace"
    assert message.xpath(".//script | .//a") == []
    assert "Seems angry" not in page.tree.text_content()
    visitor.send("Thank you")
    assert the_conversation().turns.last().state == Turn.State.PERSON
    assert len(upstream.requests) == 1


def test_handed_back_the_bot_goes_on_in_the_same_chat(visitor, upstream, grace):
    visitor.send("Hello")
    join(visitor)
    conversation = the_conversation()
    conversation.claim(grace)
    conversation.hand_back(grace)
    page = visitor.open()
    assert events(page)[-1] == "Grace has handed you back to Ada."
    visitor.send("And now?")
    first, second = upstream.requests
    assert second.json["chatId"] == Conversation.objects.get().chat_id
    assert "chatId" not in first.json


def test_a_closed_bot_takes_messages_while_a_person_leads(visitor, grace):
    join(visitor)
    the_conversation().claim(grace)
    Bot.objects.update(closed=True, answers_when_closed=False)
    visitor.page = None
    page = visitor.send("Are you still there?")
    assert [turn.message for turn in page.turns] == ["Are you still there?"]


def test_while_people_lead_nobody_has_to_prove_anything(visitor, upstream, grace):
    Bot.objects.update(asks_for_proof=True)
    assert visitor.send("To the bot").refusal.code == "PROOF_MISSING"
    waiting = join(visitor)
    assert not waiting.all("noscript")
    assert visitor.send("To the queue").turns[0].message == "To the queue"
    Conversation.objects.get().claim(grace)
    assert visitor.send("To Grace").turns[1].message == "To Grace"
    Conversation.objects.get().hand_back(grace)
    Bot.objects.update(asks_for_proof=False)
    assert visitor.open().all("*[@data-action='retry']")
    Bot.objects.update(asks_for_proof=True)
    page = visitor.press("retry")  # what needed no proof doesn't reach the bot
    assert not page.all("*[@data-action='retry']")
    assert page.all("noscript")
    assert visitor.send("To the bot").refusal.code == "PROOF_MISSING"
    assert Turn.objects.filter(state="person").count() == 2
    assert upstream.requests == []


@pytest.mark.parametrize("way", ["hand_back", "end"])
def test_a_message_without_a_proof_is_refused_when_the_bot_leads_again_before_it_is_stored(
    way, visitor, upstream, grace
):
    Bot.objects.update(asks_for_proof=True)
    join(visitor)
    the_conversation().claim(grace)
    meanwhile = [lambda: the_conversation().hand_back(grace) if way == "hand_back" else the_conversation().end()]

    def between(execute: Callable, statement: str, *more: object) -> object:
        if "webchat_allowance" in statement and meanwhile:  # the first of the transaction that stores the message
            meanwhile.pop()()
        return execute(statement, *more)

    with connection.execute_wrapper(between):
        page = visitor.send("To Grace")
    assert (meanwhile, page.typed, page.refusal.code) == ([], "To Grace", "PROOF_EXPIRED")
    assert not Turn.objects.exists()
    assert upstream.requests == []


# --- What is new ------------------------------------------------------------------------------------------------------


def test_nothing_new_is_answered_by_one_statement_and_no_content(visitor, grace, django_assert_num_queries):
    page = join(visitor)
    with django_assert_num_queries(1):
        assert ask_for_updates(visitor, page).status_code == 204


def test_what_is_new_comes_once_and_in_its_order(visitor, grace):
    page = join(visitor)
    conversation = the_conversation()
    conversation.claim(grace)
    say(conversation, grace, "One")
    say(conversation, grace, "Two")
    fragment = Page(ask_for_updates(visitor, page))
    assert [each.get("data-kind") for each in fragment.all("*[@data-entry]")] == ["joined", "message", "message"]
    assert fragment.response["HX-Retarget"] == "#transcript"
    again = Page(ask_for_updates(visitor, fragment)) if ask_for_updates(visitor, fragment).status_code == 200 else None
    assert again is None or again.all("*[@data-entry]") == []


def test_a_message_and_what_came_meanwhile_arrive_together(visitor, grace):
    join(visitor)
    conversation = the_conversation()
    conversation.claim(grace)
    say(conversation, grace, "How can I help?")
    shown = visitor.page.one("input[@name='shown']").get("value")
    fragment = visitor.post_message("My order is lost", shown=shown)
    items = [each.get("data-kind") or "turn" for each in fragment.all("li[@data-entry or @data-turn]")]
    assert items == ["joined", "message", "turn"]


def test_a_strangers_token_opens_nothing(visitor, grace):
    page = join(visitor)
    the_conversation().claim(grace)
    eve = Visitor()
    eve.open()
    assert ask_for_updates(eve, page).status_code == 404
    eve.send("Hello")
    assert ask_for_updates(eve, page).status_code == 404


FOREIGN_TOKENS = ["x", "x:y:z", signing.dumps([1, 0, 0, 0], salt="another"), "a" * 3000]


@pytest.mark.parametrize("token", FOREIGN_TOKENS, ids=["short", "with colons", "of another use", "long"])
def test_a_token_of_nobodys_is_not_found(token, visitor, grace):
    join(visitor)
    assert visitor.client.get(f"/chat/help/updates/{token}", **LIVE).status_code == 404


def test_read_is_only_what_a_visible_page_has_shown(visitor, grace):
    page = join(visitor)
    conversation = the_conversation()
    conversation.claim(grace)
    say(conversation, grace, "Hello")
    assert ask_for_updates(visitor, page, "?hidden").status_code == 200
    assert the_conversation().visitor_read_to < Entry.objects.last().pk
    ask_for_updates(visitor, page)
    assert the_conversation().visitor_read_to == Entry.objects.last().pk


def test_the_page_of_a_visitor_who_is_there_says_so_now_and_then(visitor, grace, monkeypatch):
    join(visitor)
    the_conversation().claim(grace)
    page = visitor.open()
    Conversation.objects.update(visitor_seen_at=None)
    assert ask_for_updates(visitor, page).status_code == 204
    assert the_conversation().visitor_seen_at is None
    monkeypatch.setattr(updates, "FRESH_FOR", -1)
    response = ask_for_updates(visitor, page)
    assert response.status_code == 204
    assert the_conversation().visitor_seen_at is not None
    shown = updates.read(response["Webchat-Updates"].rpartition("/")[2])
    assert (shown.conversation, shown.changes) == (the_conversation().pk, the_conversation().changes)


def test_what_ends_by_itself_is_drawn_anew_now_and_then(visitor, grace, monkeypatch):
    page = join(visitor)
    monkeypatch.setattr(updates, "FRESH_FOR", -1)
    assert ask_for_updates(visitor, page).status_code == 200  # how long one has waited
    conversation = the_conversation()
    conversation.claim(grace)
    conversation.tell_pages(team_typing_at=timezone.now() - datetime.timedelta(seconds=30))
    assert ask_for_updates(visitor, visitor.open()).status_code == 200


def test_typing_is_told_to_the_other_side(visitor, grace):
    join(visitor)
    conversation = the_conversation()
    conversation.claim(grace)
    page = visitor.open()
    visitor.submit_live(page.one("form[@data-typing-form]"))
    assert the_conversation().is_visitor_typing
    conversation.tell_pages(team_typing_at=timezone.now())
    assert "Grace is typing" in leader(Page(ask_for_updates(visitor, page)))


@pytest.mark.parametrize(("email", "stored"), [("jo@example.com", "jo@example.com"), ("jo@", ""), ("", "")])
def test_an_address_for_the_answer_may_be_left(email, stored, visitor, grace, settings):
    settings.EMAIL_HOST, settings.SITE_URL = "mail.example.com", "https://chat.example.com"
    join(visitor)
    fragment = visitor.submit_live(visitor.page.one("form[@id='reply-email']"), {"email": email})
    assert the_conversation().reply_email == stored
    assert fragment.one("input[@name='email']").get("value") == email
    assert bool(fragment.all("*[@id='reply-email-wrong']")) == (email == "jo@")


def test_without_javascript_what_was_typed_stays_while_an_address_is_left(visitor, grace, settings):
    settings.EMAIL_HOST, settings.SITE_URL = "mail.example.com", "https://chat.example.com"
    join(visitor)
    page = visitor.press_beside("person/email", draft="My order\nis lost")
    page = visitor._submit(page.one("main//form"), {"email": "jo@"})
    assert (page.status, page.one("input[@id='reply-email-field']").get("value")) == (422, "jo@")
    assert "not an e-mail address" in page.one("*[@role='alert']").text
    page = visitor._submit(page.one("main//form"), {"email": "jo@example.com"})
    assert page.typed == "My order\nis lost"
    assert the_conversation().reply_email == "jo@example.com"
    assert "If you leave, the answer goes to jo@example.com" in leader(page)
    visitor.press_beside("person/email", draft="Never mind")
    assert visitor._submit(visitor.page.one("main//form"), {"email": ""}).typed == "Never mind"
    assert the_conversation().reply_email == ""


# --- Other surfaces ---------------------------------------------------------------------------------------------------


def test_in_a_frame_without_cookies_the_session_goes_along(bot, upstream, grace):
    visitor = Visitor("/embed/help/")
    visitor.client.defaults["HTTP_SEC_FETCH_SITE"] = "same-origin"
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


def test_in_the_portal_each_conversation_waits_by_itself(bot, upstream, grace):
    rosa = Visitor("/portal/chat/help/")
    User.objects.create_user("rosa", "rosa@example.com", PASSWORD)
    assert sign_in(rosa.client, "rosa").status_code == 302
    rosa.send("First")
    rosa.page = None
    rosa.open()
    rosa.send("Second")
    page = join(rosa)
    assert [turn.message for turn in page.turns] == ["Second"]
    assert sorted(Conversation.objects.values_list("led_by", flat=True)) == ["bot", "queue"]


def test_in_the_portal_what_follows_goes_to_the_conversation_that_waits(bot, upstream, grace):
    rosa = Visitor("/portal/chat/help/")
    User.objects.create_user("rosa", "rosa@example.com", PASSWORD)
    sign_in(rosa.client, "rosa")
    button = rosa.open().one("button[@hx-post='/portal/chat/help/person/join']")
    fragment = Page(rosa.client.post(button.get("hx-post"), fields_of(rosa.page.composer), **LIVE))
    named = fragment.one("input[@id='composer-conversation']")
    assert named.get("value") == str(the_conversation().public_id)
    assert rosa.open(named.get("data-page")).one("*[@id='leader']").get("data-leader") == "queue"
    rosa.post_message("My order is lost", conversation=named.get("value"))
    assert the_conversation().turns.get().state == "person"
    assert upstream.requests == []


# --- When a person is offered -----------------------------------------------------------------------------------------


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
        page = thumb(visitor, "Not helpful", -1)
    assert bool(page.all("*[@data-turn]//*[@data-person]")) == switch


@pytest.mark.parametrize("switch", [True, False])
def test_a_person_is_offered_after_two_failures(switch, visitor, upstream, grace):
    Bot.objects.update(offers_person_after_failures=switch)
    upstream.will_answer(500, times=2)
    assert visitor.send("Hello?").all("*[@data-turn]//*[@data-person]") == []
    assert bool(visitor.press("retry").all("*[@data-turn]//*[@data-person]")) == switch


def test_a_conversation_with_the_bot_goes_into_the_queue_whole(visitor, upstream, grace):
    visitor.send("When are you open?")
    page = join(visitor)
    assert [turn.message for turn in page.turns] == ["When are you open?"]
    assert Conversation.objects.get().led_by == "queue"


def test_what_was_typed_stands_in_the_form_when_nobody_is_there(visitor, upstream, grace):
    visitor.send("Where is my order?")
    TeamMember.objects.update(is_available=False)
    page = join(visitor, draft="It was to come on Monday.")
    assert page.one("textarea[@name='message']").text.strip() == "It was to come on Monday."
