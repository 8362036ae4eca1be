"""Take it with you: a conversation moves from the kiosk to one phone, complete, once, within two minutes."""

import datetime
import re
import uuid
from functools import partial

import pytest
import segno
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from kiosk import devices, visits
from kiosk.models import Device, TransferCode
from kiosk.transfer_codes import LIFETIME
from tests.kiosk.conftest import TOKEN
from tests.people.conftest import ask_for_updates, make_member
from tests.webchat.concurrency import run_concurrently, run_in_background
from tests.webchat.visitor import Page, Visitor
from webchat.models import Bot, Conversation, Leader, Surface, Turn

VISIT = "/kiosk/visit/help/"


@pytest.fixture
def kiosk(device, upstream) -> Visitor:
    """The visitor at the kiosk, in its first visit."""
    return visitor_at_kiosk(device)


def visitor_at_kiosk(device: Device) -> Visitor:
    visitor = Visitor(VISIT)
    visitor.client.cookies[devices.COOKIE] = TOKEN
    visitor.client.cookies[visits.COOKIE] = str(device.visit)
    return visitor


def phone() -> Visitor:
    return Visitor()


def post(visitor: Visitor, path: str) -> Page:
    token = visitor.page.all("input[@name='csrfmiddlewaretoken']")[0].get("value")
    return Page(visitor.client.post(path, {"csrfmiddlewaretoken": token}, headers={"HX-Request": "true"}))


def code_of(kiosk: Visitor) -> str:
    """Return the code on the screen."""
    page = post(kiosk, f"{VISIT}transfer-code")
    url = page.response.context["url"]
    assert page.one("svg/path").get("d") in segno.make(url, error="l", micro=False).svg_inline(lineclass=None)
    return re.search(r"/take/([\w-]+)$", url)[1]


def take(phone: Visitor, code: str) -> Page:
    """Open the URL in the code and press the button there."""
    page = phone.open(reverse("take", args=[code]))
    return phone.submit(page.one("form")) if page.status == 200 else page


def press(phone: Visitor) -> int:
    """Press the button of the phone's page and return the status."""
    fields = {"csrfmiddlewaretoken": phone.page.one("form").find("input").get("value")}
    return phone.client.post(phone.path, fields).status_code


def test_the_conversation_continues_on_the_phone_and_is_gone_from_the_kiosk_which_is_told(kiosk, device, upstream):
    kiosk.send("Hello")
    mine, code = phone(), code_of(kiosk)
    assert kiosk.client.get(f"{VISIT}taken").status_code == 204
    mine.send("Of yesterday")
    page = mine.open(reverse("take", args=[code]))
    assert "The conversation you have open here will end." in page.tree.text_content()
    assert take(mine, code).status == 200
    assert Conversation.objects.get(turns__message="Of yesterday").ended_at
    assert Page(kiosk.client.get(f"{VISIT}taken")).all("*[@data-taken]")
    assert [(turn.message, turn.reply) for turn in mine.turns] == [("Hello", "You said: Hello")]
    mine.send("And again")
    first, _yesterday, second = upstream.requests
    assert (first.chat_id, bool(second.chat_id)) == (None, True), "the upstream remembers what was said before"
    assert kiosk.open().turns == []
    visits.start_next(device)
    assert len(mine.open().turns) == 2


def test_opening_the_url_does_not_use_the_code_nor_does_another_site(kiosk):
    """Messengers, mail scanners and cameras fetch links before anybody presses a button."""
    kiosk.send("Hello")
    code = code_of(kiosk)
    assert len(code) >= 22
    assert code not in str(TransferCode.objects.values())
    path = reverse("take", args=[code])
    Client().options(path)
    for method in ("get", "head"):
        response = getattr(Client(), method)(path)
        assert response["Cache-Control"] == "no-store, private"
        assert response["Referrer-Policy"] == "same-origin"
        assert "Hello" not in response.content.decode()
    assert Client(enforce_csrf_checks=True).post(path).status_code == 403
    assert kiosk.open().turns
    assert take(phone(), code).turns


def test_without_a_message_there_is_nothing_to_take_and_never_anything_for_a_stranger(kiosk):
    kiosk.open()
    page = post(kiosk, f"{VISIT}transfer-code")
    assert page.all("svg") == []
    assert "Write a message first." in page.tree.text_content()
    kiosk.send("Hello")
    assert Client().post(f"{VISIT}transfer-code").status_code == 404
    assert not TransferCode.objects.exists()
    code_of(kiosk)
    TransferCode.objects.update(until=timezone.now() - 2 * LIFETIME, taken_at=timezone.now())
    code_of(kiosk)
    assert TransferCode.objects.count() == 1, "expired ones are deleted"


def test_a_used_expired_unknown_or_replaced_code_or_one_of_an_ended_conversation_answers_the_same_page(kiosk, device):
    kiosk.send("Hello")
    replaced, run_out = code_of(kiosk), code_of(kiosk)
    assert phone().open(reverse("take", args=[replaced])).status == 404
    left = TransferCode.objects.get().until - timezone.now()
    assert datetime.timedelta(seconds=110) < left <= LIFETIME == datetime.timedelta(minutes=2)
    late = phone()
    form = late.open(reverse("take", args=[run_out])).one("form")
    TransferCode.objects.update(until=timezone.now() - datetime.timedelta(seconds=1))
    assert late.submit(form).status == 404, "the button was pressed too late"
    assert phone().open(reverse("take", args=[run_out])).status == 404
    used = code_of(kiosk)
    take(phone(), used)
    other = visitor_at_kiosk(device)
    other.send("Another")
    ended = code_of(other)
    visits.start_next(device)
    answers = set()
    for code in (used, run_out, "unknown", replaced, ended):
        for method in ("get", "post"):
            response = getattr(Client(), method)(reverse("take", args=[code]))
            answers.add((response.status_code, response.content))
    assert len(answers) == 1
    (status, content) = answers.pop()
    assert status == 404
    assert "This code has expired" in content.decode()


@pytest.fixture
def on_disk(database_on_disk, kiosk) -> Visitor:
    return kiosk


def test_only_one_of_several_phones_takes_the_conversation(on_disk):
    on_disk.send("Hello")
    code = code_of(on_disk)
    phones = [phone() for _ in range(4)]
    for each in phones:
        each.path = reverse("take", args=[code])
        each.open()
    presses = [each.twin() for each in phones for _ in range(2)]  # each button is pressed twice
    assert sorted(run_concurrently(*(partial(press, each) for each in presses))) == [303] * 2 + [404] * 6
    for each in presses:
        each.path = "/chat/help/"
    assert sorted(len(each.open().turns) for each in presses) == [0] * 6 + [1] * 2
    assert Conversation.objects.count() == 1


def test_a_conversation_taken_while_the_visit_ends_is_in_one_place(on_disk, device):
    """Either the phone has it or it has ended: never both, and it never stays on the kiosk."""
    on_disk.send("Hello")
    mine = phone()
    mine.path = reverse("take", args=[code_of(on_disk)])
    mine.open()
    status, _ended = run_concurrently(lambda: press(mine), lambda: visits.start_next(device))
    conversation = Conversation.objects.get()
    taken = conversation.surface == Surface.CHAT
    assert (status, conversation.ended_at is None) == ((303, True) if taken else (404, False))


def test_a_turn_that_is_being_asked_moves_too_and_its_reply_arrives_on_the_phone(on_disk, upstream):
    on_disk.send("Hello")
    let_go = upstream.will_hold("Here I am")
    answered = run_in_background(partial(on_disk.twin().post_message, "Slowly"))
    upstream.wait_for_requests(2)
    mine = phone()
    take(mine, code_of(on_disk))
    assert [turn.state for turn in mine.turns] == ["answered", "asking"]
    let_go.set()
    answered()
    assert mine.open().turns[-1].reply == "Here I am"
    mine.send("More")
    assert upstream.messages == ["Hello", "Slowly", "More"]
    assert len({request.chat_id for request in upstream.requests[1:]}) == 1


def ask_for_person(kiosk: Visitor, by: str) -> Conversation:
    """Join the queue at the kiosk; if the conversation is to be led by a person, Grace takes it."""
    Bot.objects.update(people_answer=True)
    grace = make_member("Grace")
    kiosk.send("Hello")
    kiosk.open()
    kiosk.press_other_button("person/join")
    conversation = Conversation.objects.get()
    if by == Leader.PERSON:
        assert conversation.claim(grace)
        conversation.write_message(grace, uuid.uuid4(), "How can I help?")
    return conversation


@pytest.mark.parametrize("by", [Leader.QUEUE, Leader.PERSON])
def test_waiting_for_a_person_or_talking_to_one_continues_on_the_phone(by, kiosk, device, upstream):
    conversation = ask_for_person(kiosk, by)
    left_behind = kiosk.open()
    assert ask_for_updates(kiosk, left_behind).status_code in (200, 204)
    mine = phone()
    page = take(mine, code_of(kiosk))
    conversation.notify_pages()
    assert ask_for_updates(kiosk, left_behind).status_code == 404
    assert kiosk.open().turns == []
    assert page.one("*[@id='leader']").get("data-leader") == by
    assert len(page.all("*[@data-kind='message']")) == (by == Leader.PERSON)
    mine.send("I am on my way out")
    assert Conversation.objects.get(pk=conversation.pk).turns.last().state == Turn.State.PERSON
    assert len(upstream.requests) == 1
    visits.start_next(device)
    conversation.refresh_from_db()
    assert (conversation.led_by, conversation.surface, conversation.ended_at) == (by, Surface.CHAT, None)
    assert mine.open().one("*[@id='leader']").get("data-leader") == by
