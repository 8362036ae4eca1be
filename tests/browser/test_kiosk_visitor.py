"""Other things a kiosk's visitor can do: take the conversation along, scan a link, enlarge text, speak and listen."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.axe import complaints
from tests.browser.chat_page import ChatPage
from tests.browser.kiosk_screen import IDLE, LANDSCAPE, PORTRAIT, SANDBOX, KioskScreen, enrolled
from tests.browser.site import Site
from tests.browser.waiting import wait_for_rest

PHONE = {"viewport": {"width": 360, "height": 640}}

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
    """Return the URL in the QR code."""
    kiosk.frame.get_by_role("button", name="Take it with you").tap()
    code = kiosk.frame.get_by_role("dialog").get_by_role("img", name="QR code")
    expect(code).to_be_visible()
    return code.get_attribute("aria-label").removeprefix("QR code: ")


def overflow(kiosk: KioskScreen) -> int:
    return kiosk.frame.locator("html").evaluate("(html) => html.scrollWidth - html.clientWidth")


# --- Take it with you -------------------------------------------------------------------------------------------------


def test_the_phone_takes_the_conversation_and_the_kiosk_forgets_it(kiosk, new_visitor):
    kiosk.begin()
    for absent in ("Take it with you", "Speak", "Read aloud"):  # no conversation to take yet, and speech is off
        expect(kiosk.frame.get_by_role("button", name=absent)).to_be_hidden()
    kiosk.chat.ask("My question")
    url = url_of_ticket(kiosk)
    assert complaints(kiosk.page) == []
    phone = new_visitor(**PHONE).new_page()
    phone.goto(url)
    phone.get_by_role("button", name="Continue here").click()
    mine = ChatPage(phone)
    mine.expect_said("My question")
    expect(kiosk.frame.get_by_text("It’s on your phone now")).to_be_visible()
    kiosk.pass_time(4)
    kiosk.expect("attract")
    kiosk.wait_for_visit()
    assert "My question" not in kiosk.everything()
    mine.ask("And more")
    mine.expect_said("My question", "And more")


def test_who_stays_goes_on_and_the_screen_asks_after_the_code_no_longer(kiosk):
    kiosk.begin()
    kiosk.chat.ask("My question")
    url_of_ticket(kiosk)
    asked_for = []
    kiosk.page.on("request", lambda request: asked_for.append(request.url) if "/taken" in request.url else None)
    kiosk.pass_time(5)
    assert asked_for
    kiosk.go_on()
    kiosk.frame.get_by_role("button", name="Stay here").tap()
    expect(kiosk.frame.get_by_role("dialog")).to_be_hidden()
    asked_for.clear()
    kiosk.pass_time(5)
    assert asked_for == []
    kiosk.go_on()
    kiosk.chat.ask("And more")


def test_whoever_looks_at_a_phone_is_not_asked_whether_they_are_there(kiosk):
    kiosk.begin()
    kiosk.chat.ask("My question")
    url_of_ticket(kiosk)
    kiosk.pass_time(100)
    kiosk.expect("visit")
    expect(kiosk.frame.get_by_text("The code expires in")).to_be_visible()
    kiosk.pass_time(25)
    expect(kiosk.frame.get_by_role("dialog")).to_be_hidden()


def test_with_larger_text_the_code_and_the_question_whether_somebody_is_there_are_all_in_view(kiosk):
    kiosk.page.set_viewport_size({"width": 1280, "height": 720})
    kiosk.begin()
    kiosk.chat.ask("My question")
    words = kiosk.page.locator("#warning-what")
    size = "(element) => parseFloat(getComputedStyle(element).fontSize)"
    before = words.evaluate(size)
    button = kiosk.frame.get_by_role("button", name="Text size")
    for percent in (150, 200):
        while f"{percent} %" not in button.inner_text():
            button.tap()
        url_of_ticket(kiosk)
        dialog = kiosk.frame.get_by_role("dialog")
        expect(dialog.get_by_text("The code expires in")).to_be_in_viewport(ratio=1)
        expect(dialog.get_by_role("img", name="QR code")).to_be_in_viewport(ratio=1)
        expect(dialog.get_by_role("button", name="Stay here")).to_be_in_viewport(ratio=1)
        dialog.get_by_role("button", name="Stay here").tap()
        expect(dialog).to_be_hidden()
        kiosk.page.clock.fast_forward((IDLE + 1) * 1000)
        kiosk.expect("warning")
        assert words.evaluate(size) == pytest.approx(before * percent / 100, rel=0.01)
        for part in kiosk.page.locator(".warning .drift > *").all():
            expect(part).to_be_in_viewport(ratio=0.99)  # the attract screen drifts by fractions of a pixel
        kiosk.go_on()
        kiosk.page.locator("[data-still-here]").tap()
        kiosk.expect("visit")
    kiosk.finish.tap()
    kiosk.expect("attract")
    assert words.evaluate(size) == before


def test_on_a_small_display_the_way_back_from_the_code_is_in_view_with_larger_text(kiosk):
    kiosk.page.set_viewport_size({"width": 800, "height": 480})
    kiosk.begin()
    kiosk.chat.ask("My question")
    button = kiosk.frame.get_by_role("button", name="Text size")
    while "150 %" not in button.inner_text():
        button.tap()
    url_of_ticket(kiosk)
    for part in (kiosk.frame.get_by_role("img", name="QR code"), kiosk.frame.get_by_role("button", name="Stay here")):
        expect(part).to_be_in_viewport(ratio=1)


# --- Links ------------------------------------------------------------------------------------------------------------


def test_a_link_is_its_text_and_a_code_that_a_phone_can_scan(kiosk, upstream):
    upstream.will_reply("See [our hours](https://shop.example/hours) or call [us](tel:+49891234).")
    kiosk.begin()
    kiosk.chat.ask("When?")
    reply = kiosk.chat.replies
    expect(reply.locator("p")).to_have_text("See our hours or call us.")
    expect(reply.get_by_role("img")).to_have_count(0)  # hidden until asked for
    reply.get_by_text("Open on your phone").tap()
    expect(reply.get_by_role("img")).to_have_count(2)
    expect(reply.get_by_role("img", name="QR code: https://shop.example/hours")).to_be_visible()
    assert kiosk.frame.locator("[data-transcript] a").count() == 0
    box = reply.get_by_role("img").first.bounding_box()
    assert box["width"] == box["height"] >= 150
    assert overflow(kiosk) == 0


# --- Larger text ------------------------------------------------------------------------------------------------------


def test_larger_text_keeps_the_last_message_and_its_reply_in_view(kiosk, upstream):
    """A touch, unlike Playwright's click, scrolls nothing by itself."""
    upstream.will_reply("\n\n".join(["Some words of it."] * 12))
    kiosk.begin()
    kiosk.chat.ask("When do you open?")
    place = kiosk.frame.get_by_role("button", name="Text size").bounding_box()
    for percent in (125, 150):
        kiosk.page.touchscreen.tap(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
        expect(kiosk.frame.get_by_role("button", name="Text size")).to_contain_text(f"{percent} %")
        wait_for_rest(kiosk.page)
        expect(kiosk.chat.messages).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [PORTRAIT, {"width": 360, "height": 640}], ids=["portrait", "small"])
def test_what_appears_with_the_first_message_and_what_grows_moves_no_button_to_where_another_was(
    browser, site, upstream, watch, size
):
    """Else the message just sent is covered by the bar, and who presses for larger text twice presses “Finish”."""
    watch.expect(SANDBOX)
    context = enrolled(browser, site, viewport=size)
    kiosk = KioskScreen.open(context, site)
    kiosk.begin()
    bar = kiosk.frame.locator(".top")
    height = bar.bounding_box()["height"]
    kiosk.chat.ask("When do you open?")
    wait_for_rest(kiosk.page)
    assert bar.bounding_box()["height"] == height
    assert kiosk.chat.messages.bounding_box()["y"] >= height
    larger = kiosk.frame.get_by_role("button", name="Text size")
    at = larger.bounding_box()
    for percent in (125, 150, 200):
        place = larger.bounding_box()
        kiosk.page.touchscreen.tap(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
        expect(larger).to_contain_text(f"{percent} %")
        way_out = kiosk.finish.bounding_box()
        assert way_out["x"] > at["x"] + at["width"] or way_out["y"] > at["y"] + at["height"]
        expect(kiosk.finish).to_be_in_viewport(ratio=1)
    context.close()


def test_the_way_to_the_end_is_a_round_button_for_a_finger(kiosk, upstream):
    upstream.will_reply("\n\n".join(["Some words of it."] * 60))
    kiosk.begin()
    kiosk.chat.ask("Everything, please")
    expect(kiosk.chat.to_reply).to_be_in_viewport()
    size = kiosk.chat.to_reply.bounding_box()
    assert size["width"] == size["height"] >= 44
    kiosk.chat.to_reply.tap()
    expect(kiosk.chat.replies.locator("p").last).to_be_in_viewport()


def test_text_grows_to_twice_its_size_in_steps_and_is_as_before_for_the_next_visitor(kiosk):
    kiosk.begin()
    kiosk.chat.ask("A question that is long enough to need more than one line when the text is twice as large")
    button = kiosk.frame.get_by_role("button", name="Text size")
    size = "(element) => parseFloat(getComputedStyle(element).fontSize)"
    before = kiosk.chat.replies.evaluate(size)
    assert before >= 24
    for percent in (125, 150, 200):
        button.tap()
        expect(button).to_contain_text(f"{percent} %")
        assert kiosk.chat.replies.evaluate(size) == pytest.approx(before * percent / 100, rel=0.01)
        for viewport in (LANDSCAPE, PORTRAIT):
            kiosk.page.set_viewport_size(viewport)
            assert overflow(kiosk) == 0
    button.tap()
    expect(button).to_contain_text("100 %")
    assert kiosk.chat.replies.evaluate(size) == before
    button.tap()
    kiosk.finish.tap()
    kiosk.expect("attract")
    kiosk.wait_for_visit()
    kiosk.begin()
    expect(button).to_contain_text("100 %")


# --- Speech -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def talking(browser: Browser, site: Site, upstream: object, watch) -> Iterator[KioskScreen]:
    """Return a kiosk with speech switched on, in a browser that supports it."""
    site.ask_database("UPDATE kiosk_device SET speech = true")
    watch.expect(SANDBOX)
    context = enrolled(browser, site)
    context.add_init_script(SPEECH)
    yield KioskScreen.open(context, site)
    context.close()
    site.ask_database("UPDATE kiosk_device SET speech = false")


def hear(kiosk: KioskScreen, *words: str) -> None:
    results = "[" + ",".join(f"[{{ transcript: {word!r} }}]" for word in words) + "]"
    kiosk.frame.locator("html").evaluate(
        f"() => {{ const ear = window.heard.at(-1); ear.onspeechstart(); ear.onresult({{ results: {results} }}); }}"
    )


def test_what_is_said_stands_in_the_box_and_speaking_counts_as_being_there(talking):
    talking.begin()
    speak = talking.frame.get_by_role("button", name="Speak")
    speak.tap()
    expect(speak).to_have_attribute("aria-pressed", "true")
    expect(talking.frame.get_by_text("Listening…")).to_be_visible()
    for _ in range(3):
        talking.pass_time(25)
        hear(talking, "where ", "are you")
    talking.expect("visit")
    talking.go_on()
    expect(talking.chat.box).to_have_value("where are you")
    speak.tap()
    expect(speak).to_have_attribute("aria-pressed", "false")
    talking.chat.box.press("Enter")
    expect(talking.chat.replies).to_have_text(["You said: where are you"])


def test_a_microphone_that_is_refused_is_said_so(talking):
    talking.begin()
    talking.frame.get_by_role("button", name="Speak").tap()
    expect(talking.frame.get_by_text("Listening…")).to_be_visible()
    talking.frame.locator("html").evaluate(
        "() => { const ear = window.heard.at(-1); ear.onerror({ error: 'not-allowed' }); ear.onend(); }"
    )
    expect(talking.frame.get_by_text("The microphone can’t be used here.")).to_be_visible()


def test_replies_are_read_aloud_once_wished_and_the_voice_stops_with_the_visit(talking):
    talking.begin()
    talking.chat.ask("One")
    said = "() => window.said.filter((each) => each !== 'silence')"
    assert talking.frame.locator("html").evaluate(said) == []
    aloud = talking.frame.get_by_role("button", name="Read aloud")
    aloud.tap()
    expect(aloud).to_have_attribute("aria-pressed", "true")
    assert talking.frame.locator("html").evaluate(said) == ["en: You said: One"]
    talking.chat.ask("Two")
    assert talking.frame.locator("html").evaluate(said)[-1] == "en: You said: Two"
    talking.finish.tap()
    talking.expect("attract")
    assert talking.page.evaluate("window.said.at(-1)") == "silence"
