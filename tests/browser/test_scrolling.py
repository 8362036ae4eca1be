"""Scrolling: a reply is shown from its start, and never moves the page under the reader, nor the focus."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from tests.browser.chat_page import ChatPage
from tests.browser.conftest import CUSTOMERS, MOVING
from tests.browser.test_portal import sign_in
from tests.browser.waiting import wait_for_rest, wait_until
from tests.webchat.upstream_server import UpstreamServer

LONG = "\n\n".join(f"Paragraph {number}. " + "Some words of it. " * 20 for number in range(30))
# Pixels by which the last words lie below the message box's upper edge, not counting the space reserved below a reply.
BELOW_THE_END = """(() => {
  const last = document.querySelector("[data-transcript]").lastElementChild.lastElementChild;
  const box = document.querySelector(".bottom").getBoundingClientRect();
  return last.getBoundingClientRect().bottom - box.top;
})()"""
# The scroll position of each frame, and each unexpected layout shift.
WATCH = """(() => {
  window.positions = [scrollY];
  window.shifts = [];
  const look = () => {
    if (positions.at(-1) !== scrollY) positions.push(scrollY);
    requestAnimationFrame(look);
  };
  look();
  const unasked = (list) => list.getEntries().filter((each) => !each.hadRecentInput).map((each) => each.value);
  new PerformanceObserver((list) => shifts.push(...unasked(list))).observe({ type: "layout-shift", buffered: true });
})()"""
TOP_BAR = 100  # px of the top bar, and a margin


def top_of(locator: Locator) -> float:
    """Return the top in pixels from the top of the window."""
    return locator.evaluate("element => element.getBoundingClientRect().top")


def scrolled(chat: ChatPage) -> float:
    return chat.page.evaluate("document.scrollingElement.scrollTop")


def at_the_end(chat: ChatPage) -> bool:
    wait_for_rest(chat.page)
    return chat.page.evaluate(BELOW_THE_END) < 3


def wheel(chat: ChatPage, pixels: int) -> None:
    """Turn the wheel and wait until scrolling has ended."""
    wait_for_rest(chat.page)
    before = scrolled(chat)
    chat.page.mouse.move(600, 300)
    chat.page.mouse.wheel(0, pixels)
    wait_until(chat.page, f"document.scrollingElement.scrollTop !== {before}")
    wait_for_rest(chat.page)


@pytest.fixture
def visitor(new_visitor: Callable[..., BrowserContext]) -> BrowserContext:
    return new_visitor(**MOVING)


@pytest.fixture
def long_chat(chat: ChatPage, upstream: UpstreamServer) -> ChatPage:
    """A conversation longer than the window."""
    upstream.will_reply(LONG)
    chat.ask("Tell me everything")
    return chat


def test_a_long_reply_is_shown_from_its_start_and_later_ones_stay_in_view(long_chat):
    wait_for_rest(long_chat.page)
    assert 0 < top_of(long_chat.messages.last) < TOP_BAR
    assert top_of(long_chat.replies.last) < 300
    assert not at_the_end(long_chat)
    expect(long_chat.to_reply).to_be_in_viewport()
    long_chat.to_reply.click()
    assert at_the_end(long_chat)
    expect(long_chat.to_reply).not_to_be_in_viewport()
    expect(long_chat.replies.last.locator("p").last).to_be_in_viewport()
    long_chat.write("a\nb\nc\nd\ne\nf")  # a box that grows hides nothing
    assert at_the_end(long_chat)

    long_chat.ask("And shortly?")
    expect(long_chat.replies.last).to_be_in_viewport()
    expect(long_chat.messages.last).to_be_in_viewport()
    wheel(long_chat, -5000)
    long_chat.ask("Where was I?")
    expect(long_chat.messages.last).to_be_in_viewport()
    long_chat.page.reload()
    expect(long_chat.replies.last).to_be_in_viewport()
    assert at_the_end(long_chat)


def test_each_message_scrolls_the_page_exactly_once(chat, upstream):
    """Checks each frame over two messages; the second scrolls from the end of a long reply."""
    page = chat.page
    page.set_viewport_size({"width": 360, "height": 640})
    page.evaluate(WATCH)
    for number, reply in enumerate((LONG, "At nine.\n\n- [And on Sundays?](#ask)"), start=1):
        answer_now = upstream.will_hold(reply)
        page.evaluate("positions.splice(0, positions.length - 1)")
        chat.box.click()
        page.keyboard.type("When do you open?")
        page.keyboard.press("Enter")
        chat.wait_until_asked(upstream, number)
        wait_for_rest(page)
        assert 0 < top_of(chat.messages.last) < TOP_BAR
        page.keyboard.type("And what")  # while waiting for the reply
        answer_now.set()
        expect(chat.replies).to_have_count(number)
        page.keyboard.type(" of Sundays?")
        page.mouse.move(180, 200)  # hover over the turn, so that its actions appear
        page.keyboard.press("Control+a")
        page.keyboard.press("Delete")
        wait_for_rest(page)
        assert 0 < top_of(chat.messages.last) < TOP_BAR
        assert len(page.evaluate("positions")) == 2, page.evaluate("positions")
        if number == 1:
            wheel(chat, 100_000)
    assert page.evaluate("shifts") == []


def test_after_a_refused_message_the_page_is_where_it_was(visitor, upstream, site, watch):
    watch.expect("status of 410")  # the bot has another address
    chat = ChatPage.open(visitor, f"{site.url}/chat/switched/")
    chat.page.set_viewport_size({"width": 360, "height": 640})
    chat.ask("When do you open?")
    wait_for_rest(chat.page)
    before = scrolled(chat)
    site.ask_database("UPDATE webchat_bot SET slug = 'renamed' WHERE slug = 'switched'")
    try:
        chat.send("And on Sundays?")
        expect(chat.refusal).to_be_visible()
    finally:
        site.ask_database("UPDATE webchat_bot SET slug = 'switched' WHERE slug = 'renamed'")
    wait_for_rest(chat.page)
    assert scrolled(chat) == before


# The position of the bot's face in each frame; 0 once the top bar covers it.
WATCH_FACE = """(() => {
  const face = document.querySelector("[data-greeting] .face");
  window.faces = [];
  const look = () => {
    const top = Math.max(face.getBoundingClientRect().top, 0);
    if (faces.at(-1) !== top) faces.push(top);
    requestAnimationFrame(look);
  };
  look();
})()"""


def test_the_greeting_does_not_move_until_the_first_message_scrolls_it_away(chat, upstream):
    """Typing, a growing message box and new content below move nothing; the cards leave with the greeting."""
    page = chat.page
    page.set_viewport_size({"width": 360, "height": 640})
    wait_for_rest(page)
    page.evaluate(WATCH)
    page.evaluate(WATCH_FACE)
    answer_now = upstream.will_hold("At nine.")
    chat.box.click()
    page.keyboard.type("When")
    for line in ("do you", "open?"):
        page.keyboard.press("Shift+Enter")
        page.keyboard.type(line)
    wait_for_rest(page)
    assert len(page.evaluate("faces")) == 1
    chat.suggestions.last.click()
    chat.wait_until_asked(upstream)
    wait_for_rest(page)
    answer_now.set()
    expect(chat.replies).to_have_count(1)
    wait_for_rest(page)
    faces = page.evaluate("faces")
    assert faces == sorted(faces, reverse=True)
    assert faces[-1] == 0 < top_of(chat.messages.last) < TOP_BAR
    expect(chat.suggestions.first).to_be_hidden()
    assert len(page.evaluate("positions")) == 2
    assert page.evaluate("shifts") == []


def test_sending_scrolls_smoothly_unless_motion_is_reduced(chat, upstream):
    """A reply that comes meanwhile joins the motion, however busy the page is."""
    upstream.will_reply(LONG)
    chat.page.evaluate(
        "window.glides = []; const { animate } = Element.prototype; Element.prototype.animate = "
        "function (...of) { const glide = animate.apply(this, of); glides.push(glide); return glide; };"
        "document.addEventListener('htmx:beforeSwap', () => { const end = Date.now() + 60; while (Date.now() < end); })"
    )
    chat.ask("When do you open?")
    wait_until(chat.page, "glides.length > 0")
    wait_for_rest(chat.page)
    assert chat.page.evaluate("glides.every((each) => each.effect.getTiming().duration <= 200)")
    assert chat.page.evaluate("new Set(glides.map((each) => each.startTime)).size") == 1
    chat.page.emulate_media(reduced_motion="reduce")
    chat.page.evaluate("glides = []")
    chat.ask("And on Sundays?")
    wait_for_rest(chat.page)
    assert chat.page.evaluate("glides") == []
    assert 0 < top_of(chat.messages.last) < TOP_BAR


def test_a_reader_who_has_scrolled_up_stays_there_and_is_offered_the_reply(long_chat, upstream):
    answer_now = long_chat.send_and_hold_reply(upstream, "More", LONG, 2)
    wheel(long_chat, -1500)
    expect(long_chat.waiting).not_to_be_in_viewport()
    before = scrolled(long_chat)
    answer_now.set()
    expect(long_chat.replies).to_have_count(2)
    expect(long_chat.to_reply).to_be_in_viewport()
    expect(long_chat.to_reply.locator("[data-count]")).to_have_text("1")
    wait_for_rest(long_chat.page)
    assert scrolled(long_chat) == before
    long_chat.expect_focus_in_box()

    long_chat.to_reply.click()
    expect(long_chat.messages.last).to_be_in_viewport()
    expect(long_chat.to_reply.locator("[data-count]")).to_be_empty()
    wait_for_rest(long_chat.page)
    assert 0 < top_of(long_chat.messages.last) < TOP_BAR


def test_an_arriving_reply_never_moves_the_focus(chat, upstream):
    chat.ask("First")
    places = (lambda: chat.box.focus(), lambda: chat.new_conversation.focus(), lambda: chat.box.blur())
    for number, go_there in enumerate(places, start=2):
        answer_now = chat.send_and_hold_reply(upstream, "Once more", LONG, number)
        go_there()
        focused = chat.page.evaluate_handle("document.activeElement")
        answer_now.set()
        expect(chat.replies).to_have_count(number)
        wait_for_rest(chat.page)
        assert focused.evaluate("element => element === document.activeElement")


def test_neither_typing_nor_tabbing_through_the_top_bar_scrolls_older_turns(long_chat):
    keys = "abc\nd\ne"  # the box grows
    long_chat.box.focus()
    wheel(long_chat, -1500)
    before = scrolled(long_chat)
    for key in keys:
        long_chat.page.keyboard.press("Shift+Enter" if key == "\n" else key)
        wait_for_rest(long_chat.page)
        assert scrolled(long_chat) == before
    expect(long_chat.box).to_have_value(keys)
    for control in long_chat.page.locator(".skip, .top :is(a, summary)").all():
        control.evaluate("element => element.focus()")
        wait_for_rest(long_chat.page)
        assert scrolled(long_chat) == before


def test_the_on_screen_keyboard_does_not_scroll_the_reader_away(chat):
    chat.page.set_viewport_size({"width": 360, "height": 640})
    for number in range(8):
        chat.ask(f"Question {number}")
    wheel(chat, -500)
    before = scrolled(chat)
    chat.page.set_viewport_size({"width": 360, "height": 340})
    wait_for_rest(chat.page)
    assert scrolled(chat) == before
    chat.page.set_viewport_size({"width": 360, "height": 640})
    wheel(chat, 100_000)
    chat.page.set_viewport_size({"width": 360, "height": 340})
    assert at_the_end(chat)
    expect(chat.replies.last).to_be_in_viewport(ratio=1)


def test_the_page_ends_below_its_last_entry_after_asking_for_a_person(new_visitor, site, upstream):
    visitor = new_visitor(**MOVING, viewport={"width": 360, "height": 640})
    sign_in(visitor, site, CUSTOMERS[-2])
    chat = ChatPage(visitor.new_page())
    page = chat.page
    page.goto(f"{site.url}/portal/chat/notified/")
    way_to_person = page.locator(".top [data-person]").bounding_box()
    chat.ask("Is my parcel lost?")
    assert page.locator(".top [data-person]").bounding_box() == way_to_person
    wait_for_rest(page)
    page.evaluate(WATCH)
    press(page.locator(".top [data-person]"))
    expect(page.locator("#leader")).to_contain_text("You are in the queue.")
    assert_the_page_ends_with_the_view(chat)
    chat.send("Please look")
    expect(page.locator("[data-state=person]")).to_have_count(1)
    wait_for_rest(page)
    assert 0 < top_of(chat.messages.last) < TOP_BAR
    press(page.get_by_role("button", name="Back to Ada"))
    expect(page.locator("li.event")).to_have_count(2)
    assert_the_page_ends_with_the_view(chat)
    assert len(page.evaluate("positions")) == 2, page.evaluate("positions")
    assert page.evaluate("shifts") == []


def press(button: Locator) -> None:
    """Press it where it is: Playwright's click may scroll first."""
    while not (box := button.bounding_box()):
        expect(button).to_be_visible()  # an update has just replaced it
    button.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def assert_the_page_ends_with_the_view(chat: ChatPage) -> None:
    """Expect the message that was sent last at the top of the view, with hardly anything to scroll to below it."""
    wait_for_rest(chat.page)
    assert 0 < top_of(chat.messages.last) < TOP_BAR
    element = "document.scrollingElement"
    assert chat.page.evaluate(f"{element}.scrollHeight - {element}.scrollTop - innerHeight") < TOP_BAR / 4


def test_a_field_that_opens_below_the_last_reply_is_in_view(chat, upstream):
    upstream.will_reply(LONG)
    chat.ask("Tell me everything")
    wheel(chat, 100_000)
    chat.page.get_by_role("button", name="Not helpful").last.click()
    opened = chat.page.locator(".why")
    expect(opened.get_by_role("button", name="Send")).to_be_visible()
    wait_for_rest(chat.page)
    bottom = opened.evaluate("element => element.getBoundingClientRect().bottom")
    assert bottom <= top_of(chat.page.locator(".bottom"))
