"""An unattended screen recovers by itself when network, server, script or display fail."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.browser.kiosk_screen import IDLE, TOKEN, WARNING, KioskScreen, enrolled
from tests.browser.site import SUGGESTIONS, Site
from tests.browser.waiting import wait_until
from tests.webchat.upstream_server import UpstreamServer
from webchat.encryption import hash_of

HEARTBEAT = 10  # seconds
# Silence everything by which the screen's script reports to its watchdog.
STOPPED = "window.old = true; Object.defineProperty(window, 'beat', { get: () => 'the last', set() {} })"
NEW = "!window.old && document.documentElement.dataset.activeScreen === 'attract'"
WAKE_LOCKS = """
window.locks = [];
Object.defineProperty(navigator, "wakeLock", { value: { request: async (kind) => {
  const lock = { kind, released: false };
  window.locks.push(lock);
  return lock;
} } });
"""


@pytest.fixture
def context(browser: Browser, site: Site, upstream: UpstreamServer) -> Iterator[BrowserContext]:
    """A kiosk whose console errors are allowed, as long as it recovers."""
    context = enrolled(browser, site)
    yield context
    context.close()
    site.ask_database("UPDATE kiosk_device SET paused = false")
    suggestions = "\n".join(SUGGESTIONS)
    site.ask_database(f"UPDATE webchat_bot SET suggestions = '{suggestions}' WHERE id = 1")


@pytest.fixture
def screen(context: BrowserContext, site: Site) -> KioskScreen:
    return KioskScreen.open(context, site)


def test_a_network_outage_interrupts_only_visits_that_end_during_it(screen, context):
    screen.page.route("**/pulse", lambda route: route.fulfill(status=200, body="<h1>Log in to the Wi-Fi</h1>"))
    screen.pass_time(HEARTBEAT + 4)
    screen.pass_time(HEARTBEAT + 4)
    screen.expect("away")  # a proxy's answer counts as none
    screen.page.unroute("**/pulse")
    screen.pass_time(4)
    screen.expect("attract")

    screen.run_clock()
    screen.begin()
    screen.chat.ask("My secret")
    screen.chat.write("And what about")
    context.set_offline(True)
    screen.expect("away")
    expect(screen.page.get_by_role("heading", name="Back in a moment")).to_be_visible()
    screen.pass_time(HEARTBEAT)
    context.set_offline(False)
    screen.expect("visit")
    screen.chat.expect_said("My secret")
    expect(screen.chat.box).to_have_value("And what about")
    screen.run_clock()
    screen.chat.ask("Are you there?")

    context.set_offline(True)
    screen.pass_time(IDLE + WARNING + 2)
    screen.expect("away")
    assert "secret" not in screen.everything()
    context.set_offline(False)
    screen.pass_time(5)
    screen.expect("attract")
    screen.wait_for_visit()
    screen.begin()
    screen.chat.expect_said()


def test_a_screen_recovers_if_the_server_is_down_at_finish_or_a_script_is_missing(screen, context, site):
    screen.begin()
    screen.chat.ask("My secret")
    site.go_down()
    screen.finish.click()
    assert "secret" not in screen.everything()
    screen.expect("away")
    site.come_back()
    screen.pass_time(5)
    screen.expect("attract")
    screen.wait_for_visit()
    assert site.ask_database("SELECT 1 FROM webchat_conversation WHERE surface = 'kiosk' AND ended_at IS NULL") == []

    broken = re.compile(r"/htmx[\w.-]+\.js$")
    context.route(broken, lambda route: route.abort())
    screen.begin()
    screen.finish.click()
    screen.expect("away")
    context.unroute(broken)
    screen.pass_time(5)
    screen.expect("attract")
    screen.wait_for_visit()


def test_a_new_version_waits_for_an_idle_screen_but_a_pause_takes_effect_at_once(screen, site):
    screen.page.evaluate("window.old = true")
    site.ask_database("UPDATE webchat_bot SET suggestions = 'What is new?' WHERE id = 1")
    screen.pass_time(HEARTBEAT)
    expect(screen.page.locator(".attract .chip")).to_have_text(["What is new?"])
    assert not screen.page.evaluate("window.old")

    screen.page.evaluate("window.old = true")
    screen.wait_for_visit()
    screen.begin()
    screen.chat.ask("Hello")
    site.ask_database("UPDATE kiosk_device SET reloads = reloads + 1")
    screen.pass_time(2 * HEARTBEAT)
    screen.expect("visit")
    assert screen.page.evaluate("window.old")
    screen.finish.click()
    wait_until(screen.page, NEW)
    screen.wait_for_visit()

    screen.begin()
    screen.chat.ask("My secret")
    site.ask_database("UPDATE kiosk_device SET paused = true")
    screen.pass_time(HEARTBEAT)
    screen.expect("paused")
    expect(screen.page.get_by_role("heading", name="Taking a break")).to_be_visible()
    assert "secret" not in screen.everything()
    site.ask_database("UPDATE kiosk_device SET paused = false")
    screen.pass_time(HEARTBEAT)
    screen.expect("attract")
    screen.wait_for_visit()


def test_a_dismissed_kiosk_says_so_when_a_message_is_sent_and_is_enrolled_again_by_a_code(screen, site):
    screen.run_clock()
    screen.begin()
    screen.chat.ask("My secret")
    site.ask_database("UPDATE kiosk_device SET token_hash = NULL, visit = visit + 1 WHERE id = 1")
    screen.pass_time(2)  # stops the clock, so that no heartbeat comes
    screen.chat.send("And what about")
    expect(screen.page.get_by_role("heading", name="The chat on this screen has ended")).to_be_visible()
    assert "secret" not in screen.everything()
    code = f"code_hash = '{hash_of('ABCD2345')}', code_until = '2099-01-02 03:04:05+00:00'"
    site.ask_database(f"UPDATE kiosk_device SET {code} WHERE id = 1")
    screen.page.get_by_label("Code").fill("ABCD 2345")
    screen.page.get_by_role("button", name="Make this a kiosk").click()
    screen.expect("attract")
    site.ask_database(f"UPDATE kiosk_device SET token_hash = '{hash_of(TOKEN)}' WHERE id = 1")


def test_a_script_that_never_starts_is_reloaded_and_the_display_stays_awake(context, site):
    context.add_init_script(WAKE_LOCKS)
    broken = re.compile(r"/kiosk/screen\.\w+\.js$")
    context.route(broken, lambda route: route.fulfill(body="throw new Error('broken')", content_type="text/javascript"))
    screen = KioskScreen.switch_on(context, site)
    screen.pass_time(10)
    assert screen.active_screen is None
    context.unroute(broken)
    screen.pass_time(30)
    screen.expect("attract")
    screen.wait_for_visit()

    assert screen.page.evaluate("locks.map((each) => each.kind)") == ["screen"]
    screen.page.evaluate("locks[0].released = true")  # browsers do so when the page is hidden
    screen.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    wait_until(screen.page, "locks.length === 2")
    screen.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert screen.page.evaluate("locks.length") == 2


def test_a_script_that_stops_is_reloaded_as_soon_as_there_is_a_connection(screen, context):
    screen.begin()
    screen.chat.ask("My secret")
    screen.page.evaluate(STOPPED)
    screen.pass_time(40)
    wait_until(screen.page, NEW)
    screen.wait_for_visit()
    assert "secret" not in screen.everything()

    screen.page.evaluate(STOPPED)
    context.set_offline(True)
    screen.pass_time(60)
    assert screen.page.evaluate("window.old")  # it isn't exchanged for the browser's own page
    context.set_offline(False)
    screen.pass_time(10)
    wait_until(screen.page, NEW)


def test_hours_of_visits_leak_no_memory(screen, context):
    """An hour on the attract screen and a visit, five times."""
    devtools = context.new_cdp_session(screen.page)
    devtools.send("Performance.enable")

    def in_use() -> dict[str, float]:
        devtools.send("HeapProfiler.collectGarbage")
        metrics = {each["name"]: each["value"] for each in devtools.send("Performance.getMetrics")["metrics"]}
        return {name: metrics[name] for name in ("JSHeapUsedSize", "Nodes", "JSEventListeners", "Documents", "Frames")}

    for hour in range(5):
        used = in_use()  # exercise it once, so that the first measurement isn't too low
        if hour == 2:  # one-time allocations are done
            early = used
        screen.page.clock.fast_forward(60 * 60 * 1000)
        screen.pass_time(HEARTBEAT)
        screen.begin()
        screen.chat.ask("Hello")
        screen.page.clock.run_for(1000)  # the page scrolls to the reply
        screen.page.wait_for_timeout(300)  # activity, reported by the browser with its next real frame
        screen.page.clock.fast_forward(IDLE * 1000)
        screen.expect("warning")
        screen.page.clock.fast_forward(WARNING * 1000)
        screen.expect("attract")
        screen.wait_for_visit()
    late = in_use()
    assert late["JSHeapUsedSize"] < early["JSHeapUsedSize"] * 1.1
    assert late["Nodes"] < early["Nodes"] * 1.1
    assert late["JSEventListeners"] < early["JSEventListeners"] * 1.1
    assert (late["Documents"], late["Frames"]) <= (early["Documents"] + 1, early["Frames"])
