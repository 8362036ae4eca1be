"""Signing in at a provider on another host, in a real browser: our policy forbids forms that end elsewhere."""

import pytest
from playwright.sync_api import expect

from tests.browser.site import Site
from tests.browser.waiting import PATIENCE
from tests.browser.watch import Watch
from tests.portal.openid_provider import CLIENT, SECRET, OpenIDProvider


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    with OpenIDProvider() as provider:
        oidc = {
            "OIDC_ISSUER": provider.issuer,
            "OIDC_CLIENT_ID": CLIENT,
            "OIDC_CLIENT_SECRET": SECRET,
            "OIDC_NAME": "Example",
        }
        with Site(tmp_path_factory.mktemp("openid"), "http://127.0.0.1:9", [], WEB_PROCESSES=1, **oidc) as site:
            yield site, provider


def test_a_customer_presses_the_button_and_is_signed_in(place, browser):
    site, provider = place
    watch = Watch(site.url)
    watch.also_at(provider.issuer)
    context = browser.new_context()
    context.set_default_timeout(PATIENCE * 1000)
    watch.look_at(context)
    page = context.new_page()
    page.goto(f"{site.url}/portal/sign-in")
    page.get_by_role("button", name="Continue with Example").click()
    expect(page).to_have_url(f"{site.url}/portal/")
    expect(page.get_by_text("Rosa Meier")).to_be_visible()
    context.close()
    watch.check()
