"""The widget on other people's websites: two origins over TLS, with third-party cookies and without."""

import gzip
import json
import sqlite3
import time
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import jwt
import pytest
from axe_playwright_python.sync_playwright import Axe
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from playwright.sync_api import BrowserContext, FrameLocator, Locator, Page, Playwright, expect

from tests.browser import chromium
from tests.browser.host_sites import RESOLVER_RULES, HostSites, SecureSite
from tests.browser.site import bot_row
from tests.webchat.certificates import Authority
from tests.webchat.identity_provider import pem
from tests.webchat.upstream_server import UpstreamServer

SHOP, MUSEUM, STRANGER = "shop.example", "museum.example", "stranger.example"
package = pytest.fixture(scope="package")


@package
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@package
def hosts(authority: Authority) -> Iterator[HostSites]:
    with HostSites(authority, SHOP, MUSEUM, STRANGER) as hosts:
        yield hosts


@package
def chat_site(
    authority: Authority, hosts: HostSites, upstream_port: int, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SecureSite]:
    allowed = f"{hosts.origin(SHOP)}\n{hosts.origin(MUSEUM)}"
    bots = [bot_row(1, "help", origins=allowed, in_portal=True), bot_row(2, "nowhere"), identity_key_row()]
    folder = tmp_path_factory.mktemp("chat-site")
    with SecureSite(folder, f"http://127.0.0.1:{upstream_port}", bots, authority) as site:
        yield site


SHOPS_KEY = Ed25519PrivateKey.generate()


def identity_key_row() -> dict[str, object]:
    fields = {"bot": 1, "name": "shop", "algorithm": "EdDSA", "public_key": pem(SHOPS_KEY)}
    return {"model": "webchat.identitykey", "pk": 1, "fields": fields}


def identity(customer: str) -> str:
    """What the shop's server signs for a customer of that name."""
    claims = {"sub": customer, "name": customer, "aud": "help", "exp": int(time.time()) + 300, "jti": uuid.uuid4().hex}
    return jwt.encode(claims, SHOPS_KEY, algorithm="EdDSA")


def page_with(site: SecureSite, *, bot: str = "help", attributes: str = "", body: str = "") -> str:
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>A shop</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<script src="{site.url}/embed.js" data-bot="{bot}" {attributes} async></script>'
        f'<body><main><h1>A shop</h1><a href="/second">Second page</a>{body}</main>'
    )


class Browsers:
    """Starts Chromium with a profile on disk, so that it can be started again."""

    def __init__(self, playwright: Playwright, folder: Path) -> None:
        self._playwright = playwright
        self._folder = folder
        self._open: list[BrowserContext] = []

    def start(self, name: str = "profile", *, third_party_cookies: bool = True, **options: object) -> BrowserContext:
        profile = self._folder / name
        if not profile.exists():
            (profile / "Default").mkdir(parents=True)
            blocks = {"block_third_party_cookies": not third_party_cookies}
            blocks["cookie_controls_mode"] = int(not third_party_cookies)
            (profile / "Default" / "Preferences").write_text(json.dumps({"profile": blocks}))
        context = self._playwright.chromium.launch_persistent_context(
            profile,
            executable_path=chromium.find_on_machine(),
            args=[RESOLVER_RULES],
            ignore_https_errors=True,
            **{"viewport": {"width": 1280, "height": 800}, **options},
        )
        context.set_default_timeout(10_000)
        self._open.append(context)
        return context

    def stop(self) -> None:
        for context in self._open:
            context.close()


@pytest.fixture
def browsers(playwright: Playwright, tmp_path: Path) -> Iterator[Browsers]:
    browsers = Browsers(playwright, tmp_path)
    yield browsers
    browsers.stop()


@pytest.fixture
def shop(browsers: Browsers, hosts: HostSites, chat_site: SecureSite, upstream: UpstreamServer) -> Page:
    """The shop's home page with the widget on it, in a fresh browser."""
    hosts.pages = {(SHOP, "/"): (page_with(chat_site), {}), (SHOP, "/second"): (page_with(chat_site), {})}
    page = browsers.start().new_page()
    page.goto(hosts.origin(SHOP))
    return page


def launcher(page: Page) -> Locator:
    return page.locator("webchat-launcher .launch")


def chat_in(page: Page) -> FrameLocator:
    return page.frame_locator("webchat-launcher iframe")


def ask(page: Page, text: str) -> None:
    chat = chat_in(page)
    expect(chat.locator(":root[data-live]:not([data-resuming])")).to_have_count(1)
    expected = chat.locator("[data-transcript] [data-reply]").count() + 1
    chat.locator("#message").fill(text)
    chat.locator("#message").press("Enter")
    expect(chat.locator("[data-transcript] [data-reply]")).to_have_count(expected)


@pytest.mark.parametrize("third_party_cookies", [True, False], ids=["cookies", "no-third-party-cookies"])
def test_a_conversation_goes_on_through_a_page_change_and_a_restart(
    browsers: Browsers,
    hosts: HostSites,
    chat_site: SecureSite,
    upstream: UpstreamServer,
    third_party_cookies: bool,
) -> None:
    hosts.pages = {(SHOP, "/"): (page_with(chat_site), {}), (SHOP, "/second"): (page_with(chat_site), {})}
    visitor = browsers.start(third_party_cookies=third_party_cookies)
    page = visitor.new_page()
    page.goto(hosts.origin(SHOP))
    page.get_by_role("button", name="Open the chat").click()
    ask(page, "First")
    page.get_by_role("link", name="Second page").click()
    expect(chat_in(page).locator("[data-message]")).to_have_text(["First"])
    ask(page, "Second")
    visitor.close()

    page = browsers.start(third_party_cookies=third_party_cookies).new_page()
    page.goto(hosts.origin(SHOP))
    page.get_by_role("button", name="Open the chat").click()
    expect(chat_in(page).locator("[data-message]")).to_have_text(["First", "Second"])
    ask(page, "Third")
    chat_ids = [request.json.get("chatId") for request in upstream.requests]
    assert chat_ids[0] is None
    assert chat_ids[1] is not None
    assert chat_ids[1] == chat_ids[2]
    assert not visitor_cookies(page.context)


def visitor_cookies(context: BrowserContext) -> list[str]:
    return [cookie["name"] for cookie in context.cookies()]


def conversations(site: SecureSite) -> int:
    with closing(sqlite3.connect(site.folder / "var" / "db.sqlite3")) as database:
        return database.execute("SELECT COUNT(*) FROM webchat_conversation").fetchone()[0]


def sessions(site: SecureSite) -> int:
    with closing(sqlite3.connect(site.folder / "var" / "db.sqlite3")) as database:
        return database.execute("SELECT COUNT(*) FROM django_session").fetchone()[0]


def test_nothing_is_stored_or_sent_before_the_first_message(
    shop: Page, chat_site: SecureSite, upstream: UpstreamServer
) -> None:
    before = conversations(chat_site), sessions(chat_site)
    assert shop.locator("webchat-launcher iframe").count() == 0
    launcher(shop).click()
    expect(chat_in(shop).locator("#message")).to_be_focused()
    assert (conversations(chat_site), sessions(chat_site)) == before
    assert not upstream.requests
    assert not visitor_cookies(shop.context)
    ask(shop, "Hello")
    assert not visitor_cookies(shop.context)
    assert conversations(chat_site) == before[0] + 1


def test_two_websites_do_not_share_a_conversation(shop: Page, hosts: HostSites, chat_site: SecureSite) -> None:
    hosts.pages[MUSEUM, "/"] = (page_with(chat_site), {})
    launcher(shop).click()
    ask(shop, "At the shop")
    museum = shop.context.new_page()
    museum.goto(hosts.origin(MUSEUM))
    launcher(museum).click()
    expect(chat_in(museum).locator("#message")).to_be_editable()
    expect(chat_in(museum).locator("[data-message]")).to_have_count(0)


def test_a_website_that_is_not_listed_shows_no_chat_and_says_why(
    shop: Page, hosts: HostSites, chat_site: SecureSite
) -> None:
    direct = f'<iframe src="{chat_site.url}/embed/help/"></iframe>'
    hosts.pages[STRANGER, "/"] = (page_with(chat_site, body=direct), {})
    said: list[str] = []
    stranger = shop.context.new_page()
    stranger.on("console", lambda message: said.append(message.text))
    with stranger.expect_console_message(lambda message: message.text.startswith("Webchat:")) as line:
        stranger.goto(hosts.origin(STRANGER))
    check = line.value.text
    assert hosts.origin(STRANGER) in check
    assert f"{chat_site.url}/embed/help/check?site=" in check
    assert stranger.locator("webchat-launcher").count() == 0
    frame = stranger.frames[1]
    assert "chrome-error" in frame.url or not frame.locator("#message").count()
    assert any("frame-ancestors" in text for text in said)


def test_a_bot_without_a_list_may_be_framed_by_nobody(shop: Page, hosts: HostSites, chat_site: SecureSite) -> None:
    answer = shop.request.get(
        f"{chat_site.url.replace('chat.example', '127.0.0.1')}/embed/nowhere/",
        headers={"Host": f"chat.example:{chat_site.port}"},
    )
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["x-frame-options"] == "DENY"
    listed = shop.request.get(
        f"{chat_site.url.replace('chat.example', '127.0.0.1')}/embed/help/",
        headers={"Host": f"chat.example:{chat_site.port}"},
    )
    assert f"frame-ancestors {hosts.origin(SHOP)}" in listed.headers["content-security-policy"]
    assert "x-frame-options" not in listed.headers
    assert "set-cookie" not in listed.headers


def test_a_strict_host_needs_only_the_documented_lines(shop: Page, hosts: HostSites, chat_site: SecureSite) -> None:
    policy = f"default-src 'none'; script-src {chat_site.url}; frame-src {chat_site.url}; connect-src {chat_site.url}"
    hosts.pages[SHOP, "/strict"] = (page_with(chat_site), {"Content-Security-Policy": policy})
    said: list[str] = []
    shop.on("console", lambda message: said.append(message.text))
    shop.goto(hosts.origin(SHOP) + "/strict")
    launcher(shop).click()
    ask(shop, "Within a strict page")
    assert not [text for text in said if "Content Security Policy" in text and "favicon" not in text]
    box = launcher(shop).bounding_box()
    assert box["width"] >= 44
    assert box["x"] > 1000  # styled: in the corner


def test_the_launcher_loaded_twice_stands_there_once(shop: Page, hosts: HostSites, chat_site: SecureSite) -> None:
    twice = f'<script src="{chat_site.url}/embed.js" data-bot="help"></script>'
    hosts.pages[SHOP, "/twice"] = (page_with(chat_site, body=twice), {})
    shop.goto(hosts.origin(SHOP) + "/twice")
    expect(launcher(shop)).to_have_count(1)


def test_the_launcher_survives_a_page_that_swaps_its_body(shop: Page) -> None:
    launcher(shop).click()
    ask(shop, "Before the swap")
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


def test_the_keyboard_opens_closes_and_gets_its_focus_back(shop: Page) -> None:
    expect(launcher(shop)).to_have_attribute("aria-expanded", "false")
    launcher(shop).focus()
    shop.keyboard.press("Enter")
    expect(launcher(shop)).to_have_attribute("aria-expanded", "true")
    expect(chat_in(shop).locator("#message")).to_be_focused()
    shop.keyboard.press("Escape")
    expect(launcher(shop)).to_have_attribute("aria-expanded", "false")
    expect(launcher(shop)).to_be_focused()


def test_a_reply_behind_a_closed_launcher_is_counted_and_said(shop: Page, upstream: UpstreamServer) -> None:
    upstream.delay = 0.7
    launcher(shop).click()
    chat_in(shop).locator("#message").fill("Slow one")
    chat_in(shop).locator("#message").press("Enter")
    expect(chat_in(shop).locator("[data-transcript] [data-waiting]")).to_have_count(1)
    shop.keyboard.press("Escape")
    expect(shop.locator("webchat-launcher .badge")).to_have_text("1")
    expect(shop.locator("webchat-launcher [role=status]")).to_have_text("New messages: 1")
    launcher(shop).click()
    expect(shop.locator("webchat-launcher .badge")).to_be_hidden()


def test_on_a_phone_the_chat_is_a_modal_that_fills_the_screen(
    browsers: Browsers, hosts: HostSites, chat_site: SecureSite, upstream: UpstreamServer
) -> None:
    hosts.pages = {(SHOP, "/"): (page_with(chat_site), {})}
    page = browsers.start(viewport={"width": 360, "height": 640}).new_page()
    page.goto(hosts.origin(SHOP))
    launcher(page).click()
    ask(page, "On the phone")
    assert page.locator("webchat-launcher dialog").bounding_box() == {"x": 0, "y": 0, "width": 360, "height": 640}
    chat_in(page).get_by_role("button", name="Close").click()
    expect(launcher(page)).to_be_focused()


def test_the_page_can_steer_the_chat_and_hears_of_it(shop: Page, upstream: UpstreamServer) -> None:
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
    shop.evaluate("() => Webchat.close()")
    shop.evaluate("() => Webchat.toggle()")
    heard = shop.evaluate("() => heard")
    assert heard == ["open", "ready", "message", "reply", "message", "error BOT_DISABLED", "close", "open"]
    shop.evaluate("() => Webchat.newConversation()")
    expect(chat_in(shop).locator("[data-turn]")).to_have_count(0)
    ask(shop, "A new one")
    assert upstream.requests[-1].chat_id is None
    shop.evaluate("() => Webchat.destroy()")
    expect(launcher(shop)).to_have_count(0)


def test_the_chat_can_stand_in_the_page_itself(shop: Page, hosts: HostSites, chat_site: SecureSite) -> None:
    place = '<div id="here" style="height: 500px"></div>'
    hosts.pages[SHOP, "/inline"] = (
        page_with(chat_site, attributes='data-target="#here" data-lang="de"', body=place),
        {},
    )
    shop.goto(hosts.origin(SHOP) + "/inline")
    ask(shop, "Im Rahmen")
    expect(launcher(shop)).to_have_count(0)
    expect(shop.frame_locator("#here iframe").locator("html")).to_have_attribute("lang", "de")


def test_the_open_chat_is_open_on_the_next_page_and_takes_no_focus(shop: Page) -> None:
    launcher(shop).click()
    expect(chat_in(shop).locator("#message")).to_be_focused()
    shop.goto(shop.url + "second")
    expect(chat_in(shop).locator("#message")).to_be_visible()
    expect(chat_in(shop).locator("#message")).not_to_be_focused()


def test_a_teaser_that_was_dismissed_stays_away(shop: Page, hosts: HostSites, chat_site: SecureSite) -> None:
    attributes = 'data-teaser="Questions?" data-teaser-after="0"'
    hosts.pages[SHOP, "/teaser"] = (page_with(chat_site, attributes=attributes), {})
    shop.goto(hosts.origin(SHOP) + "/teaser")
    shop.get_by_role("button", name="Dismiss").click()
    shop.reload()
    expect(launcher(shop)).to_be_visible()
    shop.wait_for_timeout(100)
    expect(shop.get_by_text("Questions?")).to_be_hidden()


def test_the_frame_works_without_javascript(
    browsers: Browsers, hosts: HostSites, chat_site: SecureSite, upstream: UpstreamServer
) -> None:
    frame = f'<iframe src="{chat_site.url}/embed/help/" width="600" height="600"></iframe>'
    hosts.pages = {(SHOP, "/"): (f"<!doctype html><title>Shop</title>{frame}", {})}
    page = browsers.start(java_script_enabled=False).new_page()
    page.goto(hosts.origin(SHOP))
    chat = page.frame_locator("iframe")
    for text in ("First", "Second"):
        chat.locator("#message").fill(text)
        chat.get_by_role("button", name="Send", exact=True).click()
        expect(chat.locator("[data-message]").last).to_have_text(text)
    expect(chat.locator("[data-reply]")).to_have_count(2)
    assert upstream.requests[1].chat_id
    assert not visitor_cookies(page.context)


def test_a_foreign_page_cannot_send_in_the_visitors_name(
    shop: Page, hosts: HostSites, chat_site: SecureSite, upstream: UpstreamServer
) -> None:
    form = (
        f'<form method="post" action="{chat_site.url}/embed/help/messages"><input name="message" value="Forged">'
        '<input name="key" value="0b9d2b0e-6d0c-4a5c-9f0e-0123456789ab"><button>Go</button></form>'
    )
    hosts.pages[STRANGER, "/form"] = (f"<!doctype html><title>Form</title>{form}", {})
    stranger = shop.context.new_page()
    stranger.goto(hosts.origin(STRANGER) + "/form")
    with stranger.expect_response("**/messages") as answer:
        stranger.get_by_role("button", name="Go").click()
    assert answer.value.status == 403
    assert not upstream.requests


def test_no_token_stands_in_an_address_or_the_log(shop: Page, chat_site: SecureSite) -> None:
    addresses: list[str] = []
    shop.on("request", lambda request: addresses.append(request.url))
    launcher(shop).click()
    ask(shop, "Hello")
    frame = shop.frames[1]
    token = frame.evaluate("() => document.querySelector('[data-session]').value")
    assert len(token) > 40
    assert not [address for address in addresses if token[:30] in address]
    assert token[:30] not in chat_site.log.read_text()


def test_axe_finds_nothing_on_host_page_and_frame(shop: Page) -> None:
    launcher(shop).click()
    ask(shop, "Hello")
    found = Axe().run(shop)
    assert not found.response["violations"], found.generate_report()


def test_the_launcher_is_small(shop: Page, chat_site: SecureSite) -> None:
    answer = shop.context.new_page().goto(f"{chat_site.url}/embed.js")
    assert len(gzip.compress(answer.body(), 9)) <= 4000
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"


@pytest.mark.parametrize(
    ("site", "finding"),
    [
        ("https://www.other.example", "not-listed"),
        ("www.other.example/path", "not-an-origin"),
        ("javascript:alert(1)", "not-an-origin"),
    ],
)
def test_the_check_page_says_what_is_wrong(shop: Page, chat_site: SecureSite, site: str, finding: str) -> None:
    page = shop.context.new_page()
    page.goto(f"{chat_site.url}/embed/help/check")
    expect(page.locator("pre").first).to_contain_text(f'src="{chat_site.url}/embed.js" data-bot="help"')
    page.goto(f"{chat_site.url}/embed/help/check?site={site}")
    expect(page.locator("[data-alert]")).to_have_attribute("data-code", finding)


def test_the_check_page_is_content_with_a_listed_site(shop: Page, chat_site: SecureSite, hosts: HostSites) -> None:
    page = shop.context.new_page()
    page.goto(f"{chat_site.url}/embed/help/check?site={hosts.origin(SHOP)}")
    expect(page.locator("[data-fine]")).to_be_visible()


# --- Who the visitor is -----------------------------------------------------------------------------------------------


def shop_of(customer: str, site: SecureSite, hosts: HostSites, *, by_function: bool = False) -> None:
    """The shop's pages as its server makes them for whoever is logged in there: each with a token of its own."""
    token = identity(customer)
    function = f"<script>window.webchatIdentity = async () => {json.dumps(token)}</script>"
    page = page_with(site, attributes="" if by_function else f'data-identity="{token}"')
    hosts.pages = {(SHOP, "/"): (function * by_function + page, {}), (SHOP, "/nobody"): (page_with(site), {})}


@pytest.mark.parametrize("third_party_cookies", [True, False])
def test_the_conversation_follows_whom_the_website_knows(
    browsers: Browsers, hosts: HostSites, chat_site: SecureSite, upstream: UpstreamServer, third_party_cookies: bool
) -> None:
    customer = f"rosa {third_party_cookies}"
    shop_of(customer, chat_site, hosts)
    desk = browsers.start("desk", third_party_cookies=third_party_cookies).new_page()
    desk.goto(hosts.origin(SHOP))
    launcher(desk).click()
    ask(desk, "Said at the desk")
    desk.reload()  # the same token once more: the session that it began goes on
    expect(chat_in(desk).locator("[data-message]")).to_have_text(["Said at the desk"])

    shop_of(customer, chat_site, hosts, by_function=True)
    phone = browsers.start("phone", third_party_cookies=third_party_cookies).new_page()
    phone.goto(hosts.origin(SHOP))
    launcher(phone).click()
    expect(chat_in(phone).locator("[data-message]")).to_have_text(["Said at the desk"])

    phone.goto(f"{hosts.origin(SHOP)}/nobody")  # signed out of the shop
    if not chat_in(phone).locator("#message").is_visible():
        launcher(phone).click()
    ask(phone, "Said by nobody")
    expect(chat_in(phone).locator("[data-message]")).to_have_text(["Said by nobody"])

    shop_of("eve", chat_site, hosts)
    phone.goto(hosts.origin(SHOP))
    chat_in(phone).get_by_role("button", name="Leave it").click()
    expect(chat_in(phone).locator("[data-question]")).to_have_count(0)
    expect(chat_in(phone).locator("#message")).to_be_visible()
    expect(chat_in(phone).locator("[data-message]")).to_have_count(0)


def test_the_widget_takes_along_what_was_said_before_if_the_person_says_yes(
    browsers: Browsers, hosts: HostSites, chat_site: SecureSite, upstream: UpstreamServer
) -> None:
    hosts.pages = {(SHOP, "/"): (page_with(chat_site), {})}
    page = browsers.start().new_page()
    page.goto(hosts.origin(SHOP))
    launcher(page).click()
    ask(page, "Said before")
    shop_of("otto", chat_site, hosts)
    page.reload()
    question = chat_in(page).locator("[data-question]")
    expect(question).to_contain_text("Said before")
    expect(chat_in(page).locator("[data-message]")).to_have_count(0)
    assert Axe().run(page).response["violations"] == []
    question.get_by_role("button", name="Take it along").click()
    expect(chat_in(page).locator("[data-message]")).to_have_text(["Said before"])
    expect(question).to_have_count(0)
    ask(page, "And after")
    assert upstream.requests[1].chat_id


def test_an_identity_that_is_refused_leaves_a_chat_for_nobody(
    browsers: Browsers, hosts: HostSites, chat_site: SecureSite, upstream: UpstreamServer
) -> None:
    hosts.pages = {(SHOP, "/"): (page_with(chat_site, attributes='data-identity="forged"'), {})}
    page = browsers.start().new_page()
    page.goto(hosts.origin(SHOP))
    page.evaluate("window.Webchat.on('error', ({ code }) => (window.heard = code))")
    launcher(page).click()
    ask(page, "Hello")
    assert page.evaluate("window.heard") == "IDENTITY_REFUSED"


def test_a_form_of_the_website_leads_into_the_portal_and_asks_what_to_take_along(
    browsers: Browsers, hosts: HostSites, chat_site: SecureSite, upstream: UpstreamServer
) -> None:
    form = (
        f'<form method="post" action="{chat_site.url}/portal/identity/help">'
        f'<input type="hidden" name="token" value="{identity("paula")}"><button>My conversations</button></form>'
    )
    hosts.pages = {(SHOP, "/"): (f"<!doctype html><title>A shop</title>{form}", {})}
    page = browsers.start().new_page()
    page.goto(f"{chat_site.url}/chat/help/")
    page.fill("#message", "Said before")
    page.press("#message", "Enter")
    expect(page.locator("[data-reply]")).to_have_count(1)
    page.goto(hosts.origin(SHOP))
    page.get_by_role("button").click()
    expect(page).to_have_url(f"{chat_site.url}/portal/")
    expect(page.locator(".who")).to_have_text("paula")
    page.get_by_role("button", name="Take it along").click()
    expect(page.locator("[data-conversation] .what a")).to_have_text(["Said before"])
    page.go_back()
    page.goto(hosts.origin(SHOP))
    page.get_by_role("button").click()  # with the token that was used
    expect(page.get_by_role("heading")).to_have_text("You couldn’t be signed in")
