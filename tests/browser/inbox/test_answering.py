"""The inbox in a real browser: a team member answers a visitor who sits at another one."""

import re

from playwright.sync_api import Page, expect

from tests.browser.axe import complaints
from tests.browser.inbox.conftest import OPEN, OTHER_ID
from tests.browser.owner import PHONE
from tests.browser.screen_reader import LISTENER, heard
from tests.browser.test_comfort import LISTEN_FOR_SOUND

QUEUED = "led_by = 'queue', team_member_id = NULL, changes = changes + 1, led_since = '2026-01-02 03:04:05'"


# Headless Chromium denies notifications even when they are granted.
NOTIFICATIONS = """window.made = [];
window.Notification = class extends Notification {
  static permission = "granted";
  static requestPermission = async () => "granted";
  constructor(title, options) { super(title, options); made.push([title, options.body]); }
};"""


def test_a_waiting_visitor_changes_the_title_plays_a_sound_and_notifies_an_unfocused_window(browser, inbox, own_site):
    inbox.add_init_script(NOTIFICATIONS + LISTEN_FOR_SOUND)
    inbox.reload()
    inbox.get_by_text("Options").click()
    for name in ("Sound", "Notifications"):
        inbox.get_by_label(name, exact=True).check()
    before = "led_by = 'bot', changes = changes + 1 WHERE id = 71"
    queued = "led_by = 'queue', led_since = '2026-01-02 03:04:05', changes = changes + 1 WHERE id = 71"
    own_site.ask_database("UPDATE webchat_conversation SET led_by = 'bot', changes = changes + 1")
    for has_focus, made in ((True, []), (False, [["Inbox", "Conversations that wait for you: 1"]])):
        own_site.ask_database(f"UPDATE webchat_conversation SET {before}")
        expect(inbox).to_have_title("Inbox · Desk")
        inbox.evaluate("has => { document.hasFocus = () => has; }", has_focus)  # Playwright's pages always have it
        own_site.ask_database(f"UPDATE webchat_conversation SET {queued}")
        expect(inbox).to_have_title("(1) Inbox · Desk")
        expect(inbox.get_by_role("navigation", name="Desk").locator("[data-count]")).to_have_text("1")
        assert inbox.evaluate("made") == made
    assert inbox.evaluate("tones") > 1
    inbox.evaluate("localStorage.clear()")


def go_to(page: Page, element_id: str, key: str = "Tab", most: int = 12) -> None:
    """Move by keyboard in a few steps; a lost focus would start again at the top of the page."""
    for _ in range(most):
        page.keyboard.press(key)
        if page.evaluate("document.activeElement.id") == element_id:
            return
    raise AssertionError(f"{element_id} is not within {most} steps")


def test_a_visitor_is_answered_and_the_next_one_opened_by_keyboard(inbox, own_site):
    own_site.ask_database(f"UPDATE webchat_conversation SET {QUEUED} WHERE id IN (71, 72)")
    inbox.add_init_script(LISTENER)
    inbox.reload()
    inbox.locator("#inbox-row-71").focus()
    with inbox.expect_response(lambda response: "/updates/" in response.url and response.status == 200):
        own_site.ask_database(f"UPDATE webchat_conversation SET {QUEUED.replace('03:04', '04:04')} WHERE id = 72")
    expect(inbox.locator("#inbox-row-71")).to_be_focused()
    inbox.keyboard.press("Enter")
    expect(inbox.locator("#inbox-head")).to_contain_text("Waiting")
    closed = "resolved_at = '2026-01-02 03:04:05', changes = changes + 1"
    own_site.ask_database(f"UPDATE webchat_conversation SET {closed} WHERE id = 71")
    expect(inbox.locator("#inbox-head")).to_contain_text("closed")
    expect(inbox.locator("#inbox-head")).to_be_focused()
    go_to(inbox, "inbox-claim", most=2)
    inbox.keyboard.press("Enter")
    expect(inbox.locator("#inbox-text")).to_be_focused()

    inbox.keyboard.type("Hello! /ho")
    option = inbox.get_by_role("option", name="/hours")
    expect(option).to_have_attribute("aria-selected", "true")
    expect(option.locator("bdi")).to_have_text("We open at **nine**.")  # whatever the desk's language
    inbox.keyboard.press("Escape")
    expect(inbox.get_by_role("listbox", name="Canned replies")).to_be_hidden()
    inbox.keyboard.type("u")
    inbox.keyboard.press("Enter")
    expect(inbox.locator("#inbox-text")).to_have_value("Hello! We open at **nine**.")
    heard(inbox)
    inbox.keyboard.press("Enter")
    expect(inbox.locator("[data-team-message] strong")).to_have_text("nine")
    assert heard(inbox, until="Sent") == [("polite", "Sent")]
    inbox.keyboard.type("Looks angry")
    go_to(inbox, "inbox-note", most=2)
    inbox.keyboard.press("Enter")
    expect(inbox.locator("[data-note]").last).to_have_text("Looks angry")
    assert heard(inbox, until="Internal note ·\nOlivia: Looks angry")[-1][0] == "polite"  # not “Sent”
    expect(inbox.locator("#inbox-note")).to_be_focused()
    go_to(inbox, "inbox-hand-back", "Shift+Tab", most=5)
    inbox.keyboard.press("Enter")
    expect(inbox.locator("#inbox-next")).to_be_focused()
    inbox.keyboard.press("Enter")
    expect(inbox.locator("[data-message]")).to_have_text("How do I make a backup?")


def test_an_answer_is_suggested_and_a_conversation_handed_over_by_keyboard(inbox, own_site):
    own_site.ask_database("UPDATE webchat_conversation SET led_by = 'bot', changes = changes + 1")  # no next in queue
    inbox.goto(f"{own_site.url}/admin/inbox/{OTHER_ID}/#inbox-head")
    go_to(inbox, "inbox-claim", most=2)
    inbox.keyboard.press("Enter")
    expect(inbox.locator("#inbox-text")).to_be_focused()
    inbox.keyboard.press("F2")
    expect(inbox.locator("#inbox-text")).to_have_value(re.compile("backup"))
    expect(inbox.locator("#inbox-text")).to_be_focused()
    go_to(inbox, "inbox-hand-over-to", "Shift+Tab", most=5)
    inbox.keyboard.press("Enter")
    go_to(inbox, "inbox-colleague", most=1)
    inbox.keyboard.press("Tab")
    inbox.keyboard.press("Enter")
    expect(inbox.locator("#inbox-head")).to_contain_text("Answered by Bea")
    expect(inbox.get_by_label("Transcript")).to_be_focused()
    go_to(inbox, "inbox-take-over", "Shift+Tab", most=2)
    inbox.keyboard.press("Enter")
    expect(inbox.locator("#inbox-text")).to_be_focused()
    go_to(inbox, "inbox-close", "Shift+Tab", most=3)
    inbox.keyboard.press("Enter")
    expect(inbox.locator("#inbox-head")).to_contain_text("closed")
    expect(inbox.get_by_label("Transcript")).to_be_focused()


def test_a_long_queue_keeps_its_scroll_position_and_ones_own_conversations_are_in_view(inbox, own_site):
    own_site.ask_database(f"UPDATE webchat_conversation SET {QUEUED} WHERE id >= 80")
    own_site.ask_database("UPDATE webchat_conversation SET led_by = 'person', team_member_id = 1 WHERE id = 89")
    inbox.reload()
    expect(inbox.get_by_role("heading", name="Mine")).to_be_in_viewport(ratio=1)
    expect(inbox.locator("#inbox-row-89")).not_to_be_in_viewport()
    inbox.locator("#inbox-to-own").click()
    expect(inbox.locator("#inbox-row-89")).to_be_in_viewport()
    top = "document.getElementById('inbox-rows').scrollTop"
    inbox.evaluate(f"{top} = 150")
    own_site.ask_database(f"UPDATE webchat_conversation SET {QUEUED} WHERE id = 72")
    expect(inbox.locator("#inbox-row-72")).to_be_attached()
    assert inbox.evaluate(top) == 150
    inbox.locator("#inbox-row-83").evaluate("row => row.click()")
    expect(inbox.get_by_label("Transcript")).to_be_visible()
    assert inbox.evaluate(top) == 150
    own_site.ask_database("UPDATE webchat_conversation SET led_by = 'bot', team_member_id = NULL WHERE id >= 80")


def test_axe_finds_nothing_in_the_inbox_and_on_a_phone_a_conversation_leads_back_to_the_list(inbox, own_site):
    """Its other pages are among those that test_desk_pages.py walks through."""
    found = []
    for scheme, path in (("light", "/admin/inbox/"), ("dark", OPEN)):
        inbox.set_viewport_size({"width": 1280, "height": 800})
        inbox.emulate_media(color_scheme=scheme)
        inbox.goto(own_site.url + path)
        found += [f"{scheme} {path} {each}" for each in complaints(inbox)]
        inbox.set_viewport_size(PHONE)
        if inbox.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append(f"{path} is wider than a phone")
    assert not found, "\n".join(found)

    inbox.goto(f"{own_site.url}/admin/inbox/?show=all")
    inbox.get_by_role("link", name="Is my parcel lost?").click()
    expect(inbox.get_by_label("Transcript")).to_be_visible()
    expect(inbox.get_by_role("searchbox")).to_be_hidden()
    inbox.get_by_role("button", name="Claim").click()
    expect(inbox.locator("[data-kind=joined]").last).to_be_in_viewport(ratio=1)
    inbox.locator("#inbox-text").fill("A long draft. " * 80)
    expect(inbox.locator("[data-kind=joined]").last).to_be_in_viewport(ratio=1)
    assert inbox.get_by_label("Transcript").bounding_box()["height"] > PHONE["height"] / 4
    inbox.locator("#inbox-text").fill("")
    inbox.get_by_role("link", name="Conversations").last.click()
    expect(inbox.get_by_role("searchbox")).to_be_visible()
