"""Second factors in a real browser, with Chromium's virtual authenticator, under the site's own policy."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.owner import PASSWORD, logged_in
from tests.browser.waiting import PATIENCE
from tests.browser.watch import Watch


@pytest.fixture
def desk(browser, site):
    url = site.url.replace("127.0.0.1", "localhost")  # a passkey needs a host name, not an IP address
    watch = Watch(url)
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(PATIENCE * 1000)
    watch.look_at(context)
    page = context.new_page()
    page.base = url
    yield page
    context.close()
    watch.check()


def log_in(page: Page, name: str) -> None:
    page.goto(f"{page.base}/admin/")
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in", exact=True).click()


def log_out(page: Page) -> None:
    with page.expect_navigation():  # another page opened meanwhile would cancel it
        page.get_by_role("button", name="Log out").click()


@pytest.fixture
def authenticator(desk, site):
    """Yield a function that tells Chromium's virtual authenticator whether it has recognised its owner."""
    devices = desk.context.new_cdp_session(desk)
    devices.send("WebAuthn.enable")
    able = ("hasResidentKey", "hasUserVerification", "isUserVerified", "automaticPresenceSimulation")
    key = {"protocol": "ctap2", "transport": "internal"} | dict.fromkeys(able, True)
    device = devices.send("WebAuthn.addVirtualAuthenticator", {"options": key})["authenticatorId"]
    yield lambda verified: devices.send(
        "WebAuthn.setUserVerified", {"authenticatorId": device, "isUserVerified": verified}
    )
    user = "(SELECT id FROM auth_user WHERE username = 'with a passkey')"
    site.ask_database(f"DELETE FROM mfa_authenticator WHERE user_id = {user}")
    site.ask_database(f"UPDATE auth_user SET is_staff = TRUE WHERE id = {user}")


def add_passkey(page: Page) -> None:
    log_in(page, "with a passkey")
    page.get_by_role("link", name="Login and security").click()
    page.get_by_role("link", name="Add a passkey").click()
    page.get_by_label("Name").fill("Laptop")
    expect(page.get_by_role("button", name="Add")).to_be_enabled()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()


def test_a_passkey_is_added_and_opens_the_desk_after_the_password(desk, authenticator):
    add_passkey(desk)
    expect(desk.locator("[data-codes] li")).to_have_count(10)
    with desk.expect_download() as download:
        desk.get_by_role("link", name="Save as a file").click()
    assert download.value.path().read_text().split()[-10:] == desk.locator("[data-codes] li").all_text_contents()
    desk.get_by_role("link", name="Done").click()
    desk.get_by_role("link", name="Manage").click()
    expect(desk.get_by_role("rowheader", name="Laptop")).to_be_visible()

    log_out(desk)
    log_in(desk, "with a passkey")
    expect(desk.get_by_role("heading", name="Second factor")).to_be_visible()
    desk.get_by_role("button", name="Use a passkey").click()
    expect(desk).to_have_url(f"{desk.base}/admin/")


def test_a_passkey_alone_opens_the_desk_for_a_recognised_member_of_the_team(desk, site, authenticator):
    add_passkey(desk)
    log_out(desk)
    desk.goto(f"{desk.base}/admin/teach/")
    alone = desk.get_by_role("button", name="Log in with a passkey")
    alone.click()
    expect(desk).to_have_url(f"{desk.base}/admin/teach/")
    log_out(desk)
    desk.goto(f"{desk.base}/admin/")
    authenticator(verified=False)
    alone.click()
    expect(desk.get_by_role("alert")).to_contain_text("Nothing was confirmed.")
    authenticator(verified=True)
    site.ask_database("UPDATE auth_user SET is_staff = FALSE WHERE username = 'with a passkey'")
    alone.click()
    expect(desk.get_by_text("That passkey was not accepted.")).to_be_visible()


def test_until_the_script_is_there_nothing_is_sent_and_if_a_passkey_is_impossible_the_page_says_why(browser, site):
    with logged_in(browser, site, "/admin/security/passkeys/add/", meant="net::ERR_FAILED") as page:  # at 127.0.0.1
        page.route("**/passkey*.js", lambda script: script.abort())
        page.reload()
        sent: list[str] = []
        page.on("request", lambda request: sent.append(request.method))
        page.get_by_label("Name").press("Enter")
        expect(page.get_by_role("button", name="Add")).to_be_disabled()
        page.unroute_all()
        page.reload()
        assert "POST" not in sent
        page.get_by_role("button", name="Add").click()
        expect(page.get_by_role("alert")).to_contain_text("A passkey belongs to a website’s name.")
