"""Updates of the visitor's page: each arrives once, in order, and nowhere else."""

import datetime
import re
import time
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.core import signing
from django.db import connection
from django.utils import timezone

from tests.people.conftest import LIVE, ask_for_updates, join, leader, make_member, say, the_conversation
from tests.webchat.visitor import Page, Visitor
from webchat.conversation import accept, updates
from webchat.models import Bot, Conversation, Entry, Surface

AT_ONCE, NEVER = 1e-6, 1e9  # seconds after which a page's token is replaced


def test_what_is_new_arrives_once_and_in_order_also_with_a_message_of_the_visitors(visitor, grace):
    page = join(visitor)
    conversation = the_conversation()
    conversation.claim(grace)
    say(conversation, grace, "One")
    say(conversation, grace, "Two")
    fragment = Page(ask_for_updates(visitor, page))
    assert [each.get("data-kind") for each in fragment.all("*[@data-entry]")] == ["joined", "message", "message"]
    assert fragment.response["HX-Retarget"] == "#transcript"
    assert Page(ask_for_updates(visitor, fragment)).all("*[@data-entry]") == []
    fragment = visitor.post_message("My order is lost", shown=page.one("input[@name='shown']").get("value"))
    items = [each.get("data-kind") or "turn" for each in fragment.all("li[@data-entry or @data-turn]")]
    assert items == ["joined", "message", "message", "turn"]


@pytest.mark.parametrize("loads_whole_page", [True, False])
def test_what_is_stored_while_a_page_is_read_comes_in_the_order_of_a_reload(loads_whole_page, visitor, grace):
    """Another tab sends a message between the statements that read turns and entries, and it is answered at once."""
    shown = [join(visitor)]
    conversation, stored = the_conversation(), []
    conversation.claim(grace)

    def write_meanwhile(execute: Callable, sql: str, *more: Any) -> Any:
        result = execute(sql, *more)
        if 'FROM "webchat_turn"' in sql and not stored:
            stored.append(sql)
            accept.accept(conversation.visitor, conversation.bot, Surface.CHAT, uuid.uuid4(), "And this?")
            say(conversation, grace, "That, too.")
        return result

    with connection.execute_wrapper(write_meanwhile):
        page = visitor.open() if loads_whole_page else Page(ask_for_updates(visitor, shown[-1]))
    shown = [page] if loads_whole_page else [*shown, page]
    shown.append(Page(ask_for_updates(visitor, page)))
    ids = [item.get("id") for page in shown for item in page.all("li[@data-entry or @data-turn]")]
    assert ids == [item.get("id") for item in visitor.open().all("li[@data-entry or @data-turn]")]


@pytest.mark.parametrize(
    ("said", "ends", "offered"),
    [
        ("", Conversation.hand_back, True),
        ("Let me look.", Conversation.hand_back, False),
        ("", Conversation.close, False),
    ],
    ids=["unanswered", "answered", "closed"],
)
def test_back_with_the_bot_an_unanswered_message_can_be_sent_to_it(said, ends, offered, visitor, grace):
    join(visitor)
    conversation = the_conversation()
    conversation.claim(grace)
    page = visitor.send("My order is lost")
    if said:
        say(conversation, grace, said)
        page = visitor.open()
    ends(conversation, grace)
    fragment = Page(ask_for_updates(visitor, page))
    redrawn = [turn.get("hx-swap-oob") for turn in fragment.all("li[@data-turn][.//button[@data-action='retry']]")]
    assert redrawn == (["true"] if offered else [])


def test_a_message_from_another_tab_does_not_reload_the_page(visitor, grace):
    page = join(visitor)
    other = visitor.in_another_tab()
    other.open()
    other.send("From the other tab")
    fragment = Page(ask_for_updates(visitor, page))
    (after,) = [field.get("value") for field in fragment.all("input[@id='composer-after']")]
    shown = visitor.page.one("input[@name='shown']").get("value")
    response = visitor.post_message("From this one", after=after, shown=shown).response
    assert "HX-Refresh" not in response


def test_a_page_of_a_bot_that_offers_no_person_is_loaded_again_when_somebody_has_joined(visitor, grace):
    Bot.objects.update(people_answer=False, handover=False)
    visitor.send("Hello")
    assert visitor.open().all("*[@data-leader] | //script[contains(@src, '_with_people')]") == []
    conversation = the_conversation()
    conversation.claim(grace)
    say(conversation, grace, "Let me help")
    assert visitor.post_message("Where?").response["HX-Refresh"] == "true"
    page = visitor.open()
    assert [each.get("data-kind") for each in page.all("*[@data-entry]")] == ["joined", "message"]
    assert len(page.all("script[contains(@src, '_with_people')]")) == 1


def test_a_frame_has_the_styles_of_a_conversation_that_somebody_has_joined_before_it_knows_it(bot):
    """Its session, and with it the transcript, comes only after it has loaded."""
    Bot.objects.update(people_answer=False, handover=False)
    page = Visitor("/embed/help/").open()
    styles = [link.get("href") for link in page.all("link[contains(@href, 'people')]")]
    assert [re.search(r"(\w+)\.(?:\w+\.)?css", each)[1] for each in styles] == ["people", "people_later"]


def test_a_frame_without_the_script_for_people_asks_by_itself_once_somebody_has_joined(bot, upstream, grace):
    Bot.objects.update(people_answer=False, handover=False)
    frame = Visitor("/embed/help/")
    assert frame.open().one("*[@id='leader']").get("hx-get") is None
    frame.send("Hello")
    the_conversation().claim(grace)
    page = frame.send("Is somebody there?")
    url = page.one("*[@id='leader']").get("hx-get")
    say(the_conversation(), grace, "I am")
    session = page.composer.find(".//input[@name='session']").get("value")
    news = Page(frame.client.get(url, headers=LIVE["headers"] | {"Webchat-Session": session}))
    assert [each.get("data-kind") for each in news.all("*[@data-entry]")] == ["message"]
    assert news.one("*[@id='leader']").get("hx-get") not in (url, None)


def test_a_strangers_token_or_an_invalid_one_is_not_found(visitor, grace):
    page = join(visitor)
    the_conversation().claim(grace)
    eve = Visitor()
    eve.open()
    assert ask_for_updates(eve, page).status_code == 404
    eve.send("Hello")
    assert ask_for_updates(eve, page).status_code == 404
    for token in ("x", "x:y:z", signing.dumps([1, 0, 0, 0], salt="another"), "a" * 3000):
        assert visitor.client.get(f"/chat/help/updates/{token}", **LIVE).status_code == 404, token


def test_only_what_a_visible_page_has_shown_counts_as_read(visitor, grace):
    page = join(visitor)
    conversation = the_conversation()
    conversation.claim(grace)
    say(conversation, grace, "Hello")
    hidden = Page(ask_for_updates(visitor, page, "?hidden"))
    assert the_conversation().visitor_read_to < Entry.objects.last().pk
    ask_for_updates(visitor, hidden, "?visible")
    assert the_conversation().visitor_read_to == Entry.objects.last().pk


def test_when_nothing_is_new_a_page_takes_one_statement_and_reports_now_and_then_that_the_visitor_is_there(
    visitor, grace, monkeypatch, django_assert_num_queries
):
    join(visitor)
    the_conversation().claim(grace)
    monkeypatch.setattr(updates, "FRESH_FOR", NEVER)
    page = visitor.open()
    Conversation.objects.update(visitor_seen_at=None)
    with django_assert_num_queries(1):
        assert ask_for_updates(visitor, page).status_code == 204
    assert the_conversation().visitor_seen_at is None
    monkeypatch.setattr(updates, "FRESH_FOR", AT_ONCE)
    response = ask_for_updates(visitor, page)
    assert response.status_code == 204
    assert the_conversation().visitor_seen_at is not None
    shown = updates.read(response["Webchat-Updates"].rpartition("/")[2])
    assert (shown.conversation, shown.changes) == (the_conversation().pk, the_conversation().changes)


def test_pages_that_were_loaded_at_once_report_one_after_the_other(monkeypatch):
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now)
    tokens = [updates.Shown(conversation).token for conversation in range(1, 201)]
    old_after = []
    for seconds in range(updates.FRESH_FOR + 1):
        monkeypatch.setattr(time, "time", lambda seconds=seconds: now + seconds)
        old_after.append(sum(not updates.read(token).is_fresh for token in tokens))
    assert old_after == list(range(0, 201, 10))


def test_the_token_of_an_earlier_version_says_the_same_and_is_replaced():
    shown = updates.read(signing.dumps([1, 2, 3, 4], salt="webchat updates"))
    assert (shown, shown.is_fresh) == (updates.Shown(1, 2, 3, 4), False)


def test_states_that_end_by_themselves_are_redrawn_now_and_then(visitor, grace, monkeypatch):
    page = join(visitor)
    monkeypatch.setattr(updates, "FRESH_FOR", AT_ONCE)
    assert ask_for_updates(visitor, page).status_code == 200  # the time spent waiting
    conversation = the_conversation()
    conversation.claim(grace)
    conversation.notify_pages(team_typing_at=timezone.now() - datetime.timedelta(seconds=30))
    assert ask_for_updates(visitor, visitor.open()).status_code == 200


def test_each_side_is_told_that_the_other_is_typing_until_the_message_has_arrived(visitor, grace):
    join(visitor)
    conversation = the_conversation()
    conversation.claim(grace)
    page = visitor.open()
    typing, key = page.one("form[@data-typing-form]"), page.one("input[@id='composer-key']").get("value")
    assert "#composer-key" in typing.get("hx-include")
    visitor.submit_live(typing)
    assert the_conversation().is_visitor_typing
    visitor.post_message("Hello")
    visitor.submit_live(typing, {"key": key})  # overtaken by its message
    assert not the_conversation().is_visitor_typing
    visitor.submit_live(typing, {"key": str(uuid.uuid4())})  # the next message
    assert the_conversation().is_visitor_typing
    conversation.notify_pages(team_typing_at=timezone.now())
    assert "Grace is typing" in leader(Page(ask_for_updates(visitor, page)))
    conversation.hand_over_to(grace, make_member("Ada"))
    assert "typing" not in leader(visitor.open())
