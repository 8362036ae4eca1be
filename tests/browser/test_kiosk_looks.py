"""The kiosk's screens by layout, touch targets and axe: on both displays, light and dark, left to right and back."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.axe import complaints, load_axe
from tests.browser.kiosk_screen import IDLE, LANDSCAPE, PORTRAIT, SANDBOX, KioskScreen, enrolled
from tests.browser.site import Site
from tests.browser.states import RICH
from tests.browser.watch import Watch
from tests.webchat.upstream_server import UpstreamServer

TARGET = 44  # px
DRESSES = {
    "portrait": {"viewport": PORTRAIT},
    "landscape, dark, Arabic": {"viewport": LANDSCAPE, "color_scheme": "dark", "locale": "ar"},
}
TOO_SMALL = """(all, least) => all.filter((each) => each.checkVisibility({ visibilityProperty: true }))
  .map((each) => [each.outerHTML.slice(0, 80), each.getBoundingClientRect()])
  .filter(([, box]) => box.width > 1 && (box.width < least || box.height < least))
  .map(([html, box]) => `${html} ${box.width}x${box.height}`)"""
OFF_CENTRE = """(all) => all.filter((each) => each.checkVisibility())
  .map((each) => [each.className, each.getBoundingClientRect(), each.querySelector("svg").getBoundingClientRect()])
  .filter(([, box, icon]) => Math.abs(box.x + box.width / 2 - icon.x - icon.width / 2) > 1
    || Math.abs(box.y + box.height / 2 - icon.y - icon.height / 2) > 1)
  .map(([name]) => `the icon of ${name} isn't in its middle`)"""
CUT_OFF = """(root) => [...root.querySelectorAll("h1, h2, p, button")]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.matches(".unseen, .unseen *"))
  .map((each) => [each.outerHTML.slice(0, 80), each.getBoundingClientRect()])
  .filter(([, box]) => box.width > 1)
  .filter(([, box]) => box.left < 0 || box.right > innerWidth || box.top < 0 || box.bottom > innerHeight)
  .map(([html]) => html)"""
WIDER = "root => root.scrollWidth > root.clientWidth"
HIGHER = "root => root.scrollHeight > root.clientHeight + 1"


@pytest.fixture(params=DRESSES)
def dress(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def screen(dress: str, browser: Browser, site: Site, upstream: UpstreamServer, watch: Watch) -> Iterator[KioskScreen]:
    watch.expect(SANDBOX)
    context = enrolled(browser, site, **DRESSES[dress])
    watch.look_at(context)
    yield KioskScreen.open(context, site)
    context.close()


def walk(screen: KioskScreen, upstream: UpstreamServer) -> Iterator[str]:
    """Walk through the screens, yielding each name. The clock keeps running: axe waits by it."""
    yield "attract"
    upstream.will_reply(RICH)
    screen.page.locator("[data-start]").last.click()
    screen.expect("visit")
    load_axe(screen.page.frames[1])
    yield "greeting"
    screen.frame.locator("#message").fill("When do you open?")
    screen.frame.locator("#message").press("Enter")
    expect(screen.chat.replies).to_have_count(1)
    yield "reply"
    screen.frame.locator(".thumb.down").click()
    expect(screen.frame.locator(".why .field")).to_be_visible()
    yield "what was wrong"
    screen.page.clock.fast_forward((IDLE + 1) * 1000)
    screen.expect("warning")
    yield "warning"
    screen.page.locator("[data-still-here]").click()
    screen.expect("visit")
    for cover in ("lost", "paused"):
        screen.page.evaluate(
            "name => document.dispatchEvent(new CustomEvent('kiosk:cover', {detail: {[name]: true}}))", cover
        )
        yield cover


def wrong_with(screen: KioskScreen, dress: str) -> list[str]:
    finger = "button:not([aria-hidden]), a[href], input, textarea, select, summary"
    found = complaints(screen.page) if "Arabic" in dress else []  # run axe once per screen
    for part in (screen.page, screen.frame):
        found += part.locator(finger).evaluate_all(TOO_SMALL, TARGET)
    found += screen.frame.locator(".latest, .send").evaluate_all(OFF_CENTRE)
    found += screen.root.evaluate(CUT_OFF)
    for root in (screen.root, screen.frame.locator("html")):
        found += ["wider than the screen"] * root.evaluate(WIDER)
    return found


def test_axe_finds_nothing_on_any_screen_and_targets_are_large_enough(screen, dress, upstream):
    wrong = {}
    for name in walk(screen, upstream):
        wrong[name] = wrong_with(screen, dress)
        if name == "greeting":
            wrong[name] += ["has to be scrolled"] * screen.frame.locator("html").evaluate(HIGHER)
    assert len(wrong) == 7
    assert not {name: each for name, each in wrong.items() if each}


@pytest.mark.parametrize("size", [(360, 640), (800, 480)], ids=["upright", "wide"])
def test_on_a_small_screen_the_start_is_visible_and_the_greeting_precedes_the_keyboard(browser, site, upstream, size):
    context = enrolled(browser, site, viewport=dict(zip(("width", "height"), size, strict=True)))
    screen = KioskScreen.open(context, site)
    expect(screen.page.get_by_role("button", name="Touch to start")).to_be_in_viewport(ratio=0.9)
    screen.begin()
    expect(screen.frame.locator(".greeting .text").first).to_be_in_viewport(ratio=1)
    expect(screen.frame.locator("[data-keyboard]")).to_be_hidden()
    screen.frame.locator("#message").tap()
    expect(screen.frame.locator("[data-keyboard]")).to_be_visible()
    context.close()


def test_large_text_covers_no_question_and_is_centred_in_the_box(browser, site, upstream):
    context = enrolled(browser, site, viewport={"width": 1280, "height": 800}, locale="ar")
    screen = KioskScreen.open(context, site)
    expect(screen.page.locator(".attract h1")).to_have_css("letter-spacing", "normal")  # its letters are joined
    screen.page.locator(".attract .start").click()
    screen.expect("visit")
    expect(screen.frame.locator("[data-keyboard]")).to_be_visible()
    for _ in range(3):  # 200 %
        screen.frame.locator("[data-text-size]").click()
    box, question = screen.frame.locator(".box"), screen.frame.locator("[data-suggestion]").last
    assert question.bounding_box()["y"] + question.bounding_box()["height"] < box.bounding_box()["y"]
    lines = "box => box.clientHeight / parseFloat(getComputedStyle(box).lineHeight)"
    assert screen.frame.locator("#message").evaluate(lines) == pytest.approx(1, abs=0.1)
    context.close()


def test_a_small_screen_with_the_largest_text_has_one_row_of_buttons_and_the_whole_code_in_view(
    browser, site, upstream
):
    context = enrolled(browser, site, viewport={"width": 800, "height": 480}, locale="de")
    screen = KioskScreen.open(context, site, "help")
    screen.page.locator(".attract .start").click()
    screen.expect("visit")
    for _ in range(3):  # 200 %
        screen.frame.locator("[data-text-size]").click()
    finish = screen.frame.locator("button[data-finish]").bounding_box()
    name = screen.frame.locator(".top h1").bounding_box()
    assert finish["y"] < name["y"] + name["height"] / 2 < finish["y"] + finish["height"]
    above = screen.frame.locator(".box").bounding_box()["y"]
    assert above > 0.72 * 480  # for what is read
    screen.frame.locator("[data-suggestion]").first.evaluate("(button) => button.click()")  # Playwright would scroll
    expect(screen.chat.replies).to_have_count(1)
    screen.frame.locator("[data-take]").evaluate("(button) => button.click()")
    expect(screen.frame.locator("[data-transfer-code] .qr")).to_be_in_viewport(ratio=1)
    context.close()


def test_on_a_wide_screen_the_place_kept_for_take_it_with_you_is_no_gap(browser, site, upstream):
    context = enrolled(browser, site, "token-of-the-kiosk-with-a-note", viewport={"width": 1280, "height": 800})
    screen = KioskScreen.open(context, site, "people")
    screen.begin()
    take, person, text = (
        screen.frame.locator(f".top > {part}").bounding_box()
        for part in ("[data-take-form]", ".to-person", "[data-text-size]")
    )
    assert take["x"] < person["x"] < text["x"] < person["x"] + person["width"] + 40
    context.close()


def test_enlarging_the_text_keeps_the_top_line_in_place(browser, site, upstream):
    context = enrolled(browser, site, viewport={"width": 1024, "height": 600})
    screen = KioskScreen.open(context, site)
    screen.begin()
    upstream.will_reply("We open at nine.\n\n" * 20)
    screen.frame.locator("[data-suggestion]").first.tap()
    expect(screen.chat.replies).to_have_count(1)
    below_the_bar = """(turn) => Math.round(turn.getBoundingClientRect().top
      - Math.max(document.querySelector(".top").getBoundingClientRect().bottom, 0))"""
    places = []
    for _ in range(4):
        places.append(screen.chat.turns.first.evaluate(below_the_bar))
        screen.frame.locator("[data-text-size]").evaluate("(button) => button.click()")  # Playwright would scroll
        expect(screen.finish).to_be_in_viewport(ratio=1)
    context.close()
    assert max(places) - min(places) <= 1


def test_axe_finds_nothing_on_the_page_that_asks_for_the_code(browser, site, watch):
    context = enrolled(browser, site, viewport={"width": 810, "height": 1080})
    context.clear_cookies()
    watch.look_at(context)
    page = context.new_page()
    page.goto(f"{site.url}/kiosk/help/")
    page.locator("#code").fill("ABCD EFGH")
    page.locator("#code").press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    page.wait_for_load_state()
    alert, below = page.get_by_role("alert").bounding_box(), page.locator(".controls").bounding_box()
    found = complaints(page) + page.locator("button, a[href], input").evaluate_all(TOO_SMALL, TARGET)
    context.close()
    assert found == []
    assert below["y"] >= alert["y"] + alert["height"] + 8


def test_the_attract_screen_moves_to_prevent_burn_in(kiosk):
    """Over ten minutes no edge stays in place; with reduced motion it changes place now and then without moving."""
    others = "document.getAnimations().filter((each) => !each.effect.target.matches('.drift')).length"
    for motion, least, most in (("reduce", 20, 60), ("no-preference", 110, 121)):
        kiosk.page.emulate_media(reduced_motion=motion)
        places = kiosk.page.evaluate("""() => {
          const drift = document.querySelector(".attract .drift");
          const moves = document.getAnimations().filter((each) => each.effect.target === drift);
          return Array.from({ length: 120 }, (_, n) => {
            for (const each of moves) { each.pause(); each.currentTime = n * 5000; }
            const { x, y } = drift.getBoundingClientRect();
            return `${x.toFixed(1)} ${y.toFixed(1)}`;
          });
        }""")
        assert least < len(set(places)) < most
        assert kiosk.page.evaluate(others) == 0 if motion == "reduce" else kiosk.page.evaluate(others) >= 3
