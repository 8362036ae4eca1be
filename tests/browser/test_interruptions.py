"""Reloads, second tabs, the back button and lost connections: nothing is lost or doubled."""

import contextlib
import http.client
from functools import partial
from urllib.parse import urlsplit

from playwright.sync_api import Error, Route, expect

from tests.browser.chat_page import ChatPage
from tests.browser.site import SUGGESTIONS
from tests.browser.waiting import wait_for_some, wait_until

NETWORK_GONE = r"net::ERR_|htmx:(sendError|afterRequest)"
NOT_SENT = "Your message couldn’t be sent. It is still here: check your connection and send again."


def lose_the_answer(route: Route, *, status: int | None = None) -> None:
    """Deliver the request but drop the response and its cookies; the browser may get a proxy's page instead."""
    request = route.request
    url = urlsplit(request.url)
    server = http.client.HTTPConnection(url.netloc, timeout=10)
    server.request("POST", url.path, request.post_data_buffer, request.headers)
    with contextlib.closing(server), server.getresponse() as answer:
        assert answer.status == 200
    if status:
        route.fulfill(status=status, body="<h1>From somebody else</h1>")
    else:
        route.abort("connectionreset")


def test_try_again_is_one_request_and_a_lost_response_is_requested_again(chat, upstream, watch):
    watch.expect("502|htmx:responseError")
    answer_now = upstream.will_close().will_hold("Here it is")
    chat.send("Hello")
    posts: list[str] = []
    chat.page.on("request", lambda request: posts.append(request.url.rpartition("/")[2]))
    chat.control("resend").click()
    chat.wait_until_asked(upstream, 2)
    expect(chat.alert).to_be_hidden()
    expect(chat.send_button).to_be_disabled()  # a second try can't be stopped
    answer_now.set()
    expect(chat.replies).to_have_text(["Here it is"])
    expect(chat.send_button).to_be_enabled()
    assert posts == ["again"]

    upstream.will_close()
    chat.send("Once more")
    chat.page.route("**/again", lambda route: lose_the_answer(route, status=502))
    chat.control("resend").click()
    expect(chat.replies).to_have_text(["Here it is", "You said: Once more"])
    expect(chat.waiting).to_have_count(0)
    assert upstream.messages == ["Hello", "Hello", "Once more", "Once more"]


def test_try_again_without_a_connection_leaves_the_alert_unchanged(chat, upstream, watch):
    watch.expect(NETWORK_GONE)
    upstream.will_close()
    chat.send("Hello")
    expect(chat.alert).to_be_visible()
    chat.page.clock.install()
    asked: list[str] = []
    chat.page.on("requestfailed", lambda request: asked.append(request.url))
    chat.page.route("**/turns/**", lambda route: route.abort())
    chat.control("resend").click()
    expect(chat.waiting).to_have_count(1)
    chat.write("And a draft")
    for times in range(2, 5):
        wait_for_some(chat.page, asked, times)
        chat.page.wait_for_timeout(100)
        chat.page.clock.run_for(4500)
    expect(chat.alert).to_be_visible()
    expect(chat.waiting).to_have_count(0)
    expect(chat.box).to_have_value("And a draft")
    expect(chat.send_button).to_be_enabled()
    chat.page.unroute("**/turns/**")
    chat.control("resend").click()
    expect(chat.replies).to_have_text(["You said: Hello"])


def test_a_second_tab_that_sends_while_the_first_waits_shows_all_of_the_conversation(chat, visitor, site, upstream):
    answer_now = upstream.will_hold("First")
    upstream.will_reply("Second")
    other = ChatPage.open(visitor, site.url)
    chat.send("One")
    chat.wait_until_asked(upstream)
    other.send("Two")
    while site.ask_database("SELECT count(*) FROM webchat_turn WHERE message = 'Two'") == [(0,)]:
        other.page.wait_for_timeout(20)
    assert upstream.messages == ["One"]
    answer_now.set()
    expect(other.replies).to_have_text(["First", "Second"])
    other.expect_said("One", "Two")
    expect(chat.replies).to_have_text(["First"])
    chat.send("Three")
    expect(chat.replies).to_have_count(3)
    chat.expect_said("One", "Two", "Three")
    assert upstream.messages == ["One", "Two", "Three"]
    assert len({request.chat_id for request in upstream.requests[1:]}) == 1


def wait_in_vain(chat: ChatPage) -> None:
    """Let the page send its message again until it gives up."""
    while not chat.refusal.is_visible():
        chat.page.wait_for_timeout(100)
        chat.page.clock.run_for(1000)
    expect(chat.refusal).to_have_text(NOT_SENT)
    expect(chat.turns).to_have_count(0)
    chat.page.unroute("**/messages")


def test_a_suggested_question_that_never_arrived_does_not_replace_the_draft(chat, watch):
    watch.expect(NETWORK_GONE)
    chat.page.clock.install()
    chat.write("a draft")
    chat.page.route("**/messages", lambda route: route.abort())
    chat.suggestions.first.click()
    wait_in_vain(chat)
    expect(chat.box).to_have_value("a draft")
    chat.suggestions.first.click()
    expect(chat.replies).to_have_count(1)
    expect(chat.suggestions.first).to_be_hidden()
    chat.expect_said(SUGGESTIONS[0])
    expect(chat.box).to_have_value("a draft")


def test_a_message_whose_response_is_lost_gets_its_reply_and_draft_and_focus_stay(chat, upstream, watch):
    watch.expect(NETWORK_GONE)
    answer_now = upstream.will_hold("Here it is")
    held: list[Route] = []
    chat.page.route("**/messages", lambda route: held.append(route), times=1)
    chat.send("Cut off")
    chat.box.press_sequentially("and then")
    wait_for_some(chat.page, held)
    answer_now.set()
    lose_the_answer(held[0])
    expect(chat.replies).to_have_text(["Here it is"])
    expect(chat.refusal).to_have_count(0)
    expect(chat.box).to_have_value("and then")
    chat.expect_focus_in_box()

    chat.ask("The next one")
    chat.page.reload()
    said = ["Cut off", "The next one"]
    chat.expect_said(*said)
    assert upstream.messages == said


def test_a_message_whose_responses_are_all_lost_returns_to_the_box_and_is_not_doubled(chat, upstream, watch):
    watch.expect(NETWORK_GONE)
    chat.page.clock.install()
    chat.page.route("**/messages", lose_the_answer)
    chat.send("Only once")
    wait_in_vain(chat)
    expect(chat.box).to_have_value("Only once")
    chat.box.press("Enter")
    expect(chat.replies).to_have_count(1)
    chat.page.reload()
    chat.expect_said("Only once")
    assert upstream.messages == ["Only once"]


def test_a_message_sent_while_the_site_restarts_arrives_once_and_a_draft_stays(chat, upstream, watch):
    watch.expect("502")
    chat.page.clock.install()
    tries: list[Route] = []
    chat.page.route("**/messages", lambda route: (tries.append(route), route.fulfill(status=502)))  # by a proxy
    chat.send("Meanwhile")
    for times in range(1, 4):
        wait_for_some(chat.page, tries, times)
        chat.page.clock.run_for(2000)
    chat.write("And a draft")
    chat.page.unroute_all()
    expect(chat.replies).to_have_count(1)
    expect(chat.refusal).to_have_count(0)
    expect(chat.box).to_have_value("And a draft")
    assert upstream.messages == ["Meanwhile"]


def test_a_reload_before_a_message_has_arrived_keeps_its_text(chat, upstream):
    chat.page.route("**/messages", lambda route: None)
    chat.send("Not yet")
    chat.box.press_sequentially("and more")
    chat.page.reload()
    expect(chat.turns).to_have_count(0)
    expect(chat.box).to_have_value("Not yet\nand more")
    assert upstream.messages == []
    chat.page.unroute_all(behavior="ignoreErrors")  # releases the held request


def test_a_message_that_arrived_just_before_the_connection_was_lost_is_shown_once(chat, visitor, upstream, watch):
    watch.expect(NETWORK_GONE)
    held: list[Route] = []
    chat.page.route("**/messages", lambda route: held.append(route), times=1)
    chat.send("Into the tunnel")
    wait_for_some(chat.page, held)
    visitor.set_offline(True)
    lose_the_answer(held[0])
    expect(chat.page.locator("[data-offline]")).to_be_visible()
    chat.page.wait_for_timeout(300)
    chat.expect_said("Into the tunnel")
    expect(chat.refusal).to_have_count(0)
    visitor.set_offline(False)
    expect(chat.replies).to_have_text(["You said: Into the tunnel"])
    chat.page.reload()
    chat.expect_said("Into the tunnel")
    assert upstream.messages == ["Into the tunnel"]


def lose(chat: ChatPage) -> None:
    """Crash the tab: a tab being closed goes online for a moment and may still send."""
    with chat.page.expect_event("crash"), contextlib.suppress(Error):
        chat.page.goto("chrome://crash")
    chat.page.close()


def test_a_message_waiting_for_the_connection_can_be_taken_back_and_another_sent(chat, visitor, upstream, watch):
    watch.expect(NETWORK_GONE)
    visitor.set_offline(True)
    expect(chat.page.locator("[data-offline]")).to_be_visible()
    chat.send("Into the tunnel")
    chat.stop_button.click()
    expect(chat.box).to_have_value("Into the tunnel")
    assert chat.page.evaluate("localStorage.length") == 0
    chat.send("After all")
    wait_until(chat.page, "localStorage.length > 0")
    visitor.set_offline(False)
    expect(chat.replies).to_have_text(["You said: After all"])
    assert upstream.messages == ["After all"]


def send_offline_and_lose(chat: ChatPage, text: str, *, before_the_crash: str = "null") -> None:
    chat.page.context.set_offline(True)
    chat.send(text)
    wait_until(chat.page, "localStorage.length > 0")
    chat.page.evaluate(before_the_crash)
    lose(chat)


def test_a_message_sent_offline_survives_its_tab_and_arrives_once(chat, visitor, site, upstream, watch):
    watch.expect(NETWORK_GONE)
    chat.ask("Before")
    send_offline_and_lose(chat, "Into the tunnel")
    visitor.set_offline(False)
    chat = ChatPage.open(visitor, site.url)
    chat.expect_said("Before", "Into the tunnel")
    expect(chat.replies).to_have_count(2)
    other = ChatPage.open(visitor, site.url)
    other.expect_said("Before", "Into the tunnel")
    assert other.page.evaluate("localStorage.length") == 0
    assert upstream.messages == ["Before", "Into the tunnel"]


def test_an_unsent_message_of_days_ago_returns_to_the_box(chat, visitor, site, upstream, watch):
    watch.expect(NETWORK_GONE)
    aged = "localStorage[name] = localStorage[name].replace(/[0-9]{13}/, 0)"
    ages = f"for (const name of Object.keys(localStorage)) {aged}"
    send_offline_and_lose(chat, "Are you open today?", before_the_crash=ages)
    visitor.set_offline(False)
    chat = ChatPage.open(visitor, site.url)
    expect(chat.box).to_have_value("Are you open today?")
    expect(chat.turns).to_have_count(0)
    assert upstream.messages == []


def test_an_unsent_message_is_not_kept_for_the_next_visitor_of_the_browser(chat, visitor, site, upstream, watch):
    watch.expect(NETWORK_GONE)
    chat.ask("Before")
    send_offline_and_lose(chat, "Into the tunnel")
    visitor.clear_cookies()  # as when the session has ended
    visitor.set_offline(False)
    chat = ChatPage.open(visitor, site.url)
    expect(chat.box).to_have_value("")
    assert chat.page.evaluate("localStorage.length") == 0
    assert upstream.messages == ["Before"]


PAGE = "<html><body><h1>Please log in to the Wi-Fi</h1><script>alert(1)</script></body></html>"
STATUSES = [200, 302, 403, 404, 502]


def answer_for_the_site(route: Route, status: int = 200) -> None:
    headers = {"Location": "/"} if status == 302 else {}
    route.fulfill(status=status, body=PAGE, content_type="text/html", headers=headers)


def test_a_proxys_response_to_a_message_is_not_mistaken_for_the_sites(chat, upstream, watch):
    """The message is sent once more."""
    watch.expect(r"502|net::ERR_")
    for count, status in enumerate(STATUSES, 1):
        chat.page.route("**/messages", partial(answer_for_the_site, status=status), times=1)
        chat.ask("Hello")
        expect(chat.refusal).to_have_count(0)
        expect(chat.box).to_have_value("")
        assert "Wi-Fi" not in chat.page.content()
        assert len(upstream.requests) == count


def test_a_proxys_response_instead_of_the_reply_is_ignored(chat, upstream, watch):
    foreign: list[Route] = []
    answer_now = upstream.will_hold("Here it is")
    chat.page.clock.install()
    chat.send("Hello")
    chat.wait_until_asked(upstream)
    chat.page.route("**/reply", lambda route: (foreign.append(route), answer_for_the_site(route)), times=1)
    chat.page.reload()
    wait_for_some(chat.page, foreign)
    answer_now.set()
    chat.page.clock.run_for(500)
    expect(chat.waiting).to_have_count(1)
    assert len(foreign) == 1
    assert "Wi-Fi" not in chat.page.content()
    chat.page.clock.run_for(4000)
    expect(chat.replies).to_have_text(["Here it is"])


def test_the_back_button_shows_the_whole_conversation(chat, site, upstream):
    chat.ask("One")
    chat.page.goto(f"{site.url}/chat/switched/")
    expect(chat.turns).to_have_count(0)
    chat.page.go_back()
    expect(chat.replies).to_have_text(["You said: One"])
    chat.ask("Two")
    chat.expect_said("One", "Two")
    assert upstream.messages == ["One", "Two"]
