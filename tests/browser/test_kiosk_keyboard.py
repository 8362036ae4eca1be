"""The on-screen keyboard types what its keys show, in each language, and keeps focus and caret."""

import json

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.axe import complaints, load_axe
from tests.browser.kiosk_screen import PORTRAIT, KioskScreen
from tests.browser.site import ROOT
from tests.browser.states import RICH
from tests.browser.test_accessibility_layout import SHIFTS
from tests.browser.waiting import wait_for_rest, wait_until

LAYOUTS = {path.stem: json.loads(path.read_text()) for path in (ROOT / "static/kiosk/keyboards").glob("*.json")}
LEAST = 44  # px, for a touch target
LABEL_IS_SEEN = """(([label], { x, y } = label.getBoundingClientRect()) =>
  label === document.elementFromPoint(x + 1, y + 9))(document.activeElement.labels)"""


class Keyboard:
    def __init__(self, kiosk: KioskScreen) -> None:
        self.kiosk = kiosk
        self.board = kiosk.frame.locator("[data-keyboard]")
        self.box = kiosk.chat.box
        self.accents = kiosk.frame.locator("[data-accent]")

    def key(self, text: str) -> Locator:
        return self.board.locator(f'.row-of-keys [data-text="{text}"]')

    def own(self, does: str) -> Locator:
        return self.board.locator(f'.row-of-keys [data-does="{does}"]')

    def type(self, text: str) -> None:
        for character in text:
            self.key(character).tap()

    def speak(self, language: str) -> None:
        self.own("languages").tap()
        self.board.locator(f".language[lang={language}]").tap()
        if "rows" in LAYOUTS[language]:  # Chinese has none
            first = LAYOUTS[language]["rows"][1].split(" ")[0]
            expect(self.board.locator(f'.key[lang={language}][data-text="{first}"]')).to_be_visible()

    def hold(self, key: Locator, seconds: float = 0.5) -> None:
        """Press the key and hold it."""
        key.hover()
        self.kiosk.page.mouse.down()
        self.kiosk.page.clock.run_for(int(seconds * 1000))


@pytest.fixture
def keyboard(kiosk: KioskScreen) -> Keyboard:
    kiosk.begin()
    keyboard = Keyboard(kiosk)
    expect(keyboard.own("send")).to_be_visible()
    kiosk.pass_time(1)  # stop the clock, so that only the test makes a press long
    return keyboard


def test_a_message_is_typed_and_the_keyboard_makes_room_for_the_reply(keyboard, kiosk, upstream):
    expect(keyboard.box).to_have_attribute("inputmode", "none")  # the system's keyboard stays away
    switch = kiosk.frame.get_by_role("button", name="Keyboard", exact=True)
    expect(switch).to_have_attribute("aria-expanded", "true")
    switch.tap()
    expect(keyboard.board).to_be_hidden()
    assert keyboard.box.get_attribute("inputmode") is None
    expect(keyboard.box).to_be_focused()
    switch.tap()
    keyboard.type("hello")
    expect(keyboard.box).to_have_value("hello")
    expect(keyboard.box).to_be_focused()

    kiosk.run_clock()
    keyboard.own("send").tap()
    expect(keyboard.board).to_be_hidden()
    expect(kiosk.chat.replies).to_have_text(["You said: hello"])
    expect(keyboard.box).to_have_value("")
    expect(keyboard.box).to_be_focused()
    keyboard.box.tap()
    expect(keyboard.board).to_be_visible()

    kiosk.frame.locator(".thumb.down").tap()
    field = kiosk.frame.locator(".why textarea")
    field.tap()
    keyboard.type("no")
    expect(field).to_have_value("no")
    expect(keyboard.box).to_have_value("")
    keyboard.own("send").tap()
    expect(kiosk.frame.locator(".why")).to_contain_text("Thank you for telling us.")


def test_nothing_jumps_and_the_form_for_a_person_is_typed_in_view(new_kiosk, upstream):
    small = {"width": 800, "height": 480}
    kiosk = new_kiosk("people", "token-of-the-kiosk-with-a-note", SHIFTS, viewport=small)
    kiosk.begin()
    keyboard = Keyboard(kiosk)
    for text, reply, delay in (("a", "Yes.", 0), ("b", RICH, 0.7), ("c", "Yes.", 0.7)):
        upstream.will_reply(reply, delay=delay)
        keyboard.box.tap()
        keyboard.type(text)
        expect(keyboard.box).to_have_value(text)
        keyboard.own("send").tap()
        expect(kiosk.frame.locator("[data-turn][data-state=answered]").last).to_contain_text(text)
        wait_for_rest(kiosk.page.frames[1])
        expect(keyboard.board).to_be_hidden()
    assert kiosk.page.frames[1].evaluate("shifts") == []
    kiosk.finish.tap()
    kiosk.expect("attract")
    kiosk.wait_for_visit()
    kiosk.begin()
    kiosk.frame.locator(".top .to-person").get_by_role("button").tap()
    for name, text in (("email", "jo"), ("message", "hello")):
        field = kiosk.frame.locator(f"#handover-{name}")
        field.tap()
        expect(field).to_be_focused()
        expect(keyboard.board).to_be_visible()
        wait_until(kiosk.page.frames[1], LABEL_IS_SEEN)
        keyboard.type(text)
        expect(field).to_have_value(text)
        expect(keyboard.own("send")).to_be_in_viewport(ratio=1)
    expect(kiosk.frame.locator("#message")).to_have_value("")


def the_keyboard_is_one_tab_stop_and_arrows_lead_from_key_to_key(keyboard):
    keyboard.key("1").focus()
    for press, expected in [("ArrowDown", "q"), ("ArrowRight", "w"), ("End", "p"), ("ArrowUp", "0"), ("Home", "1")]:
        keyboard.kiosk.page.keyboard.press(press)
        expect(keyboard.key(expected)).to_be_focused()
    keyboard.kiosk.page.keyboard.press("Enter")
    expect(keyboard.box).to_have_value("1")
    expect(keyboard.key("1")).to_be_focused()
    assert keyboard.board.locator(".row-of-keys [tabindex='0']").count() == 1


def shift_is_for_one_letter_and_pressed_twice_for_all(keyboard):
    shift = keyboard.own("shift")
    shift.tap()
    expect(shift).to_have_attribute("aria-pressed", "true")
    keyboard.type("Ab")
    keyboard.kiosk.page.clock.run_for(1000)
    shift.tap()
    shift.tap()
    keyboard.type("CD")
    shift.tap()
    keyboard.type("e")
    expect(keyboard.box).to_have_value("AbCDe")


def a_letter_goes_in_where_the_caret_is_and_comes_out_before_it(keyboard):
    keyboard.type("held")
    keyboard.own("left").tap()
    keyboard.type("lo")
    expect(keyboard.box).to_have_value("hellod")
    keyboard.own("right").tap()
    keyboard.own("backspace").tap()
    expect(keyboard.box).to_have_value("hello")


def backspace_goes_on_while_it_is_held_and_takes_an_emoji_whole(keyboard):
    keyboard.box.fill("a👩‍👩‍👧")
    keyboard.own("backspace").tap()
    expect(keyboard.box).to_have_value("a")
    keyboard.box.fill("a long word")
    keyboard.hold(keyboard.own("backspace"), 3)
    keyboard.kiosk.page.mouse.up()
    expect(keyboard.box).to_have_value("")


def a_letter_that_is_held_shows_its_accents(keyboard):
    keyboard.hold(keyboard.key("e"))
    expect(keyboard.accents.first).to_be_visible()
    keyboard.accents.filter(has_text="é").hover()
    keyboard.kiosk.page.mouse.up()
    expect(keyboard.box).to_have_value("é")
    expect(keyboard.accents.first).to_be_hidden()
    keyboard.hold(keyboard.key("a"))
    keyboard.kiosk.page.mouse.up()
    keyboard.accents.filter(has_text="à").tap()
    expect(keyboard.box).to_have_value("éà")


def who_cannot_press_long_finds_the_accents_and_the_signs_on_pages_of_their_own(keyboard):
    keyboard.own("accents").tap()
    keyboard.type("ñ")
    keyboard.own("symbols").tap()
    keyboard.type("@")
    keyboard.own("more").tap()
    keyboard.type("£")
    keyboard.own("letters").tap()
    keyboard.type("a")
    expect(keyboard.box).to_have_value("ñ@£a")


def two_thumbs_that_overlap_write_both_letters_in_their_order(keyboard):
    keyboard.board.evaluate("""(board) => {
      const send = (text, type, pointerId) => {
        const key = board.querySelector(`.row-of-keys [data-text="${text}"]`);
        const { x, y } = key.getBoundingClientRect();
        key.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId, clientX: x + 9, clientY: y + 9 }));
      };
      send("t", "pointerdown", 1);
      send("h", "pointerdown", 2);
      send("t", "pointerup", 1);
      send("e", "pointerdown", 3);
      send("h", "pointerup", 2);
      send("e", "pointerup", 3);
    }""")
    expect(keyboard.box).to_have_value("the")


# Where the keys are not simply written one after the other; tests/kiosk checks that each language has its letters.
WRITTEN = {"hi": ("नमस्ते", "नमस्ते"), "ja": ("か゛つ小は゜", "がっぱ")}


def letters_that_change_or_join_the_one_before_are_written(keyboard):
    for language, (press, written) in WRITTEN.items():
        keyboard.speak(language)
        keyboard.box.fill("")
        keyboard.type(press)
        expect(keyboard.box, language).to_have_value(written)


def in_arabic_the_caret_goes_where_its_arrow_points(keyboard):
    keyboard.speak("ar")
    keyboard.type("سلم")
    keyboard.own("right").tap()  # back, towards the beginning
    keyboard.type("ا")
    expect(keyboard.box).to_have_value("سلام")


def chinese_is_left_to_the_systems_keyboard(keyboard):
    keyboard.speak("zh-hans")
    expect(keyboard.board).to_be_hidden()
    assert keyboard.box.get_attribute("inputmode") is None
    expect(keyboard.box).to_be_focused()


def test_every_key_and_long_press_types_what_it_shows(keyboard):
    """One visit for all: each begins with an empty box."""
    for way in (
        the_keyboard_is_one_tab_stop_and_arrows_lead_from_key_to_key,
        shift_is_for_one_letter_and_pressed_twice_for_all,
        a_letter_goes_in_where_the_caret_is_and_comes_out_before_it,
        backspace_goes_on_while_it_is_held_and_takes_an_emoji_whole,
        a_letter_that_is_held_shows_its_accents,
        who_cannot_press_long_finds_the_accents_and_the_signs_on_pages_of_their_own,
        two_thumbs_that_overlap_write_both_letters_in_their_order,
        letters_that_change_or_join_the_one_before_are_written,
        in_arabic_the_caret_goes_where_its_arrow_points,
        chinese_is_left_to_the_systems_keyboard,
    ):
        keyboard.box.fill("")
        way(keyboard)
        keyboard.kiosk.page.clock.run_for(1000)


def check_sizes(keyboard: Keyboard, heights: set[float]) -> None:
    keys = keyboard.board.locator(".row-of-keys button")
    sides = keys.evaluate_all("(keys) => keys.flatMap((key) => [key.offsetWidth, key.offsetHeight])")
    assert min(sides) >= LEAST
    heights.add(keyboard.board.bounding_box()["height"])


def test_every_layout_has_large_keys_of_one_height_and_axe_finds_nothing(keyboard, kiosk):
    kiosk.page.set_viewport_size(PORTRAIT)
    small = keyboard.key("a").bounding_box()
    kiosk.page.set_viewport_size({side: 2 * length for side, length in PORTRAIT.items()})
    assert keyboard.key("a").bounding_box()["width"] == pytest.approx(2 * small["width"], rel=0.05)
    kiosk.page.set_viewport_size(PORTRAIT)
    heights: set[float] = set()
    for language in sorted(LAYOUTS.keys() - {"symbols", "zh-hans"}):
        keyboard.speak(language)
        check_sizes(keyboard, heights)
    for does in ("accents", "symbols", "more", "languages"):
        if keyboard.own(does).count():
            keyboard.own(does).tap()
            check_sizes(keyboard, heights)
    assert len(heights) == 1, "nothing jumps from page to page"
    keyboard.own("languages").tap()  # from the list of languages back to the keys
    keyboard.speak("en")
    keyboard.hold(keyboard.key("e"))
    kiosk.page.mouse.up()
    expect(keyboard.accents.first).to_be_visible()
    kiosk.run_clock()  # axe waits by the page's clock
    load_axe(kiosk.page.frames[1])
    assert complaints(kiosk.page) == []
    keyboard.own("languages").tap()
    assert complaints(kiosk.page) == []
