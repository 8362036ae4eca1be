"""Layout: enlarged, narrow, on a touch screen, without motion; nothing jumps while a reply appears."""

import io
import time

from PIL import Image
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import MOVING
from tests.browser.states import RICH, fail, say_much
from tests.browser.test_accessibility import BEYOND
from tests.browser.waiting import wait_until

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}

SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries())
    if (!entry.hadRecentInput)
      shifts.push([entry.value, ...entry.sources.map(({ node }) => node?.outerHTML?.slice(0, 120) ?? "text")]);
}).observe({ type: "layout-shift", buffered: true });
"""


WIDE = "|" + "a long header|" * 9 + "\n|" + "-|" * 9 + "\n|" + "x|" * 9


def test_on_a_phone_the_first_question_wide_tables_code_and_long_words_fit(new_visitor, site, upstream):
    visitor = new_visitor(**PHONE)
    chat = ChatPage.open(visitor, f"{site.url}/chat/rose/")  # even with the longest bot name
    question = chat.page.locator("[data-suggestion]").first
    bounds, bottom = question.bounding_box(), chat.page.locator(".bottom").bounding_box()
    assert bounds["y"] + bounds["height"] <= bottom["y"]

    upstream.will_reply(WIDE)
    chat.ask("Everything, please")
    a_wide_table_is_scrolled_with_the_keyboard_and_says_what_it_is(chat.page)
    upstream.will_reply(RICH)
    chat.ask("Hello")
    expect(chat.page.locator("figure .copy")).to_have_css("opacity", "1")

    page = visitor.new_page()
    page.goto(f"{site.url}/?lang=de")
    page.locator(".greeting .text").evaluate(
        """text => text.innerHTML = `<p>${"Donaudampfschifffahrtselektrizitätenhauptbetriebswerk".repeat(2)}</p>`"""
    )
    assert page.evaluate(BEYOND) == []


def a_wide_table_is_scrolled_with_the_keyboard_and_says_what_it_is(page: Page) -> None:
    frame = page.get_by_role("group", name="a long header, a long header")
    frame.focus()
    expect(frame).to_be_focused()
    page.keyboard.press("ArrowRight")
    wait_until(page, "document.activeElement.scrollLeft > 30")
    expect(frame.locator("td").first).to_be_in_viewport(ratio=1)  # the first column is sticky


def test_at_400_percent_the_box_stays_in_view_while_typing_and_a_dialog_shows_its_start(new_visitor, site, upstream):
    chat = ChatPage.open(new_visitor(viewport={"width": 320, "height": 256}), site.url)
    upstream.will_reply(RICH)
    chat.ask("When do you open?")
    chat.page.keyboard.type("Thank you")
    expect(chat.box).to_be_in_viewport(ratio=1)
    chat.page.locator("[data-menu] summary").press("Control+/")
    expect(chat.dialog.get_by_role("heading")).to_be_in_viewport(ratio=1)


def test_nothing_moves_with_reduced_motion_and_forced_colours_show_waiting_and_selection(new_visitor, site, upstream):
    chat = ChatPage.open(new_visitor(forced_colors="active"), site.url)
    answer_now = chat.send_and_hold_reply(upstream, "When do you open?", RICH)
    assert running_animations(chat.page) == []
    assert len(colours(chat.page.locator(".dots"))) > 1
    answer_now.set()
    expect(chat.replies).to_have_count(1)
    upstream.will_reply('At nine [1].\n\n[1] [Hours](#source "From nine.")\n[2] [Shop](#source "A shop.")')
    chat.ask("When?")
    chat.page.locator(".source summary").first.click()
    chips = edges(chat.page.locator(".source summary"))
    assert chips[0] != chips[1]
    chat.page.locator("[data-menu] summary").click()
    choices = edges(chat.page.locator(".choice label"))
    assert choices[0] != choices[1] == choices[2]
    chat.page.locator("[data-open-help]").click()
    assert running_animations(chat.page) == []


def edges(parts: Locator) -> list[str]:
    return parts.evaluate_all("all => all.map((one) => getComputedStyle(one).borderColor)")


def running_animations(page: Page) -> list[str]:
    return page.evaluate("document.getAnimations().map((each) => each.effect.target.outerHTML.slice(0, 80))")


def test_a_reply_is_readable_in_the_frame_in_which_it_arrives(chat, upstream):
    chat.page.emulate_media(**MOVING)
    chat.page.evaluate(
        """document.addEventListener("htmx:load", () => {
      const reply = document.querySelector("[data-reply]");
      if (!reply) return;
      requestAnimationFrame(() => {
        const parts = [reply, ...reply.querySelectorAll(":not(button, button *)")];
        const isSeen = (part) =>
          part.checkVisibility({ visibilityProperty: true }) && getComputedStyle(part).opacity === "1";
        window.readable = [reply.closest("article"), ...parts].every(isSeen);
      });
    });"""
    )
    upstream.will_reply(RICH)
    chat.ask("When do you open?")
    wait_until(chat.page, "window.readable !== undefined")
    assert chat.page.evaluate("readable")


def test_nothing_jumps_in_a_whole_conversation(new_visitor, site, upstream):
    """Cumulative layout shift is 0."""
    visitor = new_visitor(**PHONE, **MOVING)
    visitor.add_init_script(SHIFTS)
    chat = ChatPage.open(visitor, f"{site.url}/chat/rose/")
    chat.page.wait_for_timeout(300)
    for text in (RICH, "مرحبا بكم\n\n- الأول\n- الثاني", "word " * 300):
        upstream.will_reply(text, delay=0.7)  # longer than the 500 ms for which a key press excuses a shift
        chat.ask("And then?")
    upstream.will_refuse("BOT_DISABLED", delay=0.7)
    fail(chat, "And now?")
    chat.page.wait_for_timeout(100)
    assert chat.page.evaluate("shifts") == []


def test_nothing_jumps_when_a_long_conversation_is_opened_and_the_scripts_come_late(new_visitor, site, upstream):
    visitor = new_visitor(**PHONE, **MOVING)
    visitor.add_init_script(SHIFTS)
    chat = ChatPage.open(visitor, site.url)
    say_much(chat, upstream, 10)
    upstream.will_reply("Code at the end:\n\n```\nmake run\n```")
    chat.ask("How?")
    visitor.route("**/*.js", arrive_late)
    with_cache_off(chat.page)
    chat.page.reload()
    expect(chat.page.locator("html[data-live]")).to_be_attached()
    chat.page.wait_for_timeout(300)
    assert chat.page.evaluate("shifts") == []


def arrive_late(route: Route) -> None:
    time.sleep(0.7)  # the page is painted by then, and a press no longer excuses a shift
    route.continue_()


def with_cache_off(page: Page) -> None:
    page.context.new_cdp_session(page).send("Network.setCacheDisabled", {"cacheDisabled": True})


def colours(part: Locator) -> set[tuple[int, int, int]]:
    picture = Image.open(io.BytesIO(part.screenshot())).convert("RGB")
    return {colour for _count, colour in picture.getcolors()}
