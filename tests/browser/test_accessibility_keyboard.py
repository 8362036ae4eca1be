"""With the keyboard alone: everything is reachable in a sensible order, the focus is always visible, never lost."""

from collections.abc import Iterator

from playwright.sync_api import Page, expect

from tests.browser.chat_page import ChatPage
from tests.browser.site import SUGGESTIONS
from tests.browser.states import RICH, fail, say_much
from tests.browser.waiting import wait_for_rest

NAME = """element => {
  if (element.matches("pre, [data-reply] > div")) return element.localName;
  const named = element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? element.textContent;
  return named.trim().replace(/\\s+/g, " ");
}"""

# Is the whole focused element visible, with a focus mark?
SEEN = """element => {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const within = left >= 0 && right <= innerWidth + 1 && top >= 0 && bottom <= innerHeight + 1;
  const uncovered = [top + 3, (top + bottom) / 2, bottom - 3].every((y) => {
    const hit = document.elementFromPoint((left + right) / 2, y);
    return hit && (hit.contains(element) || element.contains(hit) || hit.contains(element.labels?.[0] ?? element));
  });
  const marked = [element, element.closest(".box, .choice label")].some((each) => {
    const { outlineStyle, outlineWidth } = each ? getComputedStyle(each) : {};
    return each && outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  });
  return { within, uncovered, marked };
}"""


def tab_through(page: Page, key: str = "Tab") -> Iterator[str]:
    """Press Tab until the focus leaves the page; return the name of each focused element, all of them fully visible."""
    seen = []
    while True:
        page.keyboard.press(key)
        focused = page.evaluate_handle("document.activeElement").as_element()
        if focused.evaluate("(element, first) => [document.body, first].includes(element)", seen[0] if seen else None):
            return
        seen.append(focused)
        name = focused.evaluate(NAME)
        wait_for_rest(page)  # scrolling and transitions have ended
        assert focused.evaluate(SEEN) == {"within": True, "uncovered": True, "marked": True}, name
        yield name


def test_the_focus_starts_in_the_box_and_tab_reaches_everything_on_an_empty_page(chat):
    chat.expect_focus_in_box()
    link = chat.page.get_by_role("link", name="Skip to the message box")
    link.focus()
    expect(link).to_be_in_viewport()
    way = ["Menu", *SUGGESTIONS, "Message", "Send"]
    assert list(tab_through(chat.page)) == way
    assert list(tab_through(chat.page, "Shift+Tab")) == [*reversed(way), "Skip to the message box"]
    link.focus()
    chat.page.keyboard.press("Enter")
    chat.expect_focus_in_box()
    chat.page.keyboard.type("What about ? and /")
    expect(chat.box).to_have_value("What about ? and /")
    chat.page.keyboard.press("Enter")
    expect(chat.replies).to_have_count(1)
    chat.page.reload()
    chat.expect_focus_in_box()


def test_tab_reaches_everything_in_a_conversation(new_visitor, site, upstream):
    chat = ChatPage.open(new_visitor(viewport={"width": 320, "height": 256}), site.url)
    upstream.will_reply(RICH)
    chat.ask("When do you open?")
    upstream.will_refuse("BOT_DISABLED")
    fail(chat, "And then?")
    chat.page.locator("[data-menu] summary").focus()
    chat.page.keyboard.press("Shift+Tab")
    chat.page.keyboard.press("Shift+Tab")
    reply = ["div", "pre", "Copy", "the hours", "Copy", "Helpful", "Not helpful", "Read aloud"]
    way = ["Menu", *reply, "Edit and send again", "Contact us", "Go to the reply", "Message", "Send"]
    assert list(tab_through(chat.page)) == ["New conversation", *way]
    assert list(tab_through(chat.page, "Shift+Tab")) == [*reversed(way), "New conversation", "Skip to the message box"]


def test_page_keys_in_an_empty_box_scroll_the_conversation_and_no_bar_covers_the_focus(new_visitor, site, upstream):
    chat = ChatPage.open(new_visitor(viewport={"width": 360, "height": 640}), site.url)
    say_much(chat, upstream, 10)
    wait_for_rest(chat.page)
    end = top = chat.page.evaluate("scrollY")
    chat.box.focus()
    for key, moved in (("PageUp", -1), ("PageUp", -1), ("PageDown", 1), ("Home", -1), ("End", 1)):
        chat.page.keyboard.press(key)
        now = chat.page.evaluate("scrollY")
        assert (now - top) * moved > 0, key
        top = now
        chat.expect_focus_in_box()
    assert abs(top - end) <= 1

    chat.write("a\nb\nc\nd\ne\nf")  # a composer that fills much of the window
    way = list(tab_through(chat.page, "Shift+Tab"))
    assert way.count("Copy") > 10


def test_on_a_touch_screen_the_keyboard_opens_only_on_request(new_visitor, site):
    phone = new_visitor(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
    chat = ChatPage.open(phone, site.url)
    expect(chat.box).not_to_be_focused()
    chat.suggestions.first.tap()
    expect(chat.replies).to_have_count(1)
    expect(chat.box).not_to_be_focused()


def open_menu(chat: ChatPage) -> None:
    chat.page.locator("[data-menu] summary").focus()
    chat.page.keyboard.press("Enter")
    expect(chat.page.locator("[data-menu] .sheet")).to_be_visible()


def expect_focus_on_menu(chat: ChatPage) -> None:
    expect(chat.page.locator("[data-menu] .sheet")).to_be_hidden()
    expect(chat.page.locator("[data-menu] summary")).to_be_focused()


def test_the_menu_closes_when_the_focus_leaves_it_and_escape_returns_the_focus(chat):
    page = chat.page
    chat.ask("Hello")
    open_menu(chat)
    sheet, way = page.locator("[data-menu] .sheet"), []
    in_menu = ["Text", "HTML", "JSON", "Print", "System", "Sound when a reply arrives", "Keyboard help Ctrl + /"]
    below = ["Edit and send again", "Copy", "Helpful", "Not helpful", "Read aloud", "Go to the reply"]
    for name in tab_through(page):
        way.append(name)
        if len(way) == len(in_menu):
            expect(sheet).to_be_visible()
    assert way == [*in_menu, *below, "Message", "Send"]
    expect(sheet).to_be_hidden()

    open_menu(chat)
    page.get_by_role("radio", name="System").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="Light")).to_be_focused()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    page.keyboard.press("Escape")
    expect_focus_on_menu(chat)

    for way in ("Escape", "Enter"):
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Keyboard help").focus()
        page.keyboard.press("Enter")
        expect(chat.dialog).to_be_visible()
        if way == "Enter":
            chat.dialog.get_by_role("button", name="Close").focus()
        page.keyboard.press(way)
        expect(chat.dialog).to_be_hidden()
        expect_focus_on_menu(chat)


def test_only_control_and_slash_open_the_keyboard_help_which_closes_when_the_focus_leaves_it(chat):
    for keys in ("?", "/", "Alt+/", "Meta+/"):
        chat.box.press(keys)
        expect(chat.dialog, keys).to_be_hidden()
    for place in (chat.box, chat.page.locator("[data-menu] summary")):
        place.press("Control+/")
        expect(chat.dialog).to_have_accessible_name("Keyboard help")
        chat.page.keyboard.press("Escape")
        expect(chat.dialog).to_be_hidden()
        expect(place).to_be_focused()
    chat.page.keyboard.press("Control+/")
    chat.page.keyboard.press("Tab")
    expect(chat.dialog.get_by_role("button", name="Close")).to_be_focused()
    chat.page.keyboard.press("Shift+Tab")
    expect(chat.dialog).to_be_hidden()


def test_the_focus_stays_where_the_message_was_sent_and_typing_continues(chat, upstream):
    answer_now = upstream.will_hold("At nine")
    chat.suggestions.first.focus()
    chat.page.keyboard.press("Enter")
    chat.wait_until_asked(upstream)
    chat.page.keyboard.type("And on Sundays?")
    answer_now.set()
    expect(chat.replies).to_have_count(1)
    expect(chat.box).to_have_value("And on Sundays?")
    chat.expect_focus_in_box()

    chat.send_button.focus()
    chat.page.keyboard.press("Enter")
    expect(chat.replies).to_have_count(2)
    expect(chat.send_button).to_be_focused()
    chat.page.keyboard.press("Enter")
    expect(chat.refusal).to_be_visible()
    expect(chat.send_button).to_be_focused()

    upstream.will_reply("We open at nine.\n\n- [Where are you?](#ask)\n- [How do I pay?](#ask)")
    chat.send("When?")
    expect(chat.replies.last).to_have_text("We open at nine.")
    offered = chat.page.get_by_role("list", name="Suggested questions").get_by_role("button").locator("visible=true")
    expect(offered).to_have_text(["Where are you?", "How do I pay?"])
    upstream.will_reply("In the old town.")
    offered.first.focus()
    chat.page.keyboard.press("Enter")
    expect(chat.messages.last).to_have_text("Where are you?")
    expect(chat.replies.last).to_have_text("In the old town.")
    expect(offered).to_have_count(0)
    chat.expect_focus_in_box()


def test_go_to_the_reply_and_send_again_move_the_focus_whatever_the_outcome(chat, upstream):
    chat.ask("Hello")
    for _ in range(2):
        chat.expect_focus_in_box()
        chat.page.keyboard.press("Shift+Tab")
        expect(chat.to_reply).to_be_focused()
        expect(chat.to_reply).to_be_in_viewport(ratio=1)
        chat.page.keyboard.press("Enter")
        expect(chat.page.locator(".theirs, .turn > [data-alert]").last).to_be_focused()
        upstream.will_refuse("BOT_DISABLED")
        fail(chat, "Hello")
    upstream.will_close(times=2)
    fail(chat, "Hello")
    for _ in range(2):
        asked = len(upstream.requests)
        chat.control("resend").focus()
        chat.page.keyboard.press("Enter")
        upstream.wait_for_requests(asked + 1)
        expect(chat.waiting).to_have_count(0)
        expect(chat.turns.last).to_be_focused()
    expect(chat.replies).to_have_count(2)
