"""From one visitor to the next: attract screen, chat, idle warning, and no trace of the last visit."""

from playwright.sync_api import expect

from tests.browser.kiosk_screen import IDLE, WARNING, KioskScreen
from tests.browser.waiting import wait_until

OPEN = "FROM webchat_conversation WHERE surface = 'kiosk' AND ended_at IS NULL"
RECORD_TONES = """() => {
  window.tones = [];
  const make = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function () {
    window.tones.push(performance.now());
    return make.call(this);
  };
}"""


def test_a_touch_starts_a_visit_which_is_erased_after_a_countdown_if_nobody_is_there(kiosk):
    kiosk.page.evaluate(RECORD_TONES)
    kiosk.page.touchscreen.tap(12, 950)  # anywhere
    kiosk.expect("visit")
    expect(kiosk.chat.box).to_be_focused()
    expect(kiosk.page.get_by_role("heading", name="Ask me anything")).to_be_hidden()
    kiosk.chat.ask("My secret")
    kiosk.chat.write("More of it")
    kiosk.pass_time(IDLE - 3)
    kiosk.expect("visit")
    kiosk.pass_time(4)
    kiosk.expect("warning")
    assert WARNING - 2 <= int(kiosk.count.inner_text()) <= WARNING
    expect(kiosk.page.get_by_role("alertdialog", name="Are you still here?")).to_be_visible()
    expect(kiosk.page.get_by_role("button", name="I’m still here")).to_be_focused()
    assert len(kiosk.page.evaluate("window.tones")) == 2  # one chime is two tones
    kiosk.pass_time(11)
    expect(kiosk.page.locator("[data-count-said]")).to_have_text("10 seconds left")
    kiosk.pass_time(WARNING - 14)
    kiosk.expect("warning")
    kiosk.pass_time(4)
    kiosk.expect("attract")
    kiosk.wait_for_visit()
    assert "secret" not in kiosk.everything()
    assert "More of it" not in kiosk.everything()


def say_something(kiosk: KioskScreen) -> None:
    kiosk.chat.box.press("a")


def touch_it(kiosk: KioskScreen) -> None:
    kiosk.page.touchscreen.tap(270, 450)


def scroll_it(kiosk: KioskScreen) -> None:
    kiosk.page.mouse.move(270, 450)
    kiosk.page.mouse.wheel(0, 40)
    wait_until(kiosk.page, "window.scrolled")
    kiosk.page.wait_for_timeout(500)  # late wheel events count as activity, too


SIGNS_AND_ANSWERS = (
    (say_something, lambda kiosk: kiosk.page.get_by_role("button", name="I’m still here").click()),
    (touch_it, lambda kiosk: kiosk.page.touchscreen.tap(3, 3)),
    (scroll_it, lambda kiosk: kiosk.page.mouse.click(530, 950)),
)


def test_activity_restarts_the_idle_timer_and_i_am_still_here_continues_the_visit(kiosk):
    kiosk.begin()
    kiosk.page.evaluate(
        "document.querySelector('iframe').contentWindow.addEventListener('wheel', () => window.scrolled = true)"
    )
    kiosk.chat.ask("Hello")
    kiosk.chat.write("And what about ")
    for sign, answer in SIGNS_AND_ANSWERS:
        kiosk.pass_time(IDLE - 5)
        kiosk.expect("visit")
        sign(kiosk)
        kiosk.chat.box.focus()
        kiosk.pass_time(IDLE - 5)
        kiosk.expect("visit")
        kiosk.pass_time(WARNING)
        kiosk.expect("warning")
        answer(kiosk)
        kiosk.expect("visit")
        kiosk.chat.expect_said("Hello")
        expect(kiosk.chat.box).to_have_value("And what about a")
        expect(kiosk.chat.box).to_be_focused()


def test_the_idle_timer_waits_while_a_person_is_typing(kiosk, site, upstream):
    kiosk.begin()
    kiosk.chat.ask("Hello")
    led = "led_by = 'person', team_member_id = 1, team_typing_at = '2099-01-02 03:04:05'"
    changed = f"changes = changes + 1 WHERE id = (SELECT id {OPEN})"
    site.ask_database(f"UPDATE webchat_conversation SET {led}, {changed}")
    kiosk.chat.send("Is anybody there?")
    expect(kiosk.frame.locator("[data-typing]")).to_be_attached()
    kiosk.pass_time(IDLE + WARNING + 10)
    kiosk.expect("visit")
    site.ask_database(f"UPDATE webchat_conversation SET team_typing_at = NULL, {changed}")
    kiosk.run_clock()
    expect(kiosk.frame.locator("[data-typing]")).to_have_count(0)
    kiosk.pass_time(IDLE - 5)
    kiosk.expect("visit")
    kiosk.pass_time(6)
    kiosk.expect("warning")


def test_the_idle_timer_waits_for_a_reply_and_finish_erases_everything_at_once(kiosk, site, upstream):
    answer_now = upstream.will_hold("At nine.")
    kiosk.begin()
    kiosk.chat.send("My secret")
    kiosk.chat.wait_until_asked(upstream)
    kiosk.pass_time(IDLE + WARNING + 10)
    kiosk.expect("visit")
    answer_now.set()
    kiosk.run_clock()
    expect(kiosk.chat.replies).to_have_text(["At nine."])
    kiosk.pass_time(IDLE - 5)
    kiosk.expect("visit")  # the reply takes time to read
    kiosk.pass_time(6)
    kiosk.expect("warning")
    kiosk.page.keyboard.press("Tab")
    kiosk.expect("visit")
    [(chat_id,)] = site.ask_database(f"SELECT chat_id {OPEN}")
    assert chat_id
    [(sessions,)] = site.ask_database("SELECT count(*) FROM django_session")

    kiosk.finish.click()
    kiosk.expect("attract")
    kiosk.wait_for_visit()

    assert "secret" not in kiosk.everything()
    assert site.ask_database("SELECT DISTINCT chat_id FROM webchat_conversation WHERE surface = 'kiosk'") == [("",)]
    assert site.ask_database(f"SELECT 1 {OPEN}") == []
    assert site.ask_database("SELECT count(*) FROM django_session") == [(sessions - 1,)]
