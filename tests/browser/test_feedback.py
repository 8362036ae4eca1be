"""Reaching a person: thumbs, the form, closed notices and consent, as a visitor sees them."""

from playwright.sync_api import BrowserContext, Locator, expect

from tests.browser.axe import complaints
from tests.browser.chat_page import ChatPage
from tests.browser.site import Site
from tests.browser.test_accessibility import DRESSES


def chat_with(visitor: BrowserContext, site: Site, bot: str) -> ChatPage:
    chat = ChatPage.open(visitor, f"{site.url}/chat/{bot}/")
    chat.box = chat.page.locator("#message")
    return chat


def thumb(chat: ChatPage, name: str, number: int = -1) -> Locator:
    return chat.page.get_by_role("button", name=name, exact=True).nth(number)


def fill_in(chat: ChatPage, email: str = "jo@example.com", message: str = "Please call me.") -> None:
    chat.page.locator("#handover-email").fill(email)
    chat.page.locator("#handover-message").fill(message)


def no_wider_than_the_screen(chat: ChatPage) -> bool:
    return chat.page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_a_thumb_stays_pressed_and_focused_asks_why_and_two_down_offer_a_person(visitor, site, upstream):
    chat = chat_with(visitor, site, "people")
    chat.ask("Hello")
    thumb(chat, "Helpful").focus()
    for _held in range(3):
        chat.page.keyboard.down("Enter")
        expect(thumb(chat, "Helpful")).to_have_attribute("aria-pressed", "true")
    chat.page.keyboard.up("Enter")
    expect(thumb(chat, "Helpful")).to_be_focused()
    expect(chat.states).to_have_text("Thank you.")
    chat.page.reload()
    expect(thumb(chat, "Helpful")).to_have_attribute("aria-pressed", "true")

    chat.ask("One")
    click_twice(thumb(chat, "Not helpful"))
    chat.page.get_by_role("textbox", name="What was wrong?").fill("Out of date")
    chat.page.keyboard.press("Enter")
    expect(chat.page.get_by_text("Thank you for telling us.")).to_be_visible()
    expect(thumb(chat, "Not helpful")).to_have_attribute("aria-pressed", "true")
    expect(chat.page.locator("[data-offer-person]")).to_have_count(0)
    chat.ask("Two")
    thumb(chat, "Not helpful").click()
    chat.page.locator("[data-offer-person] [data-action=contact]").click()
    expect(chat.page.get_by_role("heading", name="Talk to a person")).to_be_focused()


def click_twice(button: Locator) -> None:
    """Double-click so slowly that the site has answered the first click."""
    box = button.bounding_box()
    mouse = button.page.mouse
    mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for count in (1, 2):
        mouse.down(click_count=count)
        mouse.up(click_count=count)
        button.page.wait_for_timeout(200)


def test_the_form_can_be_cancelled_names_mistakes_and_appears_among_the_turns(visitor, site, upstream):
    chat = chat_with(visitor, site, "people")
    chat.ask("Hello")
    chat.write("a draft")
    for is_wanted in (False, True):
        chat.page.locator("[data-menu] summary").click()
        chat.page.locator(".top [data-action=contact]").click()
        expect(chat.page.get_by_role("heading", name="Talk to a person")).to_be_focused()
        if not is_wanted:
            chat.page.get_by_role("button", name="Cancel").click()
            expect(chat.page.locator("#person > *")).to_have_count(0)
            chat.expect_focus_in_box()
    fill_in(chat, email="jo", message="Please call me.")
    chat.page.get_by_role("button", name="Send the request").click()
    expect(chat.page.locator("#handover-email")).to_be_focused()
    expect(chat.page.locator("#handover-email-wrong")).to_contain_text("This is not an e-mail address.")
    expect(chat.page.locator("#handover-message")).to_have_value("Please call me.")
    chat.page.locator("#handover-email").fill("jo@example.com")
    chat.page.get_by_role("checkbox").check()
    chat.page.get_by_role("button", name="Send the request").click()
    expect(chat.page.locator("[data-asked]")).to_be_focused()
    expect(chat.page.locator("[data-asked]")).to_contain_text("The answer will go to jo@example.com.")
    expect(chat.page.locator("#person > *")).to_have_count(0)
    expect(chat.box).to_have_value("a draft")
    chat.ask("After")
    for _visit in range(2):
        entries = chat.page.locator("[data-transcript] > li")
        expect(entries).to_have_count(3)
        expect(entries.nth(1)).to_contain_text("Your request has been sent")
        chat.expect_said("Hello", "After")
        chat.page.reload()


def test_axe_finds_nothing_on_thumbs_form_and_notices_and_nothing_is_too_wide(new_visitor, site, upstream):
    visitor = new_visitor(**DRESSES["dark, on a phone, Arabic"])
    chat = chat_with(visitor, site, "people")
    found = {}

    def look(state: str) -> None:
        found[state] = complaints(chat.page)
        assert no_wider_than_the_screen(chat), state

    for text in ("One", "Two"):
        chat.ask(text)
        chat.page.locator(".thumb.down").last.click()
        expect(chat.page.locator("[aria-pressed=true]")).to_have_count(chat.replies.count())
    look("thumbs")
    chat.page.locator("[data-offer-person] [data-action=contact]").click()
    chat.page.locator(".people summary").click()
    look("form")
    chat.page.locator("#handover-message").fill("")
    chat.page.locator(".handover .strong").click()
    expect(chat.page.locator(".wrong")).to_have_count(2)
    look("refused")
    fill_in(chat)
    chat.page.locator(".handover .strong").click()
    expect(chat.page.locator("[data-asked]")).to_be_visible()
    look("asked")
    for state, path in {"form alone": "people/person", "off": "off/", "consent": "consent/"}.items():
        chat.page.goto(f"{site.url}/chat/{path}")
        look(state)
    assert not {state: each for state, each in found.items() if each}
