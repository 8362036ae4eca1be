"""Signing in at a provider on another host, in a real browser: our policy forbids forms that end elsewhere."""

from playwright.sync_api import expect


def test_a_customer_signs_in_with_the_providers_button(visitor, site, provider, watch):
    watch.also_at(provider.issuer)
    page = visitor.new_page()
    page.goto(f"{site.url}/portal/sign-in")
    page.get_by_role("button", name="Continue with Example").click()
    expect(page).to_have_url(f"{site.url}/portal/")
    expect(page.get_by_text("Rosa Meier")).to_be_visible()
