"""A worker dies while it waits for a reply: the visitor is told what isn't known, and decides."""

import threading

from playwright.sync_api import BrowserContext, expect

from tests.browser.chat_page import ChatPage
from tests.browser.site import Site
from tests.browser.watch import Watch
from tests.webchat.upstream_server import UpstreamServer


def test_a_message_whose_worker_died_is_not_sent_twice_unless_the_visitor_wants_it(
    visitor: BrowserContext, hasty_site: Site, upstream: UpstreamServer, watch: Watch
) -> None:
    watch.also_at(hasty_site.url)
    watch.expect(r"net::ERR_|htmx:(sendError|afterRequest)")
    never = threading.Event()
    upstream.will_reply("Too late", once=never).will_reply("Here I am")
    chat = ChatPage.open(visitor, hasty_site.url)
    chat.send("Did it arrive?")
    upstream.wait_for_requests(1)
    hasty_site.kill_workers()
    chat.page.wait_for_timeout(500)
    chat.expect_said("Did it arrive?")
    expect(chat.waiting).to_have_count(1)

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
