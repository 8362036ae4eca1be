"""A proxy may answer in the site's place: none of its response gets into the page."""

from collections.abc import Callable

from playwright.sync_api import Route, expect

from tests.browser.waiting import wait_for_some

PAGE = "<html><body><h1>Please log in to the Wi-Fi</h1><script>alert(1)</script></body></html>"
STATUSES = [200, 302, 403, 404, 502]


def answers(status: int) -> dict[str, object]:
    headers = {"Location": "/"} if status == 302 else {}
    return {"status": status, "body": PAGE, "content_type": "text/html", "headers": headers}


def foreign(status: int) -> Callable[[Route], None]:
    return lambda route: route.fulfill(**answers(status))


def test_a_proxys_response_to_a_message_is_not_mistaken_for_the_sites(chat, upstream, watch):
    """The message is sent once more."""
    watch.expect(r"502|net::ERR_")
    for count, status in enumerate(STATUSES, 1):
        chat.page.route("**/messages", foreign(status), times=1)
        chat.ask("Hello")
        expect(chat.refusal).to_have_count(0)
        expect(chat.box).to_have_value("")
        assert "Wi-Fi" not in chat.page.content()
        assert len(upstream.requests) == count


def test_a_proxys_response_instead_of_the_reply_is_ignored(chat, upstream, watch):
    foreign: list[Route] = []

    def answer(route: Route) -> None:
        foreign.append(route)
        route.fulfill(**answers(200))

    answer_now = upstream.will_hold("Here it is")
    chat.page.clock.install()
    chat.send("Hello")
    chat.wait_until_asked(upstream)
    chat.page.route("**/reply", answer, times=1)
    chat.page.reload()
    wait_for_some(chat.page, foreign)
    answer_now.set()
    chat.page.clock.run_for(500)
    expect(chat.waiting).to_have_count(1)
    assert len(foreign) == 1
    assert "Wi-Fi" not in chat.page.content()
    chat.page.clock.run_for(4000)
    expect(chat.replies).to_have_text(["Here it is"])
