"""The widget where the website says who its visitor is."""

from collections.abc import Callable

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, expect

from tests.browser.host_sites import HostSites, SecureSite
from tests.browser.waiting import wait_until
from tests.browser.widget.host_page import SHOP, Browsers, ask, chat_in, identity, launcher, page_with, shop_of
from tests.webchat.upstream_server import UpstreamServer


def test_the_conversation_follows_whom_the_website_knows(
    browsers: Browsers, hosts: HostSites, chat_site: SecureSite, upstream: UpstreamServer
) -> None:
    shop_of("rosa", chat_site, hosts)
    desk = browsers.start("desk").new_page()
    desk.goto(hosts.origin(SHOP))
    launcher(desk).click()
    ask(desk, "Said at the desk")
    desk.reload()  # the same token once more: the session that it began goes on
    expect(chat_in(desk).locator("[data-message]")).to_have_text(["Said at the desk"])

    shop_of("rosa", chat_site, hosts, by_function=True)
    phone = browsers.start("phone").new_page()
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


def test_the_page_says_later_who_its_visitor_is(
    browsers: Browsers, hosts: HostSites, chat_site: SecureSite, upstream: UpstreamServer
) -> None:
    hosts.pages = {(SHOP, "/"): (page_with(chat_site), {})}
    page = browsers.start().new_page()
    page.goto(hosts.origin(SHOP))
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


def test_the_widget_takes_along_what_was_said_before_if_the_person_says_yes(
    new_visitor: Callable[..., BrowserContext], hosts: HostSites, chat_site: SecureSite, upstream: UpstreamServer
) -> None:
    hosts.pages = {(SHOP, "/"): (page_with(chat_site), {})}
    page = new_visitor().new_page()
    page.goto(hosts.origin(SHOP))
    launcher(page).click()
    ask(page, "Said before")
    shop_of("otto", chat_site, hosts)
    page.reload()
    question = chat_in(page).locator("[data-question]")
    expect(question).to_contain_text("Said before")
    expect(chat_in(page).locator("[data-message]")).to_have_count(0)
    assert Axe().run(page).response["violations"] == []
    question.get_by_role("button", name="Add it", exact=True).click()
    expect(chat_in(page).locator("[data-message]")).to_have_text(["Said before"])
    expect(question).to_have_count(0)
    ask(page, "And after")
    assert upstream.requests[1].chat_id


def test_an_identity_that_is_refused_leaves_a_chat_for_nobody(
    new_visitor: Callable[..., BrowserContext], hosts: HostSites, chat_site: SecureSite, upstream: UpstreamServer
) -> None:
    hosts.pages = {(SHOP, "/"): (page_with(chat_site, attributes='data-identity="forged"'), {})}
    page = new_visitor().new_page()
    page.goto(hosts.origin(SHOP))
    page.evaluate("window.Webchat.on('error', ({ code }) => (window.heard = code))")
    launcher(page).click()
    ask(page, "Hello")
    wait_until(page, "window.heard")
    assert page.evaluate("window.heard") == "IDENTITY_REFUSED"


def test_a_form_of_the_website_leads_into_the_portal_and_asks_what_to_take_along(
    new_visitor: Callable[..., BrowserContext], hosts: HostSites, chat_site: SecureSite, upstream: UpstreamServer
) -> None:
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
    expect(page.locator(".who")).to_have_text("paula")
    page.get_by_role("button", name="Add it", exact=True).click()
    expect(page.locator("[data-conversation] .what a")).to_have_text(["Said before"])
    page.go_back()
    page.goto(hosts.origin(SHOP))
    page.get_by_role("button").click()  # with the token that was used
    expect(page.get_by_role("heading")).to_have_text("You couldn’t be signed in")
