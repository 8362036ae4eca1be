"""Every reason for a missing reply, as the visitor reads it, with its controls."""

import re
import time
from collections.abc import Callable
from typing import NamedTuple

from playwright.sync_api import expect

from tests.browser.site import CONTACT
from tests.webchat.upstream_server import UpstreamServer

RETRY, RESEND, NEW, CONTACT_US = "Try again", "Send again", "New conversation", "Contact us"
CANT_NOW = "The bot can’t answer right now. Your message is kept."
NOT_AVAILABLE = "This chat isn’t available at the moment."
NOT_HEARD = "We didn’t hear back from the bot. It may have got your message: if you send it again, it may get it twice."
UPSTREAM_PAGE = "<html><h1>Upstream's own words</h1></html>"


class Case(NamedTuple):
    name: str
    arrange: Callable[[UpstreamServer], object]
    reads: str
    controls: list[str]


def refusal(code: str, reads: str, *controls: str, times: int = 1) -> Case:
    return Case(code, lambda upstream: upstream.will_refuse(code, times=times), reads, list(controls))


# One of each kind: tests/webchat/test_failure_rules.py has every code and answer, with sentence and controls.
ALERTS = [
    refusal("MESSAGE_REQUIRED", "The bot found no text in this message. Try rephrasing it."),
    refusal("CHAT_NOT_FOUND", "The earlier conversation has ended. Start a new one.", NEW, CONTACT_US),
    refusal("BOT_UNAVAILABLE", CANT_NOW, RETRY, times=3),
    refusal("BOT_DISABLED", "This chat is offline.", CONTACT_US),
    refusal("QUOTA_EXCEEDED", "The bot couldn’t answer this message. QUOTA_EXCEEDED", CONTACT_US),
    Case("an error page", lambda u: u.will_answer(404, UPSTREAM_PAGE), NOT_AVAILABLE, [CONTACT_US]),
    Case("a page instead of an answer", lambda u: u.will_answer(200, UPSTREAM_PAGE), NOT_HEARD, [RESEND]),
    Case("unreachable", lambda u: u.close(), CANT_NOW, [RETRY]),
]


def test_the_visitor_reads_what_is_known_and_what_can_be_done(chat, upstream):
    for number, case in enumerate(ALERTS, start=1):
        case.arrange(upstream)
        chat.send(case.name)
        expect(chat.alert).to_have_count(number)
        alert = chat.alert.last
        expect(alert).to_have_attribute("role", "alert")
        expect(alert.locator("p").first, case.name).to_have_text(case.reads.removesuffix(" QUOTA_EXCEEDED"))
        expect(alert.locator("code")).to_have_text(["QUOTA_EXCEEDED"] if "QUOTA" in case.reads else [])
        expect(alert.locator(".controls").locator("a, button"), case.name).to_have_text(case.controls)
        chat.expect_said(*[each.name for each in ALERTS[:number]])
        expect(chat.box).to_be_editable()
        chat.expect_focus_in_box()
    assert "Upstream" not in chat.page.content()
    for contact in chat.control("contact").all():
        assert contact.get_attribute("href") == f"mailto:{CONTACT}"


def test_try_again_gets_the_reply_and_the_contact_comes_after_two_failures(chat, upstream):
    upstream.will_answer(500, times=2).will_reply("Now I can")
    chat.send("Please")
    expect(chat.control("retry")).to_be_visible()
    expect(chat.control("contact")).to_have_count(0)
    chat.control("retry").click()
    expect(chat.control("contact")).to_be_visible()
    chat.control("retry").dblclick()
    expect(chat.replies).to_have_text(["Now I can"])
    expect(chat.turns).to_have_count(1)
    assert [request.message for request in upstream.requests] == ["Please"] * 3


def test_too_many_messages_are_counted_down_and_the_text_is_kept(chat, site, upstream):
    chat.page.clock.install()
    chat.ask("One")
    chat.ask("Two")
    if (left := 60 - time.time() % 60) < 4:
        chat.page.wait_for_timeout(left * 1000)  # of the next minute there is enough to count down
    next_minute = int(time.time()) // 60 + 1  # which counts for this one as well
    spent = f'used = 1000, "window" = {next_minute}'
    site.ask_database(f"UPDATE webchat_allowance SET {spent} WHERE name LIKE 'messages:%'")
    chat.send("Three")
    expect(chat.refusal).to_contain_text("You’ve sent a lot of messages. You can send this one in")
    expect(chat.box).to_have_value("Three")
    expect(chat.send_button).to_be_disabled()
    chat.page.clock.run_for(1000)
    expect(chat.refusal).to_have_text(re.compile(r"You can send this one in \d+ s\."))
    chat.write("Changed meanwhile")
    chat.page.clock.run_for(60_000)
    expect(chat.refusal).to_have_count(0)
    expect(chat.send_button).to_be_enabled()
    expect(chat.box).to_have_value("Changed meanwhile")
    assert len(upstream.requests) == 2


def test_a_wait_is_counted_down_or_names_the_time_on_the_visitors_clock_and_ends_by_itself(chat, upstream):
    upstream.will_refuse("RATE_LIMITED", status=429, retry_after=300)
    chat.page.clock.install()
    chat.send("Now?")
    expect(chat.alert).to_contain_text("The bot is very busy right now. Your message is kept. Try again in 5 minutes.")
    chat.page.clock.run_for(100 * 1000)
    expect(chat.alert).to_contain_text("Try again in 4 minutes.")
    chat.page.clock.run_for(150 * 1000)
    expect(chat.alert).to_contain_text(re.compile(r"Try again in [45]\d s\."))
    chat.page.clock.run_for(60 * 1000)
    expect(chat.alert).not_to_contain_text("Wait")
    expect(chat.control("retry")).to_be_visible()

    alert, retry = chat.alert.last, chat.control("retry").last
    upstream.will_refuse("RATE_LIMITED", status=429, retry_after=2 * 3600)
    chat.send("And now?")
    expect(alert).to_contain_text(re.compile(r"Your message is kept\.\s+Try again (on \w+ \d+ )?at \d+:\d\d [AP]M\."))
    assert "UTC" not in alert.inner_text()
    expect(retry).to_be_hidden()
    chat.page.clock.run_for(2 * 3600 * 1000)
    expect(alert.locator("time")).to_have_count(0)
    expect(retry).to_be_visible()
