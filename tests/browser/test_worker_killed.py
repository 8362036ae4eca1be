"""A worker dies while it waits for a reply: the visitor is told what isn't known, and decides."""

import threading

from playwright.sync_api import expect

from tests.browser.chat_page import ChatPage
from tests.browser.site import Site
from tests.browser.watch import Watch
from tests.webchat.upstream_server import UpstreamServer


def test_a_message_whose_worker_died_is_not_sent_twice_unless_the_visitor_wants_it(
    chat: ChatPage, site: Site, upstream: UpstreamServer, watch: Watch
) -> None:
    watch.expect(r"net::ERR_|htmx:(sendError|afterRequest)")
    never = threading.Event()
    upstream.will_reply("Too late", once=never).will_reply("Here I am")
    chat.send("Did it arrive?")
    chat.wait_until_asked(upstream)
    site.kill_workers()
    chat.page.wait_for_timeout(500)
    chat.expect_said("Did it arrive?")
    expect(chat.waiting).to_have_count(1)

    site.ask_database("UPDATE webchat_turn SET asked_at = '2026-01-01 00:00:00' WHERE state = 'asking'")  # long ago
    expect(chat.alert).to_contain_text(
        "We didn’t hear back from the bot. Your message may have arrived", timeout=20_000
    )
    expect(chat.alert).to_have_attribute("data-code", "WORKER_LOST")
    assert len(upstream.requests) == 1

    chat.control("resend").click()
    expect(chat.replies).to_have_text(["Here I am"])
    chat.expect_said("Did it arrive?")
    chat.page.reload()
    chat.expect_said("Did it arrive?")
    assert [request.message for request in upstream.requests] == ["Did it arrive?"] * 2
