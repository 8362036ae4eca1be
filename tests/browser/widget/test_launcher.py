"""The widget's button on a website: opening, closing, the unread badge, and its JavaScript API."""

import gzip
import io
import re

from PIL import Image
from playwright.sync_api import expect

from tests.browser.axe import complaints, load_axe
from tests.browser.waiting import wait_for_rest, wait_until
from tests.browser.widget.host_page import MUSEUM, SHOP, ask, chat_in, launcher, page_with, send


def test_a_strict_host_needs_only_the_documented_policy_and_two_snippets_show_one_button(shop, hosts, chat_site):
    twice = f'<script src="{chat_site.url}/embed.js" data-bot="help"></script>'
    policy = f"default-src 'none'; script-src {chat_site.url}; frame-src {chat_site.url}; connect-src {chat_site.url}"
    hosts.pages[SHOP, "/strict"] = (page_with(chat_site, body=twice), {"Content-Security-Policy": policy})
    said: list[str] = []
    shop.on("console", lambda message: said.append(message.text))
    shop.goto(hosts.origin(SHOP) + "/strict")
    expect(launcher(shop)).to_have_count(1)
    launcher(shop).click()
    ask(shop, "Within a strict page")
    assert not [text for text in said if "Content Security Policy" in text and "favicon" not in text]
    box = launcher(shop).bounding_box()
    assert box["width"] >= 44
    assert box["x"] > 1000  # its style sheet has loaded: in the corner


def test_axe_finds_nothing_in_the_open_chat_which_survives_a_body_swap_and_stays_open_on_the_next_page(shop):
    launcher(shop).click()
    ask(shop, "Before the swap")
    load_axe(shop.frames[1])
    assert complaints(shop) == []
    shop.evaluate(
        """() => {
            const body = document.createElement("body");
            body.innerHTML = "<h1>New</h1>";
            document.body.replaceWith(body);
        }"""
    )
    expect(launcher(shop)).to_be_visible()
    ask(shop, "After the swap")
    shop.evaluate("() => document.querySelector('webchat-launcher').remove()")
    expect(launcher(shop)).to_be_visible()
    expect(chat_in(shop).locator("[data-message]")).to_have_text(["Before the swap", "After the swap"])
    shop.goto(shop.url + "second")
    expect(chat_in(shop).locator("#message")).to_be_visible()
    expect(chat_in(shop).locator("#message")).not_to_be_focused()


LOUD = """<style>
:not(html) { opacity: 0.5; letter-spacing: 9px; text-transform: uppercase; line-height: 4; transform: rotate(3deg) }
html { font-size: 62.5% }
html > * { float: left; margin: 3rem; border: 9px solid; filter: invert(1) }
button, dialog, iframe, svg { display: none !important }
:root { --webchat-bottom: 100px }
</style>"""
READ = """element => {
  const { opacity, letterSpacing, textTransform, transform } = getComputedStyle(element);
  return [opacity, letterSpacing, textTransform, transform, element.checkVisibility({ opacityProperty: true })];
}"""


def test_the_websites_styles_do_not_affect_the_widget_but_can_raise_it_above_a_bar_or_hide_it(shop, hosts, chat_site):
    hosts.pages[SHOP, "/loud"] = (page_with(chat_site, attributes='data-label="Questions?"', body=LOUD), {})
    shop.goto(hosts.origin(SHOP) + "/loud")
    assert launcher(shop).evaluate(READ) == ["1", "normal", "none", "none", True]
    box = launcher(shop).bounding_box()
    assert (box["y"] + box["height"], box["height"]) == (700, 56)
    launcher(shop).click()
    chat = shop.locator("webchat-launcher dialog")
    wait_for_rest(shop)
    assert chat.evaluate(READ) == ["1", "normal", "none", "none", True]
    assert chat.bounding_box()["y"] >= 0
    assert chat.bounding_box()["y"] + chat.bounding_box()["height"] < box["y"]
    shop.add_style_tag(content="webchat-launcher { display: none }")
    expect(chat).to_be_hidden()


def test_the_chat_learns_the_pages_url_without_query_and_fragment(shop, hosts, chat_site):
    shop.goto(hosts.origin(SHOP) + "/?token=secret#account")
    launcher(shop).click()
    for page in ("/", "/parcels/1"):
        with shop.expect_request("**/messages") as sent:
            ask(shop, f"From {page}")
        assert sent.value.headers["webchat-page"] == hosts.origin(SHOP) + page
        if page == "/":  # as a single-page app
            shop.evaluate("history.pushState(null, '', '/parcels/1?token=secret')")
            ask(shop, "Somewhere else")


def test_the_keyboard_opens_and_closes_the_chat_and_a_reply_while_closed_is_counted_and_announced(shop, upstream):
    answer_now = upstream.will_hold("Here I am")
    expect(launcher(shop)).to_have_attribute("aria-expanded", "false")
    launcher(shop).focus()
    shop.keyboard.press("Enter")
    expect(launcher(shop)).to_have_attribute("aria-expanded", "true")
    expect(chat_in(shop).locator("#message")).to_be_focused()
    expect(chat_in(shop).locator("[data-close]")).to_be_hidden()  # where the launcher is in view
    send(shop, "Slow one")
    upstream.wait_for_requests(1)
    expect(chat_in(shop).locator("[data-transcript] [data-waiting]")).to_have_count(1)
    shop.keyboard.press("Escape")
    expect(launcher(shop)).to_have_attribute("aria-expanded", "false")
    expect(launcher(shop)).to_be_focused()
    answer_now.set()
    expect(shop.locator("webchat-launcher .badge")).to_have_text("1")
    expect(shop.locator("webchat-launcher [role=status]")).to_have_text("New messages: 1")
    launcher(shop).click()
    expect(shop.locator("webchat-launcher .badge")).to_be_hidden()


def test_on_a_phone_the_chat_fills_the_screen_and_a_double_tap_on_the_button_presses_nothing_in_it(
    new_visitor, hosts, chat_site, upstream
):
    hosts.pages = {(SHOP, "/"): (page_with(chat_site), {})}
    page = new_visitor(viewport={"width": 320, "height": 640}, has_touch=True).new_page()
    page.goto(hosts.origin(SHOP))
    launcher(page).tap()
    ask(page, "On the phone")
    chat, dialog = chat_in(page), page.locator("webchat-launcher dialog")
    expect(dialog).to_have_css("scale", "1")  # it has opened
    assert dialog.bounding_box() == {"x": 0, "y": 0, "width": 320, "height": 640}
    chat.locator("[data-menu] summary").click()
    expect(chat.locator("[data-menu] .sheet")).to_be_in_viewport(ratio=1)
    chat.get_by_role("textbox", name="Message").fill("A draft")
    chat.get_by_role("button", name="Close").tap()
    expect(launcher(page)).to_be_focused()
    expect(dialog).to_be_hidden()
    button = launcher(page).bounding_box()
    send = button["x"] + button["width"] * 0.6, button["y"] + button["height"] * 0.7
    for _ in range(2):
        page.touchscreen.tap(*send)
    page.wait_for_timeout(600)
    expect(chat.get_by_role("textbox", name="Message")).to_have_value("A draft")
    assert len(upstream.requests) == 1


def test_the_page_can_control_the_chat_receives_its_events_and_keeps_the_draft(shop, upstream):
    shop.evaluate(
        """() => {
            window.heard = [];
            for (const event of ["ready", "open", "close", "message", "reply", "error"])
                Webchat.on(event, (detail) => heard.push(detail ? `${event} ${detail.code}` : event));
            Webchat.send("From the page");
        }"""
    )
    expect(chat_in(shop).locator("[data-reply]")).to_have_count(1)
    upstream.will_refuse("BOT_DISABLED", status=403)
    shop.evaluate("() => Webchat.send('Once more')")
    expect(chat_in(shop).locator("[data-transcript] [data-alert]")).to_have_count(1)
    wait_until(shop, "heard.includes('error BOT_DISABLED')")
    shop.evaluate("() => Webchat.close()")
    shop.evaluate("() => Webchat.toggle()")
    wait_until(shop, "heard.at(-1) === 'open'")
    heard = shop.evaluate("() => heard")
    assert heard == ["open", "ready", "message", "reply", "message", "error BOT_DISABLED", "close", "open"]
    shop.evaluate("() => Webchat.newConversation()")
    expect(chat_in(shop).locator("[data-turn]")).to_have_count(0)
    ask(shop, "A new one")
    assert upstream.requests[-1].chat_id is None

    box, replies = chat_in(shop).locator("#message"), chat_in(shop).locator("[data-reply]")
    box.fill("Not finished ye")
    answer_now = upstream.will_hold("Here it is")
    shop.evaluate("() => Webchat.send('Once more')")
    expect(chat_in(shop).locator("[data-message]")).to_have_text(["A new one", "Once more"])
    expect(box).to_have_value("Not finished ye")
    upstream.wait_for_requests(4)
    shop.evaluate("() => Webchat.send('Too early')")
    expect(box).to_have_value("Too early\nNot finished ye")
    answer_now.set()
    expect(replies).to_have_count(2)
    expect(box).to_have_value("Too early\nNot finished ye")
    assert len(upstream.requests) == 4
    shop.evaluate("() => Webchat.destroy()")
    expect(launcher(shop)).to_have_count(0)


def test_calls_before_the_script_has_loaded_are_queued_and_the_types_list_each(shop, hosts, chat_site, upstream):
    early = """<script>
        heard = [];
        (window.webchatCalls ??= []).push((webchat) => webchat.on("unread", ({ count }) => heard.push(count)));
        webchatCalls.push((webchat) => webchat.show("Can I help?"));
    </script>"""
    hosts.pages[SHOP, "/early"] = (early + page_with(chat_site), {})
    shop.goto(hosts.origin(SHOP) + "/early")
    expect(shop.get_by_role("button", name="Can I help?")).to_be_visible()
    answer_now = upstream.will_hold("Here I am")
    shop.evaluate("webchatCalls.push((webchat) => webchat.send('Hello'))")
    upstream.wait_for_requests(1)
    expect(shop.get_by_role("button", name="Can I help?")).to_be_hidden()
    shop.evaluate("Webchat.close()")
    answer_now.set()
    wait_until(shop, "heard.length === 1")
    shop.evaluate("Webchat.open()")
    wait_until(shop, "heard.join() === '1,0'")

    beside = shop.context.new_page()
    types = beside.goto(f"{chat_site.url}/embed.d.ts")
    assert types.headers["access-control-allow-origin"] == "*"
    interface = types.text().split("interface Webchat {")[1].split("\n}")[0]
    assert set(re.findall(r"^  (\w+)[(<]", interface, re.MULTILINE)) == set(shop.evaluate("Object.keys(Webchat)"))
    script = beside.goto(f"{chat_site.url}/embed.js")
    assert len(gzip.compress(script.body(), 9)) <= 4096
    assert script.headers["cross-origin-resource-policy"] == "cross-origin"


def test_the_page_receives_messages_only_if_the_owner_allows_it(shop, hosts, chat_site, upstream):
    for bot in ("help", "shared"):
        hosts.pages[SHOP, f"/{bot}"] = (page_with(chat_site, bot=bot), {})
    listen = (
        "heard = []; addEventListener('message', ({ data }) => heard.push(JSON.stringify(data)));"
        "for (const name of ['message', 'reply']) Webchat.on(name, (detail) => heard.push(name + ' ' + detail?.text))"
    )
    for bot, heard in (("help", {"message undefined", "reply undefined"}), ("shared", {"message Hi", "reply Ho, you"})):
        shop.goto(f"{hosts.origin(SHOP)}/{bot}")
        shop.evaluate(listen)
        upstream.will_reply("Ho, *you*")
        shop.evaluate("Webchat.send('Hi')")
        expect(chat_in(shop).locator("[data-reply]")).to_have_text("Ho, you")
        wait_until(shop, "heard.some((each) => each.startsWith('reply'))")
        assert heard <= set(shop.evaluate("heard"))
        assert ("Ho" in str(shop.evaluate("heard"))) == (bot == "shared")


def test_messages_from_other_windows_are_ignored(shop, hosts, upstream):
    hosts.pages[MUSEUM, "/advertisement"] = ("<!doctype html><title>An advertisement</title>", {})
    launcher(shop).click()
    ask(shop, "Hello")
    shop.evaluate(
        """async (address) => {
            window.heard = [];
            Webchat.on("reply", () => heard.push("reply"));
            Webchat.on("close", () => heard.push("close"));
            const frame = Object.assign(document.createElement("iframe"), { src: address });
            document.body.append(frame);
            await new Promise((loaded) => (frame.onload = loaded));
        }""",
        f"{hosts.origin(MUSEUM)}/advertisement",
    )
    advertisement = next(frame for frame in shop.frames if "advertisement" in frame.url)
    advertisement.evaluate(
        """() => {
            for (const type of ["reply", "close"]) parent.postMessage({ webchat: "help", type }, "*");
            for (let frame = 0; frame < parent.length; frame++)
                parent[frame].postMessage({ webchat: "help", type: "send", text: "Forged" }, "*");
        }"""
    )
    shop.wait_for_timeout(200)
    assert shop.evaluate("heard") == []
    ask(shop, "Mine")
    expect(chat_in(shop).locator("[data-message]")).to_have_text(["Hello", "Mine"])
    assert upstream.messages == ["Hello", "Mine"]


def test_the_chat_can_be_embedded_in_the_page_itself(shop, hosts, chat_site):
    place = '<div id="here" style="height: 500px"></div>'
    hosts.pages[SHOP, "/inline"] = (
        page_with(chat_site, attributes='data-target="#here" data-lang="de"', body=place),
        {},
    )
    shop.goto(hosts.origin(SHOP) + "/inline")
    ask(shop, "Im Rahmen")
    expect(launcher(shop)).to_have_count(0)
    expect(shop.frame_locator("#here iframe").locator("html")).to_have_attribute("lang", "de")


def test_a_double_click_opens_the_chat_which_keeps_the_size_that_the_visitor_chose(shop):
    launcher(shop).dblclick()
    window, corner = shop.locator("webchat-launcher dialog"), shop.locator("webchat-launcher .grip")
    expect(window).to_have_css("scale", "1")  # it has opened
    usual = window.bounding_box()
    box = corner.bounding_box()
    shop.mouse.move(box["x"] + 5, box["y"] + 5)
    shop.mouse.down()
    shop.mouse.move(box["x"] - 100, box["y"] + 50, steps=3)
    shop.mouse.up()
    dragged = window.bounding_box()
    assert (round(dragged["x"]), round(dragged["y"])) == (round(box["x"] - 100), round(box["y"] + 50))
    corner.focus()
    shop.keyboard.press("ArrowLeft")
    shop.keyboard.press("ArrowDown")
    wider = window.bounding_box()
    assert (wider["width"], wider["height"]) == (dragged["width"] + 32, dragged["height"] - 32)
    shop.reload()
    expect(window).to_have_css("scale", "1")
    assert window.bounding_box() == wider
    corner.click()
    assert window.bounding_box() == usual


def test_on_a_website_that_zooms_itself_all_of_the_chat_is_in_view(shop, hosts, chat_site):
    zoomed = page_with(chat_site, body="<style>html { zoom: 1.25 }</style>")
    hosts.pages[SHOP, "/zoomed"] = (zoomed, {})
    shop.goto(hosts.origin(SHOP) + "/zoomed")
    launcher(shop).click()
    window = shop.locator("webchat-launcher dialog")
    wait_for_rest(shop)
    expect(window).to_be_in_viewport(ratio=1)
    shop.set_viewport_size({"width": 320, "height": 500})  # as a phone, whose keyboard comes
    shop.keyboard.press("Escape")
    launcher(shop).click()
    wait_for_rest(shop)
    shop.set_viewport_size({"width": 320, "height": 450})
    expect(window).to_have_css("block-size", "360px")
    assert window.bounding_box() == {"x": 0, "y": 0, "width": 320, "height": 450}


def test_the_chat_follows_the_browsers_colour_scheme_or_the_websites(new_visitor, hosts, chat_site, upstream):
    light = page_with(chat_site, attributes='data-theme="light"')
    hosts.pages = {(SHOP, "/"): (page_with(chat_site), {}), (MUSEUM, "/"): (light, {})}
    page = new_visitor(color_scheme="dark").new_page()
    page.goto(hosts.origin(SHOP))
    launcher(page).click()
    chat, dialog = chat_in(page), page.locator("webchat-launcher dialog")
    expect(chat.get_by_role("textbox", name="Message")).to_be_visible()
    dialog.evaluate("window => Promise.all(window.getAnimations({ subtree: true }).map((each) => each.finished))")
    picture = Image.open(io.BytesIO(page.locator("webchat-launcher iframe").screenshot())).convert("RGB")
    middle = picture.height // 2
    start, end = picture.getpixel((2, middle)), picture.getpixel((picture.width - 3, middle))
    assert start == end
    assert max(start) < 0x40

    page.goto(hosts.origin(MUSEUM))
    launcher(page).click()
    expect(chat.locator("html")).to_have_attribute("data-theme", "light")
    expect(chat.locator("html")).to_have_css("color-scheme", "light")
    ask(page, "Still light")
    expect(chat.locator("html")).to_have_attribute("data-theme", "light")
