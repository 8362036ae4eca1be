"""What comes between a team member and a visitor: colleagues, a site that is down, lost permission, late answers."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.inbox.conftest import OPEN
from tests.browser.owner import logged_in
from tests.browser.site import Site
from tests.browser.waiting import GIVE_UP_SOON, wait_for_some


@pytest.fixture
def inbox(browser: Browser, own_site: Site) -> Iterator[Page]:
    with logged_in(browser, own_site, OPEN) as page:
        yield page


def test_a_draft_survives_the_conversation_being_taken_by_a_colleague(inbox, own_site):
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
        inbox.evaluate(GIVE_UP_SOON)
        held: list[Route] = []  # and never answered
        inbox.route("**/updates/**", lambda route: route.continue_() if held else held.append(route))
        wait_for_some(inbox, held)
        with inbox.expect_response("**/updates/**"):
            pass


def test_what_is_sent_while_a_message_is_on_its_way_follows_it_and_more_begins_a_new_line(inbox, own_site):
    inbox.get_by_role("button", name="Claim").click()
    expect(inbox.locator("#inbox-text")).to_be_focused()
    messages = inbox.locator("[data-team-message]")
    before = messages.count()
    held: list[Route] = []
    for texts in (["First", "Second"], ["Third", "Fourth", "Fifth"]):
        inbox.route("**/write/?*", lambda route: held.append(route), times=1)
        for text in texts:
            inbox.keyboard.type(text)
            inbox.keyboard.press("Enter")
        expect(inbox.locator("#inbox-text")).to_have_value(texts[0] + "\n".join(texts[1:]) + "\n")
        held.pop().continue_()
        expect(inbox.locator("#inbox-text")).to_have_value("")
    expect(messages).to_have_count(before + 4)
    assert messages.evaluate_all("all => all.map((each) => each.innerText)")[before:] == [
        "First",
        "Second",
        "Third",
        "Fourth\nFifth",
    ]


def test_an_inbox_whose_updates_are_refused_reloads_once_and_then_says_so(inbox, own_site):
    loads: list[str] = []
    stale = inbox.get_by_role("alert").filter(has_text="New messages can’t reach this page.")
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


def test_a_message_whose_response_the_next_page_did_not_wait_for_is_no_draft_any_more(inbox, own_site):
    inbox.get_by_role("button", name="Claim").click()
    expect(inbox.locator("#inbox-text")).to_be_focused()
    held: list[Route] = []
    inbox.route("**/write/?*", lambda route: (route.fetch(), held.append(route)), times=1)
    inbox.keyboard.type("Has **arrived**")
    inbox.keyboard.press("Enter")
    wait_for_some(inbox, held)
    inbox.keyboard.type(" and more")
    inbox.goto(f"{own_site.url}/admin/inbox/")
    inbox.goto(own_site.url + OPEN)
    expect(inbox.locator("[data-team-message]").last).to_have_text("Has arrived")
    expect(inbox.locator("#inbox-text")).to_have_value("and more")
    inbox.reload()
    expect(inbox.locator("#inbox-text")).to_have_value("and more")


def test_pending_requests_delay_no_message_no_hand_back_and_no_button(inbox, own_site):
    held: list[Route] = []
    inbox.route("**/typing/", lambda route: held.append(route))
    inbox.locator("#inbox-text").fill("Held for a while")
    inbox.locator("#inbox-note").hover()
    inbox.mouse.down()
    with inbox.expect_response(lambda response: "/updates/" in response.url and response.status == 200):
        own_site.ask_database("UPDATE webchat_conversation SET changes = changes + 1 WHERE id = 71")
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
