"""What is new comes to the visitor's page: once, in its order, and to nobody else."""

import datetime

import pytest
from django.core import signing
from django.utils import timezone

from tests.people.conftest import LIVE, ask_for_updates, join, leader, say, the_conversation
from tests.webchat.visitor import Page, Visitor
from webchat.conversation import updates
from webchat.models import Conversation, Entry


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


@pytest.mark.parametrize(("said", "offered"), [("", True), ("Let me look.", False)], ids=["unanswered", "answered"])
def test_who_comes_back_to_the_bot_can_ask_it_what_nobody_answered(said, offered, visitor, grace):
    join(visitor)
    conversation = the_conversation()
    conversation.claim(grace)
    page = visitor.send("My order is lost")
    if said:
        say(conversation, grace, said)
        page = visitor.open()
    conversation.hand_back(grace)
    fragment = Page(ask_for_updates(visitor, page))
    redrawn = [turn.get("hx-swap-oob") for turn in fragment.all("li[@data-turn][.//button[@data-action='retry']]")]
    assert redrawn == (["true"] if offered else [])


def test_a_message_and_what_came_meanwhile_arrive_together(visitor, grace):
    join(visitor)
    conversation = the_conversation()
    conversation.claim(grace)
    say(conversation, grace, "How can I help?")
    shown = visitor.page.one("input[@name='shown']").get("value")
    fragment = visitor.post_message("My order is lost", shown=shown)
    items = [each.get("data-kind") or "turn" for each in fragment.all("li[@data-entry or @data-turn]")]
    assert items == ["joined", "message", "turn"]


def test_what_has_come_from_another_tab_is_no_reason_to_load_the_page_anew(visitor, grace):
    page = join(visitor)
    other = visitor.in_another_tab()
    other.open()
    other.send("From the other tab")
    fragment = Page(ask_for_updates(visitor, page))
    (after,) = [field.get("value") for field in fragment.all("input[@id='composer-after']")]
    response = visitor.post_message("From this one", after=after).response
    assert "HX-Refresh" not in response


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
    hidden = Page(ask_for_updates(visitor, page, "?hidden"))
    assert the_conversation().visitor_read_to < Entry.objects.last().pk
    ask_for_updates(visitor, hidden, "?visible")
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
