"""Proof of work in a real browser: solved while the visitor types, or waited for, on every surface."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, Request, Route, expect

from tests.browser.chat_page import ChatPage
from tests.browser.site import CONTACT, SUGGESTIONS, Site
from tests.browser.waiting import wait_for_some
from webchat.limits import proof_of_work

SOLVER = re.compile(r"/webchat/solver[.\w]*\.js$")
NEEDS_JAVASCRIPT = "This chat checks that you are not a bot, which needs JavaScript."


@pytest.fixture
def chat(visitor: BrowserContext, site: Site) -> ChatPage:
    return ChatPage.open(visitor, f"{site.url}/chat/guarded/")


def sent_by(page: Page) -> list[Request]:
    """Return a list that collects the messages that the page sends."""
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request) if request.url.endswith("/messages") else None)
    return sent


@pytest.fixture
def expire(site: Site, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[[Page], None]:
    """Age the page's challenge by two hours, after which it has expired."""

    def expire(page: Page) -> None:
        settings.SECRET_KEY = (site.folder / "var" / "secret_key").read_text().strip()
        monkeypatch.setattr(proof_of_work, "LIFE", -1)
        key = page.locator("#composer-key").input_value()
        page.locator("#composer-proof").evaluate(
            "(field, challenge) => field.dataset.challenge = challenge", proof_of_work.challenge("guarded", key)
        )

    return expire


def test_each_message_has_its_own_proof_computed_while_typing_or_awaited(chat, upstream):
    sent = sent_by(chat.page)
    with chat.page.expect_worker():
        chat.write("One")
    while chat.page.workers:
        chat.page.wait_for_timeout(20)
    chat.ask("One")
    expect(chat.box).to_have_value("")
    assert len(sent) == 1

    held: list[Route] = []
    chat.page.route(SOLVER, lambda route: held.append(route), times=1)
    chat.write("Quick")
    for _ in range(3):
        chat.page.keyboard.press("Enter")
    chat.expect_said("One", "Quick")
    expect(chat.waiting).to_have_count(1)
    expect(chat.states).to_have_text("Sending")
    wait_for_some(chat.page, held)
    assert len(sent) == 1
    held[0].continue_()
    expect(chat.replies).to_have_text(["You said: One", "You said: Quick"])
    chat.expect_said("One", "Quick")
    expect(chat.box).to_have_value("")
    chat.ask("Next")
    chat.page.reload()
    chat.expect_said("One", "Quick", "Next")
    assert upstream.messages == ["One", "Quick", "Next"]


def test_a_page_with_an_expired_challenge_gets_a_fresh_one_and_keeps_the_draft(chat, upstream, expire):
    sent = sent_by(chat.page)
    chat.write("a draft")
    expire(chat.page)
    chat.suggestions.first.click()
    expect(chat.replies).to_have_count(1)
    expect(chat.box).to_have_value("a draft")
    assert len(sent) == 2
    expire(chat.page)
    chat.ask("Are you still there?")
    chat.expect_said(SUGGESTIONS[0], "Are you still there?")
    expect(chat.refusal).to_have_count(0)
    expect(chat.box).to_have_value("")
    chat.expect_focus_in_box()
    assert len(sent) == 4
    chat.ask("Good")
    assert upstream.messages == [SUGGESTIONS[0], "Are you still there?", "Good"]


def test_a_wrong_or_missing_proof_is_explained_and_the_text_kept(chat, upstream, watch):
    watch.expect(r"net::ERR_FAILED")
    chat.page.route(SOLVER, lambda route: route.abort())
    chat.send("Let me in")
    expect(chat.refusal).to_contain_text(NEEDS_JAVASCRIPT)
    expect(chat.box).to_have_value("Let me in")
    chat.page.unroute_all()

    chat.page.reload()
    sent = sent_by(chat.page)
    wrong = "onmessage = () => postMessage({ counter: 1, derivedKey: '00' })"
    chat.page.route(SOLVER, lambda route: route.fulfill(body=wrong))
    chat.send("Let me in")
    expect(chat.refusal).to_contain_text(NEEDS_JAVASCRIPT)
    expect(chat.refusal.get_by_role("link", name="Contact us")).to_have_attribute("href", f"mailto:{CONTACT}")
    expect(chat.turns).to_have_count(0)
    expect(chat.box).to_have_value("Let me in")
    assert len(sent) == 2  # a new challenge might help
    chat.page.unroute_all()
    chat.box.press("Enter")
    expect(chat.replies).to_have_text(["You said: Let me in"])
    assert upstream.messages == ["Let me in"]


def test_an_open_page_works_after_proofs_are_turned_on_or_off(visitor, site, upstream):
    chat = ChatPage.open(visitor, f"{site.url}/chat/switched/")
    site.ask_database("UPDATE webchat_bot SET asks_for_proof = true WHERE slug = 'switched'")
    with chat.page.expect_navigation():
        chat.send("Hello")
    expect(chat.box).to_have_value("Hello")
    chat.box.press("Enter")
    expect(chat.replies).to_have_text(["You said: Hello"])
    site.ask_database("UPDATE webchat_bot SET asks_for_proof = false WHERE slug = 'switched'")
    chat.send(" ")
    expect(chat.refusal).to_have_text("Type a message first.")  # in a composer without a challenge
    chat.ask("And again")
    assert upstream.messages == ["Hello", "And again"]


def test_a_kiosk_sends_proofs_too(new_kiosk, upstream):
    kiosk = new_kiosk("guarded", "token-of-the-guarded-kiosk")
    kiosk.touch(SUGGESTIONS[0])
    kiosk.expect("visit")
    kiosk.chat.expect_said(SUGGESTIONS[0])
    expect(kiosk.chat.replies).to_have_count(1)
    kiosk.chat.ask("And then?")
    assert upstream.messages == [SUGGESTIONS[0], "And then?"]
