"""A customer's journeys through the portal: at a desk, on a phone, with the keyboard, without JavaScript."""

import datetime
import re

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.axe import complaints
from tests.browser.chat_page import ChatPage
from tests.browser.conftest import CUSTOMERS, MOVING, PASSWORD
from tests.browser.owner import logged_in
from tests.browser.site import Site
from tests.browser.test_accessibility import DRESSES, PHONE
from tests.browser.test_accessibility_layout import SHIFTS

CONVERSATION = re.compile(r"/portal/chat/help/[0-9a-f-]{36}/$")


def sign_in(visitor: BrowserContext, site: Site, name: str) -> Page:
    page = visitor.new_page()
    page.goto(f"{site.url}/portal/")
    page.get_by_label("User name or e-mail address").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Your conversations", level=1)).to_be_visible()
    return page


def expect_conversations(page: Page, *titles: str) -> None:
    """Expect exactly these conversations in the list, in this order."""
    expect(page.locator("[data-conversation] .what a")).to_have_text(titles)
    page.wait_for_load_state()
    expect(page.locator("[data-conversation] .what a")).to_have_text(titles)


def begin(page: Page, text: str) -> ChatPage:
    """Begin a conversation from the list."""
    page.get_by_role("link", name="Ada", exact=True).first.click()
    chat = ChatPage(page)
    expect(chat.box).to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-live", "")  # until then Enter breaks the line
    chat.send(text)
    expect(chat.replies).to_have_count(1)
    expect(page).to_have_url(CONVERSATION)
    return chat


def to_the_list(page: Page) -> None:
    page.get_by_role("link", name="Your conversations").click()
    expect(page.get_by_role("heading", name="Your conversations", level=1)).to_be_visible()


def test_a_new_conversation_moves_nothing_keeps_its_draft_and_is_reached_by_keyboard(visitor, site, upstream, name):
    visitor.add_init_script(SHIFTS)
    page = sign_in(visitor, site, name)
    page.emulate_media(**MOVING)
    upstream.will_reply("Yes", delay=0.7)  # longer than the 500 ms for which a key press excuses a shift
    chat = begin(page, "One")
    expect(page.locator("[data-conversation]")).to_have_count(1)
    page.wait_for_timeout(100)
    assert page.evaluate("shifts") == []
    chat.ask("Two")
    chat.write("half a sentence")
    page.reload()
    chat.expect_said("One", "Two")
    expect(chat.box).to_have_value("half a sentence")
    assert [request.chat_id is None for request in upstream.requests] == [True, False]
    with page.expect_download() as download:
        page.get_by_label("Menu").first.click()
        page.get_by_role("link", name="Text").click()
    assert "You said: Two" in download.value.path().read_text()

    chat.new_conversation.click()
    expect(chat.turns).to_have_count(0)
    expect(chat.box).to_have_value("half a sentence")
    page.go_back()
    expect(chat.box).to_have_value("")

    to_the_list(page)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the conversations")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="One", exact=True)).to_be_focused()
    for action in ("Rename “One”", "Delete “One”"):
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name=action)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Delete this conversation?")).to_be_visible()


def test_a_message_sent_offline_survives_its_tab(visitor, site, upstream, watch, name):
    watch.expect("net::ERR_INTERNET_DISCONNECTED|htmx:(afterRequest|sendError)")
    page = sign_in(visitor, site, name)
    begin(page, "One")
    visitor.set_offline(True)
    ChatPage(page).send("Two")
    url = page.url
    page.close()
    visitor.set_offline(False)
    chat = ChatPage(visitor.new_page())
    chat.page.goto(url)
    expect(chat.replies).to_have_text(["You said: One", "You said: Two"])


def test_an_earlier_conversation_is_added_and_the_list_is_searched_while_typing(visitor, site, upstream, name):
    ChatPage.open(visitor, site.url).ask("Said before")
    page = sign_in(visitor, site, name)
    expect_conversations(page)
    page.get_by_role("button", name="Add it", exact=True).click()
    expect_conversations(page, "Said before")
    expect(page.locator("[data-question]")).to_have_count(0)
    page.get_by_role("link", name="Said before", exact=True).click()
    expect(page).to_have_url(CONVERSATION)
    expect(page.locator("html")).to_have_attribute("data-live", "")
    ChatPage(page).send("And after")
    expect(ChatPage(page).replies).to_have_count(2)
    assert upstream.requests[1].chat_id

    page.get_by_label("Menu").first.click()
    manage = page.get_by_label("Menu").get_by_role("link", name=re.compile("^(Rename|Delete)$"))
    assert manage.evaluate_all("all => all.map((one) => one.href)") == [
        link.evaluate("link => link.href") for link in page.locator("[data-conversation] .do a").all()
    ]
    page.keyboard.press("Control+K")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("zebra")
    expect(page.get_by_text("Nothing found for “zebra”.")).to_be_visible()
    page.get_by_role("searchbox").fill("before")
    expect_conversations(page, "Said before")
    expect(ChatPage(page).turns).to_have_count(2)


def test_on_a_phone_a_long_list_names_each_bot_in_full_and_is_continued_by_keyboard(new_visitor, site):
    page = sign_in(new_visitor(**PHONE), site, CUSTOMERS[-1])
    assert page.evaluate("innerWidth") <= 320  # a long name doesn't widen the page
    name = page.locator("[data-conversation] .from bdi").first
    assert name.evaluate("name => name.scrollWidth <= name.clientWidth")
    at = page.locator("[data-conversation] .from time").first
    expect(at).to_have_text("Jan 2" if datetime.date.today().year == 2026 else "Jan 2, 2026")
    expect(page.locator("[data-conversation]").first).to_be_in_viewport(ratio=1)  # below the bots' row
    expect_conversations(page, *[f"Question {number}" for number in range(30, 15, -1)])
    more = page.get_by_role("link", name="Show earlier conversations")
    more.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Question 1", exact=True)).to_be_visible()
    expect(more).to_have_count(0)
    expect(page.locator("[data-conversation]")).to_have_count(30)
    expect(page.get_by_role("link", name="Question 15", exact=True)).to_be_focused()


def test_a_customer_talks_to_a_person_and_then_to_the_bot(browser, new_visitor, site, upstream, watch, name):
    page = sign_in(new_visitor(), site, name)
    page.goto(f"{site.url}/portal/chat/notified/")
    chat = ChatPage(page)
    chat.send("Is my parcel lost?")
    expect(chat.replies).to_have_count(1)
    expect(page.locator("[data-conversation] [aria-current=page]")).to_have_text("Is my parcel lost?")
    page.locator(".top [data-person]").click()
    with logged_in(browser, site, "/admin/inbox/") as inbox:
        inbox.locator(".inbox-row", has_text="Is my parcel lost?").locator("a").click()
        inbox.get_by_role("button", name="Claim").click()
        expect(page.locator("#leader .who")).to_have_text("You are talking to Olivia")
        page.set_viewport_size(PHONE["viewport"])
        assert page.locator("#leader .who").evaluate("who => who.scrollWidth <= who.clientWidth")
        chat.send("Please look")
        expect(inbox.locator("[data-message]").last).to_have_text("Please look")
        inbox.get_by_role("button", name="Hand back").click()
        expect(inbox.get_by_role("button", name="Claim")).to_be_visible()
    ask = page.get_by_role("button", name="Ask Ada")
    ask.click()
    expect(chat.replies).to_have_text(["You said: Is my parcel lost?", "You said: Please look"])
    expect(ask).to_have_count(0)

    page.locator(".top [data-person]").click()
    expect(page.locator("#leader")).to_contain_text("You are in the queue")
    page.locator("#message").fill("And where is it now?")
    watch.expect("404")
    ended = "ended_at = started_at, changes = changes + 1"
    site.ask_database(f"UPDATE webchat_conversation SET {ended} WHERE led_by = 'queue'")
    expect(page.get_by_role("heading", name="This conversation has ended.")).to_be_visible()
    expect(page.locator("#message")).to_have_value("And where is it now?")
    page.get_by_role("button", name="Go to the new one").click()
    expect(page.locator("[data-turn]")).to_have_count(0)
    expect(page.locator("#message")).to_have_value("And where is it now?")


def test_a_page_that_is_out_of_date_says_so_and_a_second_press_or_a_click_goes_on(visitor, site, upstream, watch, name):
    chat = ChatPage.open(visitor, site.url)
    chat.ask("Hello")
    page = sign_in(visitor, site, name)  # after which forms in other tabs need a new token
    watch.expect("403|404")
    thumb = chat.page.get_by_role("button", name="Helpful", exact=True)
    thumb.click()
    expect(chat.page.locator("#composer-refusal")).to_have_text("This page was out of date. Try again.")
    thumb.click()
    expect(thumb).to_have_attribute("aria-pressed", "true")

    chat = begin(page, "One")
    site.ask_database(
        "UPDATE webchat_conversation SET ended_at = started_at"
        " WHERE id IN (SELECT conversation_id FROM webchat_turn WHERE message = 'One')"
    )
    chat.send("Two")
    expect(page.locator("#composer-refusal")).to_contain_text("This conversation has ended.")
    page.get_by_role("link", name="Go to the new one").click()
    expect(page.locator("[data-turn]")).to_have_count(0)
    expect(page.locator("#message")).to_have_value("Two")


def test_axe_finds_nothing_on_any_page_of_the_portal(new_visitor, site, upstream, name):
    visitor = new_visitor(**DRESSES["dark, on a phone, Arabic"])
    before = visitor.new_page()
    before.goto(f"{site.url}/chat/help/")
    chat = ChatPage(before)
    before.locator("#message").fill("Said before")
    before.locator("#send").click()
    expect(chat.replies).to_have_count(1)
    page = visitor.new_page()
    found: dict[str, list[str]] = {}

    def look(what: str) -> None:
        page.wait_for_load_state()
        found[what] = complaints(page)

    page.goto(f"{site.url}/portal/sign-in")
    page.locator("[name=username]").fill(name)
    page.locator("[name=password]").fill("wrong")
    page.locator("form .strong").click()
    page.wait_for_selector("[data-alert]")
    look("refused")
    page.locator("[name=username]").fill(name)
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("form .strong").click()
    page.wait_for_selector("[data-question]")
    look("empty list, with a question")
    page.locator("[data-question] button").first.click()
    page.wait_for_selector("[data-conversation]")
    look("list")
    url = page.url
    page.goto(f"{url}?q=zebra")
    look("nothing found")
    links = {"rename": ".do a >> nth=0", "delete": ".do a >> nth=-1", "conversation": "[data-conversation] .what a"}
    for what, link in links.items():
        page.goto(url)
        page.goto(site.url + page.locator(link).get_attribute("href"))
        look(what)
    assert len(found) == 7
    assert not {what: each for what, each in found.items() if each}


def test_a_customer_signs_in_with_the_providers_button(visitor, site, provider, watch):
    """At another host: our policy forbids forms that end elsewhere."""
    watch.also_at(provider.issuer)
    page = visitor.new_page()
    page.goto(f"{site.url}/portal/sign-in")
    page.get_by_role("button", name="Continue with Example").click()
    expect(page).to_have_url(f"{site.url}/portal/")
    expect(page.get_by_text("Rosa Meier")).to_be_visible()
