"""Signing in with a signed identity, sent by a form on the owner's website."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.portal.conftest import PAGE, PASSWORD, sign_in
from tests.webchat.identity_provider import Website
from tests.webchat.visitor import Visitor
from webchat.models import Bot, Conversation, Customer

SHOP = "https://shop.example.com"


@pytest.fixture
def website(bot: Bot) -> Website:
    Bot.objects.filter(pk=bot.pk).update(origins=SHOP)
    return Website(bot)


def post_identity(browser: Client, token: str, origin: str = SHOP, slug: str = "help") -> Any:
    """Post another site's form: the browser sends no cookies with it, but follows the redirect with all of them."""
    form = Client(enforce_csrf_checks=True)
    response = form.post(f"/portal/identity/{slug}", {"token": token}, headers={"Origin": origin} if origin else {})
    if response.status_code != 303:
        return response
    browser.cookies.update(form.cookies)
    return browser.get(response["Location"])


def test_a_website_signs_its_visitor_in_instead_of_the_account_before(website, browser):
    User.objects.create_superuser("owner", "owner@example.com", PASSWORD)
    sign_in(browser, "owner")
    token = website.sign()
    assert post_identity(browser, token)["Location"] == "/portal/"
    assert "Rosa Meier" in browser.get("/portal/").content.decode()
    assert browser.get("/admin/").status_code == 302
    assert not browser.cookies["arrival"].value
    assert User.objects.count() == 1
    assert post_identity(Client(), token).status_code == 403, "a token used twice"
    Bot.objects.update(in_portal=False)
    assert post_identity(browser, website.sign()).status_code == 404


def test_an_invalid_identity_or_one_from_another_site_is_refused_without_the_cause(website, browser):
    """Another site could sign its readers in as itself, and read what they write."""
    for token in ("", "x", "a.b.c", "é", "x" * 40_000):
        response = post_identity(browser, token)
        assert response.status_code == 403
        assert "We couldn’t sign you in" in response.content.decode()
    similar = ("http://shop.example.com", f"{SHOP}.evil.example")
    for origin in ("", "null", "https://evil.example", *similar):
        assert post_identity(browser, website.sign(), origin).status_code == 403, origin
        assert browser.get("/portal/").status_code == 303, origin


def test_an_arrival_works_once_and_a_forged_one_never(website, browser):
    form, token = Client(), website.sign()
    assert form.get(f"/portal/identity/help?token={token}").status_code == 405
    response = form.post("/portal/identity/help", {"token": token}, headers={"Origin": SHOP})
    assert response["Location"] == "/portal/arrived"
    assert token not in str(response.cookies)
    genuine, forged = form.cookies["arrival"].value, str(Customer.objects.get().pk)
    for client, arrival, status in ((Client(), forged, 303), (browser, genuine, 200), (Client(), genuine, 303)):
        client.cookies["arrival"] = arrival
        client.get("/portal/arrived")
        assert client.get("/portal/").status_code == status


def test_a_visitor_with_another_identity_sees_nothing_of_the_one_before(website, upstream):
    visitor = Visitor(PAGE)
    post_identity(visitor.client, website.sign())
    visitor.send("Rosa's secret")
    before = visitor.client.cookies["sessionid"].value
    post_identity(visitor.client, website.sign(sub="43", name="Eve"))
    page = visitor.client.get("/portal/").content.decode()
    assert "Eve" in page
    assert "secret" not in page
    assert visitor.client.cookies["sessionid"].value != before
    Customer.objects.all().delete()
    assert visitor.client.get("/portal/").status_code == 303
    assert not Conversation.objects.exists(), "they are deleted with the customer"


def test_the_secret_of_a_key_is_shown_once(bot, client):
    client.force_login(User.objects.create_superuser("owner", "owner@example.com", PASSWORD))
    form = {"bot": bot.pk, "name": "shop", "algorithm": "HS256", "public_key": ""}
    page = client.post("/admin/webchat/identitykey/add/", form, follow=True).content.decode()
    secret = page.partition("shown only once: ")[2][:64]
    key = bot.identity_keys.get()
    assert key.material() == secret
    assert secret not in client.get("/admin/webchat/identitykey/").content.decode()
    assert secret not in client.get(f"/admin/webchat/identitykey/{key.pk}/change/").content.decode()
