"""Nothing that a visitor touches, drags, drops or types leaves the kiosk's screen."""

from playwright.sync_api import expect

ELSEWHERE = "https://elsewhere.example/"
LINKS = f"[our hours]({ELSEWHERE}hours), [call us](tel:+49891234), [write to us](mailto:me@elsewhere.example)."
BLOCKED = r"sandbox|Blocked|Content Security Policy|violates|Unsafe attempt|frame-src|ERR_BLOCKED"
HEARD = """body => body.ownerDocument.addEventListener("keydown", (event) => {
  window.top.refused = event.defaultPrevented;
})"""
LINK = (
    "page.body.insertAdjacentHTML('beforeend', `<p><a %s href='${where}'>a</a>`); page.querySelector('p > a').click()"
)
WAYS = ("page.defaultView.open(where)", "page.defaultView.print()", "page.defaultView.alert(where)")
REFUSED = """(root, type) => {
  const event = new Event(type, { bubbles: true, cancelable: true });
  root.ownerDocument.body.dispatchEvent(event);
  return event.defaultPrevented;
}"""


def test_no_link_key_menu_drag_or_pinch_leaves_the_kiosk(kiosk, upstream):
    """An alert's contact is an e-mail address."""
    types = ["contextmenu", "dragstart", "dragover", "drop", "selectstart", "copy", "auxclick", "gesturestart"]
    for root in (kiosk.root, kiosk.frame.locator("html")):
        assert [type for type in types if not root.evaluate(REFUSED, type)] == []
    upstream.will_reply(LINKS).will_refuse("BOT_DISABLED")
    kiosk.begin()
    kiosk.chat.ask("Where?")
    expect(kiosk.chat.replies).to_contain_text("our hours, call us, write to us.")
    assert kiosk.chat.replies.locator("a").count() == 0
    kiosk.chat.send("Hello")
    expect(kiosk.chat.alert).to_contain_text("owner@example.com")
    hrefs = kiosk.frame.locator("a").evaluate_all("links => links.map((each) => each.getAttribute('href'))")
    assert [href for href in hrefs if not href.startswith("#")] == []
    assert kiosk.page.locator("a").count() == 0

    kiosk.frame.locator("body").evaluate(HEARD)
    for keys in (*(f"Control+{key}" for key in "psoufntw"), "Control+Equal", "F1", "F5", "F12", "Alt+ArrowLeft"):
        kiosk.chat.box.press(keys)
        assert kiosk.page.evaluate("window.refused") is True, keys
    kiosk.chat.box.press("a")
    assert kiosk.page.evaluate("window.refused") is False
    kiosk.chat.write("A word to much")
    kiosk.chat.box.press("Control+a")
    kiosk.chat.box.press_sequentially("Better")
    expect(kiosk.chat.box).to_have_value("Better")

    devtools = kiosk.page.context.new_cdp_session(kiosk.page)
    pinch = {"x": 270, "y": 450, "scaleFactor": 3, "gestureSourceType": "touch"}
    devtools.send("Input.synthesizePinchGesture", pinch)
    assert kiosk.page.evaluate("visualViewport.scale") == 1


def test_navigation_is_blocked_and_a_frame_that_leaves_anyway_is_replaced(kiosk, watch):
    watch.expect(BLOCKED)
    kiosk.begin()
    kiosk.chat.ask("Before")
    kiosk.page.evaluate("document.querySelector('iframe').src = 'https://elsewhere.example/'")
    kiosk.expect("away")
    kiosk.pass_time(5)
    kiosk.expect("attract")
    kiosk.wait_for_visit()
    assert watch.foreign_requests == []
    kiosk.begin()
    kiosk.chat.expect_said()

    kiosk.chat.ask("Hello")
    before = kiosk.page.url

    def go(way: str) -> None:
        kiosk.frame.locator("body").evaluate(
            f"(body, where) => {{ const page = body.ownerDocument; {way}; }}", ELSEWHERE
        )
        kiosk.page.wait_for_timeout(50)
        assert (kiosk.page.url, len(kiosk.page.context.pages)) == (before, 1), way

    for attribute in ("", "target=_top", "target=_blank", "download"):
        go(LINK % attribute)
    for way in WAYS:
        go(way)
    kiosk.chat.expect_said("Hello")
    go("page.body.insertAdjacentHTML('beforeend', `<form id=send action='${where}'></form>`); page.forms.send.submit()")
    assert watch.foreign_requests == []  # whether or not the visit still runs
