"""The kiosk's screens by layout, touch targets and axe: upright and wide, large and small."""

from collections.abc import Iterator

from playwright.sync_api import expect

from tests.browser.axe import complaints, load_axe
from tests.browser.kiosk_screen import IDLE, LANDSCAPE, PORTRAIT, KioskScreen
from tests.browser.states import RICH
from tests.webchat.upstream_server import UpstreamServer

TARGET = 44  # px
TOO_SMALL = """(all, least) => all.filter((each) => each.checkVisibility({ visibilityProperty: true }))
  .map((each) => [each.outerHTML.slice(0, 80), each.getBoundingClientRect()])
  .filter(([, box]) => box.width > 1 && (box.width < least || box.height < least))
  .map(([html, box]) => `${html} ${box.width}x${box.height}`)"""
CUT_OFF = """(root) => [...root.querySelectorAll("h1, h2, p, button")]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.matches(".unseen, .unseen *"))
  .map((each) => [each.outerHTML.slice(0, 80), each.getBoundingClientRect()])
  .filter(([, box]) => box.width > 1)
  .filter(([, box]) => box.left < 0 || box.right > innerWidth || box.top < 0 || box.bottom > innerHeight)
  .map(([html]) => html)"""
WIDER = "root => root.scrollWidth > root.clientWidth"
HIGHER = "root => root.scrollHeight > root.clientHeight + 1"


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


def wrong_with(screen: KioskScreen, *sizes: dict[str, int]) -> list[str]:
    """Return what axe finds, and what doesn't fit on a screen of one of these sizes."""
    finger = "button:not([aria-hidden]), a[href], input, textarea, select, summary"
    found = complaints(screen.page)
    for size in sizes:
        screen.page.set_viewport_size(size)
        for part in (screen.page, screen.frame):
            found += part.locator(finger).evaluate_all(TOO_SMALL, TARGET)
        found += screen.root.evaluate(CUT_OFF)
        for root in (screen.root, screen.frame.locator("html")):
            found += ["wider than the screen"] * root.evaluate(WIDER)
    return found


def test_axe_finds_nothing_on_any_screen_and_targets_are_large_enough(new_kiosk, upstream):
    screen = new_kiosk(viewport=LANDSCAPE, color_scheme="dark", locale="ar")
    wrong = {}
    for name in walk(screen, upstream):
        sizes = [] if name == "warning" else [PORTRAIT]  # as the visit scrolls, the warning would end
        wrong[name] = wrong_with(screen, *sizes, LANDSCAPE)
        if name == "greeting":
            wrong[name] += ["has to be scrolled"] * screen.frame.locator("html").evaluate(HIGHER)
    assert len(wrong) == 7
    assert not {name: each for name, each in wrong.items() if each}


def test_on_a_small_screen_the_start_the_greeting_and_with_the_largest_text_the_buttons_are_in_view(new_kiosk):
    screen = new_kiosk(viewport={"width": 360, "height": 640})
    for width, height in ((360, 640), (800, 480)):
        screen.page.set_viewport_size({"width": width, "height": height})
        expect(screen.page.get_by_role("button", name="Touch to start")).to_be_in_viewport(ratio=0.9)
        screen.begin()
        expect(screen.frame.locator(".greeting .text").first).to_be_in_viewport(ratio=1)
        expect(screen.frame.locator("[data-keyboard]")).to_be_hidden()
        screen.frame.locator("#message").tap()
        expect(screen.frame.locator("[data-keyboard]")).to_be_visible()
        for _ in range(3):  # 200 %
            screen.frame.locator("[data-text-size]").tap()
        screen.frame.locator("[data-suggestion]").first.evaluate("(button) => button.click()")
        expect(screen.chat.replies).to_have_count(1)
        assert screen.frame.locator(".box").bounding_box()["y"] > 0.55 * height  # above it is what is read
        screen.finish.tap()
        screen.expect("attract")
        screen.wait_for_visit()


def test_axe_finds_nothing_on_the_page_that_asks_for_the_code(new_visitor, site):
    page = new_visitor(viewport={"width": 810, "height": 1080}, has_touch=True).new_page()
    page.goto(f"{site.url}/kiosk/help/")
    page.locator("#code").fill("ABCD EFGH")
    page.locator("#code").press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    page.wait_for_load_state()
    alert, below = page.get_by_role("alert").bounding_box(), page.locator(".controls").bounding_box()
    assert complaints(page) + page.locator("button, a[href], input").evaluate_all(TOO_SMALL, TARGET) == []
    assert below["y"] >= alert["y"] + alert["height"]


def test_the_attract_screen_moves_to_prevent_burn_in(kiosk):
    """Over ten minutes no edge stays in place; with reduced motion it changes place now and then without moving."""
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
