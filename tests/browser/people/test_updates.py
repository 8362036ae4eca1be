"""A conversation with a person when updates come late, or from another tab, or the page was reloaded."""

import uuid

from playwright.sync_api import APIResponse, Page, Route, expect

from tests.browser.people.talk import PHOTO, Talk, is_drawn, meet, open_surface, say_from, send_file
from tests.browser.site import Site
from tests.browser.test_comfort import HIDE
from tests.browser.waiting import GIVE_UP_SOON, wait_for_some


def test_a_late_update_shows_nothing_twice_and_after_an_outage_the_conversation_continues(talk, site, inbox, watch):
    """While it is down, the proxy answers instead."""
    watch.expect("502")
    page = talk.page
    meet(talk, inbox, "Anybody?")
    held: list[tuple[Route, APIResponse]] = []
    page.route("**/updates/**", lambda route: held.append((route, route.fetch())))
    say_from(inbox, "Here I am.")
    expect(inbox.locator("[data-team-message]")).to_have_text("Here I am.")
    while not held or held[-1][1].status != 200:
        for route, response in held:
            route.fulfill(response=response)
        held.clear()
        page.wait_for_timeout(100)
    talk.send("Good")
    expect(talk.members).to_have_text("Here I am.")
    [(route, response)] = held
    with page.expect_response("**/updates/**"):
        route.fulfill(response=response)
    page.unroute_all()
    talk.send("Thanks")
    expect(talk.members).to_have_count(1)

    page.route("**/*", lambda route: route.fulfill(status=502, body="<h1>Bad Gateway</h1>"))
    page.route("**/messages", lambda route: route.fetch() and route.fulfill(status=502), times=1)
    with page.expect_response(lambda response: "/updates/" in response.url and response.status == 502):
        pass
    page.locator("#message").fill("Are you still there?")
    page.locator("#send").click()
    page.locator("#message").type("Hello?")
    page.get_by_role("button", name="Stop waiting").click()
    expect(page.locator("#composer-refusal")).to_contain_text("couldn’t be sent")
    expect(page.locator("#message")).to_have_value("Are you still there?\nHello?")
    expect(talk.leader).to_contain_text("You are talking to")
    page.unroute_all()
    expect(page.locator("[data-message]").last).to_have_text("Are you still there?")
    expect(page.locator("#composer-refusal")).to_be_empty()
    expect(page.locator("#message")).to_have_value("Hello?")
    say_from(inbox, "Back again")
    expect(talk.members).to_have_text(["Here I am.", "Back again"])
    page.locator("#send").click()
    expect(page.locator("[data-message]").last).to_have_text("Hello?")
    assert site.ask_database("SELECT count(*) FROM webchat_turn WHERE message LIKE 'Are you still%'") == [(1,)]


def test_neither_a_hanging_poll_nor_a_message_being_resent_delays_updates(talk, inbox, watch):
    watch.expect("htmx:(timeout|sendError|afterRequest)|net::ERR_FAILED")
    meet(talk, inbox, "Is this on?")
    held: list[Route] = []
    talk.page.evaluate(GIVE_UP_SOON)
    talk.page.route("**/updates/**", lambda route: route.continue_() if held else held.append(route))
    wait_for_some(talk.page, held)
    say_from(inbox, "It is.")
    expect(talk.members).to_have_text(["It is."])
    talk.page.route("**/messages", lambda route: route.abort())
    talk.page.locator("#message").fill("Lost")
    talk.page.locator("#message").press("Enter")
    say_from(inbox, "One more thing")
    expect(talk.members.last).to_have_text("One more thing")
    expect(talk.page.locator("#transcript > li:last-child")).to_have_attribute("data-state", "sending")


def test_a_message_whose_response_is_lost_stays_where_it_stands_after_a_reload(talk, inbox, watch):
    watch.expect("htmx:(sendError|afterRequest)|net::ERR_FAILED")
    meet(talk, inbox, "Which comes first?")
    talk.page.route("**/updates/**", lambda route: route.abort())
    say_from(inbox, "Before")
    expect(inbox.locator("[data-team-message]")).to_have_count(1)
    arriving = [True]
    talk.page.route("**/messages", lambda route: (arriving and arriving.pop() and route.fetch(), route.abort()))
    talk.page.locator("#message").fill("Between")
    talk.page.locator("#message").press("Enter")
    expect(inbox.locator("[data-message]").last).to_have_text("Between")
    say_from(inbox, "After")
    expect(inbox.locator("[data-team-message]")).to_have_count(2)
    talk.page.unroute("**/updates/**")
    expect(talk.members).to_have_count(2)
    said = talk.page.locator("[data-message], [data-team-message]")
    expect(said).to_have_text(["Which comes first?", "Before", "Between", "After"])
    say_from(inbox, "Last")
    expect(said).to_have_text(["Which comes first?", "Before", "Between", "After", "Last"])
    talk.page.unroute_all()
    expect(talk.page.locator("[data-state=sending]")).to_have_count(0)
    expect(said).to_have_text(["Which comes first?", "Before", "Between", "After", "Last"])


def test_a_press_that_does_not_arrive_says_so_until_one_does(talk, inbox, watch):
    watch.expect("htmx:(sendError|afterRequest)|net::ERR_FAILED|502")
    refusal = talk.page.locator("#composer-refusal")
    for button, leader in ((".top [data-person]", "queue"), ("#leave-queue", "bot")):
        for lost in (lambda route: route.abort(), lambda route: route.fulfill(status=502, body="<h1>Bad Gateway</h1>")):
            talk.page.route("**/person/*", lost, times=1)
            talk.page.locator(button).click()
            expect(refusal.get_by_role("alert")).to_have_text("That didn’t work. Check your connection and try again.")
        talk.page.locator(button).click()
        expect(talk.leader).to_have_attribute("data-leader", leader)
        expect(refusal).to_be_empty()
    talk.page.locator(".top [data-new-conversation]").click()  # though nothing was said yet
    expect(talk.page.locator("dialog[data-confirm-new]")).to_be_visible()


def test_an_update_does_not_replace_a_button_whose_request_is_under_way(talk, site, inbox):
    talk.send("Anybody there?")
    talk.page.get_by_role("button", name="Talk to a person").click()
    held: list[Route] = []
    talk.page.route("**/person/leave", lambda route: held.append(route))
    talk.page.locator("#leave-queue").click()
    wait_for_some(talk.page, held)
    with talk.page.expect_response(lambda response: "/updates/" in response.url and response.status == 200):
        site.ask_database("UPDATE webchat_conversation SET changes = changes + 1 WHERE led_by = 'queue'")
    held[0].continue_()
    expect(talk.page.locator("#leader")).to_have_attribute("data-leader", "bot")


def test_after_a_reload_of_the_frame_the_person_is_still_there(browser, new_visitor, site, inbox):
    talk = open_surface(new_visitor, browser, site, "embed")
    meet(talk, inbox, "Loaded again")
    talk.page.goto(f"{site.url}/embed/help/")
    expect(talk.leader).to_contain_text("You are talking to")
    expect(talk.page.get_by_text("Leaving? Get the answer by e-mail").locator("visible=true")).to_have_count(1)
    send_file(talk, PHOTO)
    is_drawn(talk.page.locator("figure img"))
    talk.page.evaluate("document.documentElement.style.display = 'none'")  # as when the widget's window is closed
    say_from(inbox, "Are you there?")
    expect(talk.members).to_have_count(1)
    for _ in range(2):  # one may be under way
        with inbox.expect_response("**/updates/**"):
            pass
    expect(inbox.get_by_text("Seen by the visitor")).to_have_count(0)
    talk.page.evaluate("document.documentElement.style.display = ''")
    expect(inbox.get_by_text("Seen by the visitor")).to_be_visible()
    inbox.get_by_role("button", name="Hand back").click()


def joined_uninvited(talk: Talk, site: Site, inbox: Page) -> None:
    """Send a message to the bot that offers no person, and have somebody join."""
    talk.page.goto(f"{site.url}/embed/alone/")
    talk.send("Hello")
    expect(talk.page.locator("[data-reply]")).to_have_count(1)
    conversations = "SELECT public_id FROM webchat_conversation WHERE bot_id = 2 ORDER BY id"
    name = site.ask_database(conversations)[-1][0]
    inbox.goto(f"{site.url}/admin/inbox/{uuid.UUID(str(name))}/")
    inbox.get_by_role("button", name="Claim").click()
    expect(inbox.locator("#inbox-head")).to_have_attribute("data-mine", "")
    talk.send("Is somebody there?")
    expect(talk.leader).to_contain_text("You are talking to")


def test_a_widget_without_people_shows_a_person_and_another_tabs_new_conversation(new_visitor, site, inbox, watch):
    watch.expect("Response Status Error Code 404")
    visitor = new_visitor()
    talk = Talk(visitor.new_page())
    joined_uninvited(talk, site, inbox)
    talk.page.get_by_text("Leaving? Get the answer by e-mail").locator("visible=true").click()
    talk.page.get_by_label("Your e-mail address").fill("jo@example.com")
    say_from(inbox, "I am.")
    expect(talk.members).to_have_count(1)
    expect(talk.page.get_by_label("Your e-mail address")).to_have_value("jo@example.com")
    talk.send("Thank you")
    talk.page.locator("#message").fill("Not finished")
    tab = visitor.new_page()
    tab.goto(f"{site.url}/embed/alone/")
    expect(tab.locator("#leader")).to_contain_text("You are talking to")
    tab.get_by_label("Menu").first.click()
    tab.locator(".top [data-new-conversation]").click()
    tab.locator("[data-confirm]").click()
    expect(talk.page.locator("[data-message]")).to_have_count(0)
    expect(talk.leader).to_have_attribute("data-leader", "bot")
    expect(talk.page.locator("#message")).to_have_value("Not finished")


def test_a_tab_stops_waiting_when_another_tab_starts_a_new_conversation(talk, site, inbox, watch):
    watch.expect("Response Status Error Code 404")
    talk.page.locator(".top [data-person]").click()
    expect(talk.leader).to_have_attribute("data-leader", "queue")
    talk.page.locator("#message").fill("Not finished")
    other = talk.page.context.new_page()
    other.goto(f"{site.url}/chat/help/new")
    other.get_by_role("button", name="New conversation").click()
    expect(talk.leader).to_have_attribute("data-leader", "bot")
    expect(talk.page.locator("#message")).to_have_value("Not finished")


def test_activity_on_the_page_shows_who_has_joined_and_what_another_tab_has_sent(talk, site, inbox, upstream):
    talk.send("I only read")
    expect(talk.page.locator("[data-reply]")).to_have_count(1)
    inbox.goto(f"{site.url}/admin/inbox/?show=all")
    inbox.locator(".inbox-row", has_text="I only read").locator("a").click()
    inbox.get_by_role("button", name="Claim").click()
    expect(inbox.locator("#inbox-head")).to_have_attribute("data-mine", "")
    expect(talk.events).to_have_count(0)
    talk.page.locator("#message").press_sequentially("W")
    expect(talk.events).to_have_text(["owner has joined."])
    inbox.get_by_role("button", name="Hand back").click()
    expect(talk.leader).to_have_attribute("data-leader", "bot")
    other = Talk(talk.page.context.new_page())
    other.page.goto(f"{site.url}/chat/help/")
    other.send("In another tab")
    expect(other.page.locator("[data-reply]")).to_have_count(2)
    talk.page.evaluate(HIDE, True)
    talk.page.evaluate(HIDE, False)
    expect(talk.page.locator("[data-message]")).to_have_text(["I only read", "In another tab"])


def test_a_person_who_joins_uninvited_during_a_long_reply_is_shown_before_it_ends(talk, site, inbox, upstream):
    talk.send("Slow one")
    expect(talk.page.locator("[data-reply]")).to_have_count(1)
    let_go = upstream.will_hold("Late")
    talk.send("Still there?")
    upstream.wait_for_requests(2)  # the inbox doesn't add what only the bot is asked
    inbox.goto(f"{site.url}/admin/inbox/?show=all")
    inbox.locator(".inbox-row", has_text="Still there?").locator("a").click()
    inbox.get_by_role("button", name="Claim").click()
    expect(talk.events).to_have_text(["owner has joined."])
    expect(talk.leader).to_contain_text("You are talking to")
    expect(talk.page.locator("[data-waiting]")).to_have_count(0)
    talk.send("Good that you are here")
    let_go.set()
    expect(inbox.locator("[data-message]").last).to_have_text("Good that you are here")
    expect(talk.page.locator("[data-reply]")).to_have_count(1)


def test_asking_for_a_person_while_the_bot_answers_shows_nothing_twice(talk, inbox, upstream):
    talk.send("First")
    expect(talk.page.locator("[data-reply]")).to_have_count(1)
    let_go = upstream.will_hold("Late")
    talk.send("Second")
    box = talk.page.locator("#message")
    for text in ("Third", "Fourth"):  # Enter sends nothing yet
        box.press_sequentially(text)
        box.press("Enter")
    expect(box).to_have_value("Third\nFourth\n")
    talk.page.locator(".top [data-person]").click()
    expect(talk.leader).to_have_attribute("data-leader", "queue")
    expect(talk.page.locator("[data-message]")).to_have_text(["First", "Second"])
    let_go.set()
    expect(talk.page.locator("[data-reply]")).to_have_text(["You said: First", "Late"])
    expect(talk.page.locator("[data-message]")).to_have_text(["First", "Second"])
    expect(talk.events).to_have_count(1)


def test_a_page_that_was_open_when_people_began_to_answer_shows_who_leads(new_visitor, site, watch):
    page = new_visitor().new_page()
    page.goto(f"{site.url}/chat/alone/")
    site.ask_database("UPDATE webchat_bot SET people_answer = TRUE WHERE slug = 'alone'")
    page.locator("#message").fill("Hello?")
    page.locator("#send").click()
    expect(page.locator("[data-reply]")).to_have_count(1)
    expect(page.locator(".leader[data-leader=bot]")).to_be_attached()
    expect(page.locator("#message")).to_have_attribute("placeholder", "Message Ada")
    site.ask_database("UPDATE webchat_bot SET people_answer = FALSE WHERE slug = 'alone'")
