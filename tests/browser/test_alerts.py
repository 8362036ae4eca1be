"""Waits that the visitor reads in an alert: counted down, and over by themselves."""

import re
import time

from playwright.sync_api import expect


def test_after_too_many_messages_the_wait_is_counted_down_and_the_text_kept(chat, site, upstream):
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


def test_a_wait_is_counted_down_or_given_as_the_visitors_local_time_and_ends_by_itself(chat, upstream):
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
