"""A visitor talks to a person, and then to the bot again."""

import uuid
from collections.abc import Callable

import pytest
from django.db import connection

from tests.people.conftest import events, join, leader, make_member, say, the_conversation
from tests.webchat.visitor import Visitor
from webchat.models import Bot, Conversation, Customer, Turn


def test_a_person_answers_in_the_same_transcript(visitor, upstream, grace):
    visitor.send("Hello")
    join(visitor)
    assert visitor.open().one("textarea[@name='message']").get("placeholder") == "Message our team"
    conversation = the_conversation()
    conversation.claim(grace)
    say(conversation, grace, "Hello, I am **Grace**.\n\n<script>alert(1)</script> [x](javascript:y)")
    conversation.write_note(grace, uuid.uuid4(), "Seems angry")
    (button,) = visitor.page.all("*[@id='leader']//button[.='Show new messages']")
    page = visitor.press_other_button(button.get("formaction"))
    assert page.refusal is None
    assert leader(page).startswith("G You are talking to Grace")
    assert page.one("textarea[@name='message']").get("placeholder") == "Message Grace"
    (message,) = page.all("*[@data-kind='message']")
    assert message.xpath(".//strong")[0].text == "Grace"
    assert message.xpath(".//script | .//a") == []
    assert "Seems angry" not in page.tree.text_content()
    visitor.send("Thank you")
    assert the_conversation().turns.last().state == Turn.State.PERSON
    assert len(upstream.requests) == 1


def test_handed_over_and_then_back_the_bot_continues_in_the_same_chat(visitor, upstream, grace):
    visitor.send("Hello")
    join(visitor)
    conversation, bea = the_conversation(), make_member("Bea")
    conversation.claim(grace)
    conversation.hand_over_to(grace, bea)
    conversation.hand_back(bea)
    page = visitor.open()
    assert events(page)[-2:] == ["Bea has taken over.", "Bea has handed you back to Ada."]
    visitor.send("And now?")
    first, second = upstream.requests
    assert second.json["chatId"] == Conversation.objects.get().chat_id
    assert "chatId" not in first.json


def test_without_javascript_a_frame_scrolls_to_the_end_after_each_form(bot, upstream, grace):
    Bot.objects.update(takes_files=True)
    frame = Visitor("/embed/help/")
    frame.open()
    join(frame)
    the_conversation().claim(grace)
    page = frame.send("Hello")
    send_file = page.one("*[@id='attach']//button[@formaction]").get("formaction")
    assert [page.composer.get("action").partition("#")[2], send_file.partition("#")[2]] == ["person", "person"]
    the_conversation().hand_back(grace)
    turn = frame.press_other_button("/back").one("li[@data-turn]")
    assert turn.xpath(".//form[@data-ask-bot]/@action")[0].partition("#")[2] == turn.get("id")


def test_a_closed_bot_accepts_messages_while_a_person_leads(visitor, grace):
    join(visitor)
    the_conversation().claim(grace)
    Bot.objects.update(closed=True, answers_when_closed=False)
    visitor.page = None
    assert visitor.open().composer.get("hidden") is None
    page = visitor.send("Are you still there?")
    assert [turn.message for turn in page.turns] == ["Are you still there?"]
    the_conversation().hand_back(grace)
    assert not visitor.open().all("form[@data-ask-bot]")


def test_while_a_person_leads_no_proof_of_work_is_needed(visitor, upstream, grace):
    Bot.objects.update(asks_for_proof=True)
    assert visitor.send("To the bot").refusal.code == "PROOF_MISSING"
    waiting = join(visitor)
    assert not waiting.all("noscript")
    assert visitor.send("To the queue").turns[0].message == "To the queue"
    Conversation.objects.get().claim(grace)
    Bot.objects.update(people_answer=False)
    visitor.open()
    assert visitor.send("To Grace").turns[1].message == "To Grace"
    Bot.objects.update(people_answer=True)
    Conversation.objects.get().hand_back(grace)
    Bot.objects.update(asks_for_proof=False)
    assert visitor.open().all("*[@data-action='retry']")
    Bot.objects.update(asks_for_proof=True)
    page = visitor.press("retry")  # a message sent without a proof doesn't reach the bot
    assert not page.all("*[@data-action='retry']")
    assert page.all("noscript")
    assert visitor.send("To the bot").refusal.code == "PROOF_MISSING"
    assert Turn.objects.filter(state="person").count() == 2
    assert upstream.requests == []


@pytest.mark.parametrize("way", ["hand_back", "end"])
def test_a_message_without_a_proof_is_refused_if_the_bot_leads_again_before_it_is_stored(way, visitor, upstream, grace):
    Bot.objects.update(asks_for_proof=True)
    join(visitor)
    the_conversation().claim(grace)
    meanwhile = [lambda: the_conversation().hand_back(grace) if way == "hand_back" else the_conversation().end()]

    def between(execute: Callable, statement: str, *more: object) -> object:
        if "webchat_allowance" in statement and meanwhile:  # first statement of the transaction for the message
            meanwhile.pop()()
        return execute(statement, *more)

    with connection.execute_wrapper(between):
        page = visitor.send("To Grace")
    assert (meanwhile, page.typed, page.refusal.code) == ([], "To Grace", "PROOF_EXPIRED")
    assert not Turn.objects.exists()
    assert upstream.requests == []


def test_a_claim_that_an_outdated_page_does_not_know_of_ends_with_a_customers_new_conversation(bot, grace):
    customer = Customer.objects.vouched_for(bot, "customer-1", "Jo", "")
    outdated = Conversation.objects.create(bot=bot, surface="portal", visitor=customer.visitor, customer=customer)
    assert the_conversation().claim(grace)
    outdated.archive()
    conversation = the_conversation()
    assert (conversation.led_by, conversation.team_member, conversation.is_present) == ("bot", None, False)
