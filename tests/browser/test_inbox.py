"""The inbox in a real browser: a team member answers a visitor who sits at another one."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.axe import complaints
from tests.browser.owner import PHONE, logged_in, owner_row
from tests.browser.screen_reader import LISTENER, heard
from tests.browser.site import Site, bot_row
from tests.browser.test_comfort import LISTEN_FOR_SOUND
from tests.browser.waiting import PATIENCE, wait_for_some

PUBLIC_ID = "00000000-0000-4000-8000-000000000071"
OTHER_ID = "00000000-0000-4000-8000-000000000072"
OPEN = f"/admin/inbox/{PUBLIC_ID}/"


@pytest.fixture(scope="module")
def own_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site with an owner who answers, a waiting visitor, and a canned reply."""
    asked = {"conversation": 71, "message": "Is my parcel lost?", "reply": "I don’t know.", "state": "answered"}
    waiting = {"bot": 7, "visitor": "0" * 64, "surface": "chat", "public_id": PUBLIC_ID, "changes": 1}
    waiting["visitor_seen_at"] = "2099-01-02T03:04:05Z"  # whoever is gone leaves the queue
    many = {"bot": 7, "surface": "chat", "visitor_seen_at": waiting["visitor_seen_at"]}
    other = {"conversation": 72, "message": "How do I make a backup?"}
    since = {"led_by": "queue", "led_since": "2026-01-02T03:04:05Z"}
    member = {"user": 1, "name": "Olivia", "is_available": True}
    rows = [
        owner_row(),
        bot_row(7, "shop", people_answer=True),
        {"model": "auth.user", "pk": 2, "fields": {"username": "bea", "password": "!", "is_staff": True}},
        {"model": "webchat.teammember", "pk": 1, "fields": member},
        {"model": "webchat.teammember", "pk": 2, "fields": {"user": 2, "name": "Bea", "role": "answers"}},
        {"model": "webchat.cannedreply", "pk": 1, "fields": {"shortcut": "hours", "text": "We open at **nine**."}},
        {"model": "webchat.conversation", "pk": 71, "fields": waiting | since},
        {"model": "webchat.turn", "pk": 711, "fields": asked},
        {"model": "webchat.conversation", "pk": 72, "fields": waiting | {"visitor": "1" * 64, "public_id": OTHER_ID}},
        {"model": "webchat.turn", "pk": 721, "fields": asked | other},
        *[{"model": "webchat.conversation", "pk": n, "fields": many | {"visitor": str(n)}} for n in range(80, 90)],
    ]
    with Site(tmp_path_factory.mktemp("inbox-site"), "docbot://in-process", rows, WEB_PROCESSES=1) as site:
        yield site


@pytest.fixture(autouse=True)
def nobody_answers(own_site: Site) -> None:
    """Free all conversations after each test."""
    free = "led_by = 'bot', team_member_id = NULL, changes = changes + 1"
    own_site.ask_database(f"UPDATE webchat_conversation SET {free} WHERE led_by = 'person'")


@pytest.fixture
def inbox(browser: Browser, own_site: Site) -> Iterator[Page]:
    with logged_in(browser, own_site, "/admin/inbox/") as page:
        yield page


def test_a_visitor_and_a_team_member_talk_in_two_browsers(browser, inbox, own_site):
    visitor = browser.new_context().new_page()
    visitor.set_default_timeout(PATIENCE * 1000)
    visitor.goto(f"{own_site.url}/chat/shop/")
    visitor.get_by_role("button", name="Talk to a person").first.click()
    expect(visitor.locator("[data-leader=queue]")).to_be_visible()
    expect(inbox.locator("[data-led-by=queue]")).to_have_count(2)
    expect(inbox).to_have_title("(2) Inbox · Desk")
    expect(inbox.get_by_role("navigation", name="Desk").locator("[data-count]")).to_have_text("2")

    inbox.add_init_script(LISTENER)
    inbox.locator("[data-led-by=queue]").last.get_by_role("link").hover()
    inbox.mouse.down()
    with inbox.expect_response(lambda response: "/updates/" in response.url and response.status == 200):
        visitor.get_by_label("Message", exact=True).fill("Hello?")
        visitor.keyboard.press("Enter")
    inbox.mouse.up()  # news that came meanwhile has not taken the link away
    inbox.get_by_role("button", name="Claim").click()
    expect(visitor.locator("[data-entry][data-kind=joined]")).to_have_text("Olivia has joined.")
    expect(inbox.locator("#inbox-text")).to_be_focused()
    inbox.keyboard.type("Good morning")
    while visitor.locator("[data-typing]").is_hidden():
        inbox.keyboard.type(" ", delay=100)  # the first sign of typing may be over before a busy machine shows it
    inbox.keyboard.press("Enter")
    expect(visitor.locator("[data-team-message]")).to_have_text("Good morning")
    expect(inbox.locator("#inbox-text")).to_have_value("")
    expect(inbox.locator("[data-seen]")).to_be_visible()

    inbox.keyboard.type("A secret note")
    inbox.get_by_role("button", name="Add as note").click()
    expect(inbox.locator("[data-note]")).to_have_text("A secret note")
    visitor.get_by_label("Message", exact=True).fill("Where is my parcel?")
    visitor.keyboard.press("Enter")
    expect(inbox.locator("[data-message]")).to_have_text(["Hello?", "Where is my parcel?"])
    assert ("polite", "Visitor: Where is my parcel?") in heard(inbox, until="Visitor: Where is my parcel?")
    inbox.get_by_role("button", name="Hand back").click()
    expect(visitor.locator("[data-entry][data-kind=handed_back]")).to_have_text("Olivia has handed you back to Ada.")
    expect(visitor.get_by_role("button", name="Ask Ada")).to_be_visible()
    expect(visitor.get_by_text("A secret note")).to_have_count(0)
    visitor.context.close()


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


QUEUED = "led_by = 'queue', team_member_id = NULL, changes = changes + 1, led_since = '2026-01-02 03:04:05'"


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
    inbox.keyboard.press("Escape")
    expect(inbox.locator("#inbox-colleague")).to_be_hidden()
    expect(inbox.locator("#inbox-hand-over-to")).to_be_focused()
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


def test_a_draft_survives_the_conversation_being_taken_by_a_colleague(inbox, own_site):
    inbox.goto(own_site.url + OPEN)
    inbox.get_by_role("button", name="Claim").click()
    expect(inbox.locator("#inbox-head")).to_contain_text("Answered by you")
    inbox.locator("#inbox-text").fill("My long answer")
    own_site.ask_database("UPDATE webchat_conversation SET team_member_id = 2, changes = changes + 1 WHERE id = 71")
    expect(inbox.locator("#inbox-head")).to_contain_text("Answered by Bea")
    inbox.locator("#inbox-text").press("Enter")
    expect(inbox.get_by_role("alert")).to_contain_text("This conversation isn’t yours.")
    expect(inbox.locator("#inbox-text")).to_have_value("My long answer")
    inbox.get_by_role("button", name="Take over").click()
    expect(inbox.get_by_role("button", name="Send")).to_be_visible()
    inbox.locator("#inbox-text").press("Enter")
    expect(inbox.locator("[data-team-message]").last).to_have_text("My long answer")
    inbox.get_by_role("button", name="Hand back").click()
    expect(inbox.get_by_role("button", name="Claim")).to_be_visible()


def test_while_the_site_is_down_an_alert_says_so_and_button_and_text_stay(browser, own_site):
    """Behind a proxy, which answers instead."""
    with logged_in(browser, own_site, OPEN, "502|htmx:(afterRequest|sendError|timeout)|net::ERR_FAILED") as inbox:
        down = ("**/*", lambda route: route.fulfill(status=502, body="<h1>Bad Gateway</h1>"))
        inbox.route(*down)
        inbox.get_by_role("button", name="Claim").click()
        expect(inbox.get_by_role("alert").filter(has_text="New messages can’t reach this page.")).to_be_visible()
        expect(inbox.locator("#inbox-claim")).to_be_focused()
        inbox.unroute_all()
        inbox.keyboard.press("Enter")
        expect(inbox.locator("#inbox-text")).to_be_focused()
        inbox.route("**/typing/", lambda route: route.abort(), times=1)
        inbox.keyboard.type("On its way")
        inbox.route(*down)
        inbox.keyboard.press("Enter")
        expect(inbox.locator("#inbox-refusal")).to_contain_text("Not sent: check your connection.")
        inbox.unroute_all()
        inbox.keyboard.press("Enter")
        expect(inbox.locator("[data-team-message]").last).to_have_text("On its way")
        expect(inbox.locator("#inbox-refusal")).to_be_empty()
        inbox.route("**/write/?*", lambda route: route.fetch() and route.fulfill(status=502), times=1)
        inbox.keyboard.type("It has arrived")
        inbox.keyboard.press("Enter")
        inbox.keyboard.type(" after all")
        expect(inbox.locator("#inbox-text")).to_have_value("after all")
        inbox.keyboard.press("Enter")
        expect(inbox.locator("[data-team-message]").last).to_have_text("after all")
        expect(inbox.get_by_text("It has arrived")).to_have_count(1)
        expect(inbox.locator("#inbox-refusal")).to_be_empty()
        with inbox.expect_request("**/updates/**"):
            inbox.route("**/updates/**", lambda route: None, times=1)  # never answered
        with inbox.expect_response("**/updates/**", timeout=20_000):
            pass


def test_an_inbox_whose_updates_are_refused_reloads_once_and_then_says_so(inbox, own_site):
    loads: list[str] = []
    stale = inbox.get_by_role("alert").filter(has_text="New messages can’t reach this page.")
    inbox.goto(own_site.url + OPEN)
    with inbox.expect_response("**/updates/**"):
        pass
    inbox.on("load", lambda page: loads.append(page.url))
    inbox.route("**/updates/**", lambda route: route.fulfill(status=403, body="Forbidden"))
    expect(stale).to_be_visible()
    assert loads == [own_site.url + OPEN]
    inbox.unroute_all()
    expect(stale).to_be_hidden()


def test_when_the_open_conversation_is_deleted_the_inbox_says_so_and_keeps_the_text(browser, inbox, own_site):
    visitor = browser.new_context().new_page()
    visitor.goto(f"{own_site.url}/chat/shop/")
    visitor.get_by_role("button", name="Talk to a person").first.click()
    inbox.locator("[data-led-by=queue]", has_text="No message yet").get_by_role("link").click()
    expect(inbox.locator("#inbox-head")).to_contain_text("Waiting")
    inbox.locator("#inbox-text").fill("My long answer")
    [[last]] = own_site.ask_database("SELECT MAX(id) FROM webchat_conversation")
    own_site.ask_database(f"DELETE FROM webchat_entry WHERE conversation_id = {last}")
    own_site.ask_database(f"DELETE FROM webchat_conversation WHERE id = {last}")
    expect(inbox.locator("#inbox-refusal")).to_have_text("The conversation has been deleted.")
    expect(inbox.locator("[data-led-by=queue]", has_text="No message yet")).to_have_count(0)
    expect(inbox.locator("#inbox-text")).to_have_value("My long answer")
    visitor.context.close()


def test_losing_permission_or_the_login_is_stated_beside_the_text(inbox, own_site):
    stale = inbox.locator("[data-stale]")
    news = "UPDATE webchat_conversation SET changes = changes + 1 WHERE id = 71"  # without any it asks every 30 s
    inbox.goto(own_site.url + OPEN)
    with inbox.expect_response("**/updates/**"):
        inbox.locator("#inbox-text").fill("My long answer")
    own_site.ask_database("UPDATE auth_user SET is_superuser = 0 WHERE id = 1")
    own_site.ask_database(news)
    expect(stale).to_have_text("Your account doesn’t have permission. Your text is still here.")
    own_site.ask_database("UPDATE auth_user SET is_superuser = 1 WHERE id = 1")
    with inbox.expect_response("**/updates/**"):
        inbox.reload()
    expect(stale).to_be_hidden()
    inbox.context.clear_cookies()
    own_site.ask_database(news)
    expect(stale).to_contain_text("You have been logged out.")
    expect(inbox.locator("#inbox-text")).to_have_value("My long answer")


def test_losing_permission_for_the_bot_is_stated_at_the_next_click(inbox, own_site):
    inbox.goto(own_site.url + OPEN)
    inbox.locator("#inbox-text").fill("My long answer")
    own_site.ask_database("UPDATE auth_user SET is_superuser = 0 WHERE id = 1")
    own_site.ask_database("UPDATE webchat_teammember SET role = 'answers', all_bots = 0 WHERE user_id = 1")
    with inbox.expect_request("**/updates/**&visible"):  # which is answered even if nothing is new
        inbox.locator("#inbox-note").click()
    expect(inbox.locator("#inbox-refusal")).to_have_text("Your account doesn’t have permission.")
    expect(inbox.locator("#inbox-text")).to_have_value("My long answer")
    own_site.ask_database("UPDATE webchat_teammember SET role = 'owner', all_bots = 1 WHERE user_id = 1")
    own_site.ask_database("UPDATE auth_user SET is_superuser = 1 WHERE id = 1")


def test_an_unsent_draft_survives_a_reload_but_neither_logging_out_nor_another_account(inbox, own_site):
    drafts = "Object.keys(sessionStorage).filter((name) => name.startsWith('inbox draft'))"
    inbox.goto(own_site.url + OPEN)
    inbox.get_by_role("button", name="Claim").click()
    inbox.locator("#inbox-text").fill("My long answer")
    inbox.reload()
    expect(inbox.locator("#inbox-text")).to_have_value("My long answer")
    inbox.evaluate("sessionStorage.setItem(`inbox draft 2 ${location.pathname}`, 'Of somebody who was here before')")
    inbox.reload()
    expect(inbox.locator("#inbox-text")).to_have_value("My long answer")
    assert len(inbox.evaluate(drafts)) == 1
    inbox.get_by_role("button", name="Log out").click()
    inbox.wait_for_url("**/logout/")
    assert inbox.evaluate(drafts) == []


def test_pending_requests_delay_no_message_no_hand_back_and_no_button(inbox, own_site):
    held: list[Route] = []
    inbox.route("**/typing/", lambda route: held.append(route))
    inbox.goto(own_site.url + OPEN)
    inbox.locator("#inbox-text").fill("Held for a while")
    inbox.locator("#inbox-note").hover()
    inbox.mouse.down()
    own_site.ask_database("UPDATE webchat_conversation SET changes = changes + 1 WHERE id = 71")
    with inbox.expect_response(lambda response: "/updates/" in response.url and response.status == 200):
        pass
    inbox.mouse.up()
    expect(inbox.locator("[data-note]").last).to_have_text("Held for a while")

    inbox.get_by_role("button", name="Claim").click()
    expect(inbox.locator("#inbox-text")).to_be_focused()
    inbox.keyboard.type("Sent at once")
    inbox.keyboard.press("Enter")
    expect(inbox.locator("[data-team-message]").last).to_have_text("Sent at once")
    assert held
    for route in held:
        route.continue_()
    inbox.unroute_all()

    held.clear()
    for path in ("write", "hand-back"):
        inbox.route(f"**/{path}/*", lambda route: held.append(route))
    with inbox.expect_request("**/write/*"):
        inbox.keyboard.type("One more thing")
        inbox.keyboard.press("Enter")
    with inbox.expect_request("**/hand-back/*"):
        inbox.get_by_role("button", name="Hand back").click()
    for route in held:
        with inbox.expect_response(lambda response, sent=route.request: response.request == sent):
            route.continue_()
    expect(inbox.get_by_role("button", name="Claim")).to_be_visible()
    expect(inbox.locator("[data-team-message]").last).to_have_text("One more thing")
    inbox.unroute_all()


def test_an_update_requested_before_a_click_does_not_undo_it(inbox, own_site):
    inbox.goto(own_site.url + OPEN)
    away = inbox.locator("#inbox-away")
    expect(away).to_have_attribute("aria-pressed", "false")
    held: list[Route] = []
    answers = []
    own_site.ask_database("UPDATE webchat_conversation SET changes = changes + 1 WHERE id = 71")
    inbox.route("**/updates/**", lambda route: (answers.append(route.fetch()), held.append(route)), times=1)
    wait_for_some(inbox, held)
    away.click()
    expect(away).to_have_attribute("aria-pressed", "true")
    with inbox.expect_response(lambda response: response.request == held[0].request):
        held[0].fulfill(response=answers[0])
    assert answers[0].status == 200
    with inbox.expect_response("**/updates/**"):
        pass
    expect(away).to_have_attribute("aria-pressed", "true")
    inbox.locator("#inbox-available").click()
    expect(away).to_have_attribute("aria-pressed", "false")


def test_axe_finds_nothing_in_the_inbox_and_it_fits_a_phone(inbox, own_site):
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


def test_on_a_phone_a_conversation_opens_and_leads_back_to_the_list(inbox, own_site):
    inbox.set_viewport_size(PHONE)
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
