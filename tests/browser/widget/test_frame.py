"""The chat in a frame on other websites: two origins over TLS, with and without third-party cookies."""

from playwright.sync_api import BrowserContext, FrameLocator, expect

from tests.browser.axe import complaints
from tests.browser.conftest import MOVING
from tests.browser.host_sites import SecureSite
from tests.browser.test_accessibility_layout import SHIFTS
from tests.browser.waiting import wait_for_rest, wait_for_some, wait_until
from tests.browser.widget.host_page import (
    MUSEUM,
    SHOP,
    STRANGER,
    ask,
    chat_in,
    identity,
    launcher,
    page_with,
    resumed_in,
    send,
    shop_of,
)


def test_without_third_party_cookies_a_conversation_survives_a_restart(browsers, hosts, chat_site, upstream):
    hosts.pages = {(SHOP, "/"): (page_with(chat_site), {}), (SHOP, "/second"): (page_with(chat_site), {})}
    visitor = browsers.start()
    page = visitor.new_page()
    page.goto(hosts.origin(SHOP))
    page.get_by_role("button", name="Open the chat").click()
    ask(page, "First")
    page.get_by_role("link", name="Second page").click()
    expect(chat_in(page).locator("[data-message]")).to_have_text(["First"])
    ask(page, "Second")
    visitor.close()

    page = browsers.start().new_page()
    page.goto(hosts.origin(SHOP))
    page.get_by_role("button", name="Open the chat").click()
    expect(chat_in(page).locator("[data-message]")).to_have_text(["First", "Second"])
    ask(page, "Third")
    first, second, third = (request.json.get("chatId") for request in upstream.requests)
    assert (first, second) == (None, third)
    assert second is not None
    assert not visitor_cookies(page.context)


def test_the_start_page_scrolls_away_and_a_message_survives_a_page_change_before_its_reply(shop, upstream):
    answer_now = upstream.will_hold("Here it is")
    launcher(shop).click()
    topics = chat_in(shop).locator("[data-suggestions]")
    topics.evaluate("""(topics) => document.addEventListener("webchat:drawn", () =>
      queueMicrotask(() => (topics.dataset.stood = topics.checkVisibility())))""")
    send(shop, "First")
    upstream.wait_for_requests(1)
    expect(topics).to_have_attribute("data-stood", "true")
    expect(topics).to_be_hidden()
    shop.get_by_role("link", name="Second page").click()
    expect(chat_in(shop).locator("[data-message]")).to_have_text(["First"])
    answer_now.set()
    expect(chat_in(shop).locator("[data-reply]")).to_have_text(["Here it is"])
    assert len(upstream.requests) == 1


def test_the_start_page_offers_the_conversation_and_opens_first_after_an_hour(shop, chat_site, upstream):
    shop.context.add_init_script(SHIFTS)
    shop.emulate_media(**MOVING)
    shop.reload()
    launcher(shop).click()
    ask(shop, "Where is my order?")
    chat = chat_in(shop)
    transcript, last = chat.locator("[data-transcript]"), chat.locator("[data-continue]")
    chat.get_by_role("button", name="Start page").click()
    expect(transcript).to_be_hidden()
    last.press("Enter")
    expect(transcript).to_be_visible()
    chat.get_by_role("button", name="Start page").click()
    wait_for_rest(shop.frames[1])
    shop.frames[1].evaluate("shifts.length = 0")
    chat.locator("[data-suggestion]").first.click()
    expect(chat.locator("[data-transcript] [data-reply]")).to_have_count(2)
    assert shop.frames[1].evaluate("shifts") == []  # the start page scrolls away unchanged
    expect(transcript).to_be_visible()
    assert upstream.requests[1].chat_id  # the same conversation

    shop.reload()
    expect(transcript.locator("[data-message]").first).to_be_visible()
    long_ago = "2026-01-02 03:04:05"
    chat_site.ask_database(f"UPDATE webchat_turn SET created_at = '{long_ago}', ended_at = '{long_ago}'")
    shop.reload()
    expect(last).to_contain_text("When are you open?")
    expect(transcript).to_be_hidden()
    assert complaints(shop) == []


def test_the_visitor_sees_which_page_goes_with_the_first_message(shop, hosts, chat_site, upstream):
    prices = hosts.origin(SHOP) + "/prices"
    hosts.pages[SHOP, "/prices"] = (page_with(chat_site, bot="placed"), {})
    shop.goto(f"{prices}?coupon=secret")
    launcher(shop).click()
    chat = chat_in(shop)
    label = chat.locator("[data-tell-page]")
    expect(label).to_contain_text(prices.removeprefix("https://"))
    ask(shop, "How much is it?")
    expect(chat.locator("[data-told-page]")).to_have_text(prices.removeprefix("https://"))
    expect(chat.locator("[data-message]")).to_have_text("How much is it?")
    expect(label).to_be_hidden()
    ask(shop, "And two?")
    shop.evaluate("Webchat.newConversation()")
    expect(chat.locator("[data-turn]")).to_have_count(0)
    label.get_by_role("checkbox").uncheck()
    ask(shop, "How long does it take?")
    messages = upstream.messages
    assert messages == [f"{prices}\n\nHow much is it?", "And two?", "How long does it take?"]


def visitor_cookies(context: BrowserContext) -> list[str]:
    return [cookie["name"] for cookie in context.cookies()]


def count_rows(site: SecureSite) -> list[int]:
    """Return how many conversations and sessions are stored."""
    tables = ("webchat_conversation", "django_session")
    return [site.ask_database(f"SELECT COUNT(*) FROM {table}")[0][0] for table in tables]


def test_nothing_is_stored_before_the_first_message_and_other_sites_cannot_send(shop, hosts, chat_site, upstream):
    urls: list[str] = []
    shop.on("request", lambda request: urls.append(request.url))
    before = count_rows(chat_site)
    assert shop.locator("webchat-launcher iframe").count() == 0
    launcher(shop).click()
    expect(chat_in(shop).locator("#message")).to_be_focused()
    assert count_rows(chat_site) == before
    assert not upstream.requests
    assert not visitor_cookies(shop.context)
    ask(shop, "At the shop")
    assert not visitor_cookies(shop.context)
    assert count_rows(chat_site)[0] == before[0] + 1
    token = shop.frames[1].evaluate("() => document.querySelector('[data-session]').value")
    assert len(token) > 40
    assert not [url for url in urls if token[:30] in url]
    assert token[:30] not in chat_site.log.read_text()

    hosts.pages[MUSEUM, "/"] = (page_with(chat_site), {})
    museum = shop.context.new_page()
    museum.goto(hosts.origin(MUSEUM))
    launcher(museum).click()
    expect(chat_in(museum).locator("#message")).to_be_editable()
    expect(chat_in(museum).locator("[data-message]")).to_have_count(0)

    form = (
        f'<form method="post" action="{chat_site.url}/embed/help/messages"><input name="message" value="Forged">'
        '<input name="key" value="0b9d2b0e-6d0c-4a5c-9f0e-0123456789ab"><button>Go</button></form>'
    )
    hosts.pages[STRANGER, "/form"] = (f"<!doctype html><title>Form</title>{form}", {})
    museum.goto(hosts.origin(STRANGER) + "/form")
    with museum.expect_response("**/messages") as answer:
        museum.get_by_role("button", name="Go").click()
    assert answer.value.status == 403
    assert len(upstream.requests) == 1


def begin_anew(chat: FrameLocator) -> None:
    chat.get_by_label("Menu").first.click()
    chat.locator(".top [data-new-conversation]").click()
    chat.locator("[data-confirm]").click()


def test_a_new_conversation_while_the_site_is_away_fails_with_an_alert_and_keeps_everything(shop, chat_site):
    launcher(shop).click()
    ask(shop, "First")
    chat = chat_in(shop)
    chat.locator("#message").fill("A draft")
    chat_site.go_down()
    begin_anew(chat)
    expect(chat.get_by_role("alert")).to_have_text("That didn’t work. Check your connection and try again.")
    expect(chat.get_by_role("dialog")).to_be_hidden()
    expect(chat.locator("#message")).to_have_value("A draft")
    expect(chat.locator("[data-message]")).to_have_text(["First"])
    chat_site.come_back()
    begin_anew(chat)
    expect(chat.locator("[data-message]")).to_have_count(0)
    expect(chat.locator("[data-states]")).to_have_text("New conversation started")
    expect(chat.locator("#message")).to_have_value("A draft")


def test_the_link_from_a_conversation_ended_in_another_tab_leads_to_the_new_one(shop, hosts, chat_site, upstream):
    launcher(shop).click()
    chat = chat_in(shop)
    upstream.will_close()
    send(shop, "First")
    again = chat.get_by_role("button", name="Send again", exact=True)
    expect(again).to_be_visible()
    other = shop.context.new_page()
    other.goto(hosts.origin(SHOP))
    launcher(other).click()
    begin_anew(resumed_in(other))
    expect(chat_in(other).locator("[data-states]")).to_have_text("New conversation started")  # the next page is there
    ask(other, "Second")

    again.click()
    expect(chat.locator("[data-transcript] [data-alert]")).to_contain_text("This conversation has ended.")
    expect(chat.locator("[data-transcript] [data-waiting]")).to_have_count(0)
    expect(chat.get_by_role("button", name="Send", exact=True)).to_be_enabled()
    chat.get_by_role("link", name="Go to the new one").click()
    expect(chat.locator("[data-message]")).to_have_text(["Second"])


def test_an_unlisted_website_shows_no_chat_and_the_console_says_why(shop, hosts, chat_site):
    direct = f'<iframe src="{chat_site.url}/embed/help/"></iframe>'
    hosts.pages[STRANGER, "/"] = (page_with(chat_site, body=direct), {})
    said: list[str] = []
    stranger = shop.context.new_page()
    stranger.on("console", lambda message: "frame-ancestors" in message.text and said.append(message.text))
    with stranger.expect_console_message(lambda message: message.text.startswith("Webchat:")) as line:
        stranger.goto(hosts.origin(STRANGER))
    check = line.value.text
    assert hosts.origin(STRANGER) in check
    assert f"{chat_site.url}/embed/help/check?site=" in check
    assert stranger.locator("webchat-launcher").count() == 0
    frame = stranger.frames[1]
    assert "chrome-error" in frame.url or not frame.locator("#message").count()
    wait_for_some(stranger, said)


def test_the_frame_works_without_javascript(new_visitor, hosts, chat_site, upstream):
    frame = f'<iframe src="{chat_site.url}/embed/help/" width="600" height="600"></iframe>'
    hosts.pages = {(SHOP, "/"): (f"<!doctype html><title>Shop</title>{frame}", {})}
    page = new_visitor(java_script_enabled=False).new_page()
    page.goto(hosts.origin(SHOP))
    chat = page.frame_locator("iframe")
    for text in ("First", "Second"):
        chat.locator("#message").fill(text)
        chat.get_by_role("button", name="Send", exact=True).click()
        expect(chat.locator("[data-message]").last).to_have_text(text)
    expect(chat.locator("[data-reply]")).to_have_count(2)
    assert upstream.requests[1].chat_id
    assert not visitor_cookies(page.context)


def test_a_conversation_follows_an_identified_visitor_to_other_devices(new_visitor, hosts, chat_site, upstream):
    shop_of("rosa", chat_site, hosts)
    desk = new_visitor().new_page()
    desk.goto(hosts.origin(SHOP))
    launcher(desk).click()
    ask(desk, "Said at the desk")
    shop_of("rosa", chat_site, hosts, by_function=True)
    phone = new_visitor().new_page()
    phone.goto(hosts.origin(SHOP))
    launcher(phone).click()
    expect(chat_in(phone).locator("[data-message]")).to_have_text(["Said at the desk"])

    phone.goto(f"{hosts.origin(SHOP)}/nobody")  # signed out of the shop
    expect(chat_in(phone).locator("#message")).to_be_visible()  # as open as on the page before
    ask(phone, "Said by nobody")
    expect(chat_in(phone).locator("[data-message]")).to_have_text(["Said by nobody"])

    shop_of("eve", chat_site, hosts)
    phone.goto(hosts.origin(SHOP))
    chat_in(phone).get_by_role("button", name="Don’t add it").click()
    expect(chat_in(phone).locator("[data-question]")).to_have_count(0)
    expect(chat_in(phone).locator("#message")).to_be_visible()
    expect(chat_in(phone).locator("[data-message]")).to_have_count(0)


def test_the_page_can_identify_its_visitor_later(shop, upstream):
    page = shop
    page.evaluate("(token) => Webchat.identify(token)", identity("ruth"))
    launcher(page).click()
    ask(page, "Said by Rosa")
    page.evaluate("() => Webchat.identify()")  # she has signed out of the shop
    expect(chat_in(page).locator("[data-message]")).to_have_count(0)
    ask(page, "Said by nobody")
    page.evaluate("(token) => Webchat.identify(async () => token)", identity("ruth"))
    expect(chat_in(page).locator("[data-message]")).to_have_text(["Said by Rosa"])
    expect(page.locator("webchat-launcher iframe")).to_have_count(1)
    expect(page.locator("webchat-launcher .grip")).to_have_count(1)


def test_an_earlier_conversation_is_added_on_request_but_not_for_a_refused_identity(shop, hosts, chat_site, upstream):
    launcher(shop).click()
    ask(shop, "Said before")
    shop_of("otto", chat_site, hosts)
    shop.reload()
    question = chat_in(shop).locator("[data-question]")
    expect(question).to_contain_text("Said before")
    expect(chat_in(shop).locator("[data-message]")).to_have_count(0)
    question.get_by_role("button", name="Add it", exact=True).click()
    expect(chat_in(shop).locator("[data-message]")).to_have_text(["Said before"])
    expect(question).to_have_count(0)
    ask(shop, "And after")
    assert upstream.requests[1].chat_id

    hosts.pages = {(SHOP, "/"): (page_with(chat_site, attributes='data-identity="forged"'), {})}
    forged = shop.context.new_page()
    forged.goto(hosts.origin(SHOP))
    forged.evaluate("window.Webchat.on('error', ({ code }) => (window.heard = code))")
    launcher(forged).click()
    ask(forged, "Hello")
    expect(chat_in(forged).locator("[data-message]")).to_have_text(["Hello"])
    wait_until(forged, "window.heard")
    assert forged.evaluate("window.heard") == "IDENTITY_REFUSED"


def test_a_form_on_the_website_signs_in_to_the_portal(new_visitor, hosts, chat_site, upstream):
    form = (
        f'<form method="post" action="{chat_site.url}/portal/identity/help">'
        f'<input type="hidden" name="token" value="{identity("paula")}"><button>My conversations</button></form>'
    )
    hosts.pages = {(SHOP, "/"): (f"<!doctype html><title>A shop</title>{form}", {})}
    page = new_visitor().new_page()
    page.goto(f"{chat_site.url}/chat/help/")
    page.fill("#message", "Said before")
    page.press("#message", "Enter")
    expect(page.locator("[data-reply]")).to_have_count(1)
    page.goto(hosts.origin(SHOP))
    page.get_by_role("button").click()
    expect(page).to_have_url(f"{chat_site.url}/portal/")
    expect(page.locator(".who")).to_have_accessible_name("paula")
    page.get_by_role("button", name="Add it", exact=True).click()
    expect(page.locator("[data-conversation] .what a")).to_have_text(["Said before"])
