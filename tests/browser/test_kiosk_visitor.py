"""Other things a kiosk's visitor can do: take the conversation along, scan a link, enlarge text, speak and listen."""

import io
from collections.abc import Callable, Iterator

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import expect

from tests.browser.axe import complaints
from tests.browser.chat_page import ChatPage
from tests.browser.kiosk_screen import IDLE, PORTRAIT, KioskScreen
from tests.browser.site import Site
from tests.browser.waiting import wait_for_rest

PHONE = {"viewport": {"width": 360, "height": 640}}

FONT_SIZE = "(element) => parseFloat(getComputedStyle(element).fontSize)"

# Speech input comes from the test, and speech output goes to a list.
SPEECH = """
window.heard = [];
window.said = [];
window.SpeechRecognition = class extends EventTarget {
  start() { window.heard.push(this); }
  stop() { this.onend?.(); }
  abort() { this.aborted = true; this.onend?.(); }
};
const voices = Object.assign(new EventTarget(), {
  speaking: false,
  getVoices: () => [{ lang: "en-GB" }],
  speak: ({ text, lang }) => { window.said.push(`${lang}: ${text}`); voices.speaking = true; },
  cancel: () => { window.said.push("silence"); voices.speaking = false; },
});
Object.defineProperty(window, "speechSynthesis", { value: voices });
"""


def url_of_ticket(kiosk: KioskScreen) -> str:
    """Read the QR code on the screen, as a phone does."""
    kiosk.frame.get_by_role("button", name="Take it with you").tap()
    code = kiosk.frame.get_by_role("dialog").get_by_role("img", name="QR code")
    expect(code).to_be_visible()
    (read,) = zxingcpp.read_barcodes(Image.open(io.BytesIO(code.screenshot())))
    return read.text


def overflow(kiosk: KioskScreen) -> int:
    return kiosk.frame.locator("html").evaluate("(html) => html.scrollWidth - html.clientWidth")


def test_the_phone_takes_over_the_conversation_and_the_kiosk_forgets_it(kiosk, new_visitor):
    kiosk.begin()
    for absent in ("Take it with you", "Speak", "Read aloud"):  # no conversation to take yet, and speech is off
        expect(kiosk.frame.get_by_role("button", name=absent)).to_be_hidden()
    kiosk.chat.ask("My question")
    url_of_ticket(kiosk)
    assert complaints(kiosk.page) == []
    kiosk.pass_time(100)
    kiosk.expect("visit")  # whoever looks at a phone is not asked whether they are there
    expect(kiosk.frame.get_by_text("The code expires in")).to_be_visible()
    kiosk.pass_time(25)
    expect(kiosk.frame.get_by_role("dialog")).to_be_hidden()

    kiosk.run_clock()
    kiosk.chat.ask("And more")

    phone = new_visitor(**PHONE).new_page()
    phone.goto(url_of_ticket(kiosk))
    phone.get_by_role("button", name="Continue here").click()
    mine = ChatPage(phone)
    mine.expect_said("My question", "And more")
    expect(kiosk.frame.get_by_text("It’s on your phone now")).to_be_visible()
    kiosk.pass_time(4)
    kiosk.expect("attract")
    kiosk.wait_for_visit()
    assert "My question" not in kiosk.everything()
    mine.ask("On the phone")
    mine.expect_said("My question", "And more", "On the phone")


def test_with_larger_text_suggestions_code_and_idle_warning_are_in_view(kiosk):
    kiosk.page.set_viewport_size({"width": 1280, "height": 720})
    kiosk.begin()
    words = kiosk.page.locator("#warning-what")
    before = words.evaluate(FONT_SIZE)
    button, dialog = kiosk.frame.get_by_role("button", name="Text size"), kiosk.frame.get_by_role("dialog")
    for _ in (125, 150):
        button.tap()
    suggestion = kiosk.chat.suggestions.last.bounding_box()
    assert suggestion["y"] + suggestion["height"] <= kiosk.frame.locator(".bottom").bounding_box()["y"]
    kiosk.chat.ask("My question")
    code, stay = dialog.get_by_role("img", name="QR code"), dialog.get_by_role("button", name="Stay here")
    for percent, (width, height) in ((150, (800, 480)), (200, (1280, 720))):
        kiosk.page.set_viewport_size({"width": width, "height": height})
        while f"{percent}%" not in button.inner_text():
            button.tap()
        url_of_ticket(kiosk)
        for part in (code, stay, *[dialog.get_by_text("The code expires in")] * (width == 1280)):
            expect(part).to_be_in_viewport(ratio=1)
        stay.tap()
        expect(dialog).to_be_hidden()
        kiosk.page.clock.fast_forward((IDLE + 1) * 1000)
        kiosk.expect("warning")
        if width == 1280:
            assert words.evaluate(FONT_SIZE) == pytest.approx(before * percent / 100, rel=0.01)
        for part in kiosk.page.locator(".warning .drift > *").all():
            expect(part).to_be_in_viewport(ratio=0.99)  # the attract screen drifts by fractions of a pixel
        kiosk.run_clock()
        kiosk.page.locator("[data-still-here]").tap()
        kiosk.expect("visit")
    kiosk.finish.tap()
    kiosk.expect("attract")
    assert words.evaluate(FONT_SIZE) == before


def test_links_are_text_and_a_code_sources_leave_the_reply_readable_and_a_button_leads_to_the_end(kiosk, upstream):
    links = "See [our hours](https://shop.example/hours) or call [us](tel:+49891234)."
    upstream.will_reply(f"{links}\n\n- [And on Sundays?](#ask)")
    kiosk.begin()
    kiosk.chat.ask("When?")
    reply = kiosk.chat.replies
    expect(reply.locator("p")).to_have_text("See our hours or call us.")
    next_question = kiosk.chat.turns.first.get_by_role("button", name="And on Sundays?")
    expect(next_question).to_be_visible()
    expect(reply.get_by_role("img")).to_have_count(0)  # hidden until asked for
    reply.get_by_text("Open on your phone").tap()
    expect(reply.get_by_role("img")).to_have_count(2)
    expect(reply.get_by_role("img", name="QR code: https://shop.example/hours")).to_be_visible()
    assert kiosk.frame.locator("[data-transcript] a").count() == 0
    assert overflow(kiosk) == 0

    upstream.will_reply('At nine.\n\nSource: [Hours](https://shop.example/hours "From nine to six.")')
    kiosk.chat.ask("When do you open?")
    expect(next_question).to_be_hidden()
    kiosk.frame.get_by_text("Hours", exact=True).tap()
    passage = kiosk.frame.locator(".passage")
    expect(passage).to_be_in_viewport(ratio=1)
    reply = kiosk.chat.replies.last.bounding_box()
    assert reply["y"] + reply["height"] <= passage.bounding_box()["y"]
    kiosk.chat.messages.last.tap()
    expect(passage).to_be_hidden()

    upstream.will_reply("\n\n".join(["Some words of it."] * 60))
    kiosk.chat.ask("Everything, please")
    expect(kiosk.chat.to_reply).to_be_in_viewport()
    kiosk.chat.to_reply.tap()
    expect(kiosk.chat.replies.locator("p").last).to_be_in_viewport()


def test_larger_text_keeps_the_message_in_view_swaps_no_buttons_and_ends_with_the_visit(kiosk, upstream):
    """Else the message just sent is covered by the bar, and who presses for larger text twice presses “Finish”."""
    kiosk.page.set_viewport_size(PORTRAIT)
    kiosk.run_clock()
    kiosk.begin()
    bar, messages, replies = kiosk.frame.locator(".top"), kiosk.chat.messages, kiosk.chat.replies
    height = bar.bounding_box()["height"]
    upstream.will_reply("\n\n".join(["Some words of it."] * 12))
    kiosk.chat.ask("When do you open?")
    wait_for_rest(kiosk.page)
    assert bar.bounding_box()["height"] == height
    assert messages.bounding_box()["y"] >= height
    larger = kiosk.frame.get_by_role("button", name="Text size")
    at, before = larger.bounding_box(), replies.evaluate(FONT_SIZE)
    assert before >= 24
    for percent in (125, 150, 200):
        place = larger.bounding_box()
        # A touch, unlike Playwright's click, scrolls nothing by itself.
        kiosk.page.touchscreen.tap(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
        expect(larger).to_contain_text(f"{percent}%")
        way_out = kiosk.finish.bounding_box()
        assert way_out["x"] > at["x"] + at["width"] or way_out["y"] > at["y"] + at["height"]
        expect(kiosk.finish).to_be_in_viewport(ratio=1)
        wait_for_rest(kiosk.page)
        if percent < 200:
            expect(messages).to_be_in_viewport(ratio=1)
        assert replies.evaluate(FONT_SIZE) == pytest.approx(before * percent / 100, rel=0.01)
        assert overflow(kiosk) == 0
    kiosk.finish.tap()
    kiosk.expect("attract")
    kiosk.wait_for_visit()
    kiosk.begin()
    expect(larger).to_contain_text("100%")


def test_enlarging_the_text_keeps_the_top_line_in_place(new_kiosk, upstream):
    kiosk = new_kiosk(viewport={"width": 1024, "height": 600})
    kiosk.begin()
    upstream.will_reply("We open at nine.\n\n" * 20)
    kiosk.frame.locator("[data-suggestion]").first.tap()
    expect(kiosk.chat.replies).to_have_count(1)
    below_the_bar = """(turn) => Math.round(turn.getBoundingClientRect().top
      - Math.max(document.querySelector(".top").getBoundingClientRect().bottom, 0))"""
    places = []
    for _ in range(4):
        places.append(kiosk.chat.turns.first.evaluate(below_the_bar))
        kiosk.frame.locator("[data-text-size]").evaluate("(button) => button.click()")  # Playwright would scroll
    assert max(places) - min(places) <= 1


@pytest.fixture
def talking(new_kiosk: Callable[..., KioskScreen], site: Site) -> Iterator[KioskScreen]:
    """Return a kiosk with speech switched on, in a browser that supports it."""
    site.ask_database("UPDATE kiosk_device SET speech = true")
    yield new_kiosk(script=SPEECH)
    site.ask_database("UPDATE kiosk_device SET speech = false")


def hear(kiosk: KioskScreen, *words: str) -> None:
    results = "[" + ",".join(f"[{{ transcript: {word!r} }}]" for word in words) + "]"
    kiosk.frame.locator("html").evaluate(
        f"() => {{ const ear = window.heard.at(-1); ear.onspeechstart(); ear.onresult({{ results: {results} }}); }}"
    )


def test_speech_is_typed_into_the_box_and_replies_are_read_aloud_on_request(talking):
    talking.begin()
    page = talking.frame.locator("html")
    speak = talking.frame.get_by_role("button", name="Speak")
    speak.tap()
    expect(speak).to_have_attribute("aria-pressed", "true")
    expect(talking.frame.get_by_text("Listening…")).to_be_visible()
    for _ in range(3):
        talking.pass_time(25)
        hear(talking, "where ", "are you")
    talking.expect("visit")  # speaking counts as being there
    talking.run_clock()
    expect(talking.chat.box).to_have_value("where are you")
    speak.tap()
    expect(speak).to_have_attribute("aria-pressed", "false")
    talking.chat.box.press("Enter")
    expect(talking.chat.replies).to_have_text(["You said: where are you"])

    said = "() => window.said.filter((each) => each !== 'silence')"
    assert page.evaluate(said) == []
    aloud = talking.frame.get_by_role("button", name="Read aloud")
    aloud.tap()
    expect(aloud).to_have_attribute("aria-pressed", "true")
    assert page.evaluate(said) == ["en: You said: where are you"]
    talking.chat.ask("Two")
    assert page.evaluate(said)[-1] == "en: You said: Two"
    talking.finish.tap()
    talking.expect("attract")
    assert talking.page.evaluate("window.said.at(-1)") == "silence"
