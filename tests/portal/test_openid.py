"""Customers sign in with OpenID Connect, at a real provider on loopback."""

import time
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.test import Client

from accounts import adapters
from tests.portal.conftest import PAGE, PASSWORD, post, sign_in, token_of
from tests.portal.openid_flow import CALLBACK, LOGIN, callback_url, provider_url, sign_in_at_provider
from tests.webchat.upstream_server import UpstreamServer
from tests.webchat.visitor import Page, Visitor
from webchat.models import Conversation, Customer


@pytest.mark.parametrize("issuer", ["http://login.example.com", "login.example.com", "https://rosa@login.example.com"])
def test_a_provider_without_tls_stops_the_start(issuer, settings):
    settings.OIDC_ISSUER = issuer
    with pytest.raises(SystemCheckError, match="OIDC_ISSUER"):
        call_command("check")


def test_customers_sign_in_at_the_provider(provider, browser):
    page = browser.get("/portal/sign-in").content.decode()
    assert "Continue with Example" in page
    assert sign_in_at_provider(browser)["Location"] == "/portal/"
    assert "Rosa Meier" in browser.get("/portal/").content.decode()
    assert {"/.well-known/openid-configuration", "/token", "/userinfo"} <= set(provider.asked)
    assert not User.objects.get().has_usable_password()  # no password reset is possible here


def test_a_customer_is_recognised_on_another_device(provider, browser, upstream):
    sign_in_at_provider(browser)
    first = Visitor(PAGE)
    first.client.cookies = browser.cookies
    first.send("Hello")
    other = Client(enforce_csrf_checks=True)
    sign_in_at_provider(other)
    assert "Hello" in other.get("/portal/").content.decode()
    assert User.objects.count() == Customer.objects.count() == 1


def test_what_was_said_before_signing_in_can_be_kept(provider, upstream):
    visitor = Visitor()
    visitor.send("Hello before")
    sign_in_at_provider(visitor.client)
    assert "Hello before" in visitor.open("/portal/").one("form[@data-question]").text_content()
    assert Conversation.objects.get().customer is None


def test_the_same_email_address_as_an_account_is_another_person(provider, browser):
    account = User.objects.create_user("rosa", "rosa@example.com", PASSWORD)
    provider.person["email_verified"] = True
    sign_in_at_provider(browser)
    assert browser.get("/portal/").wsgi_request.user != account
    assert not browser.get("/portal/").wsgi_request.user.is_staff


@pytest.mark.parametrize("claim", ["email", "preferred_username"])
def test_an_identity_with_the_same_email_address_locks_nobody_out(claim, provider, browser):
    User.objects.create_user("rosa", "rosa@example.com", PASSWORD)
    provider.person |= {"email": "eve@example.com", claim: "rosa@example.com"}
    sign_in_at_provider(browser)
    assert sign_in(Client(enforce_csrf_checks=True), "rosa@example.com").status_code == 302


@pytest.mark.parametrize("error", ["access_denied", "server_error", "<script>alert(1)</script>"])
def test_a_customer_who_cancels_at_the_provider_is_not_signed_in(error, provider, browser):
    provider.will_refuse(error)
    response = sign_in_at_provider(browser)
    if response.status_code == 302:
        response = browser.get(response["Location"])
    assert response.status_code < 500
    assert error not in response.content.decode()
    assert browser.get("/portal/").status_code == 303


@pytest.mark.parametrize(
    "changes",
    [{"iss": "https://evil.example"}, {"aud": "another client"}, {"exp": 0}],
    ids=["issuer", "audience", "old"],
)
def test_a_token_for_somebody_else_signs_nobody_in(changes, provider, browser):
    provider.id_token_changes = changes
    assert sign_in_at_provider(browser).status_code < 500
    assert browser.get("/portal/").status_code == 303


@pytest.mark.parametrize("subject", [None, "somebody else"])
def test_a_token_without_a_subject_or_with_another_one_than_the_user_info_signs_nobody_in(subject, provider, browser):
    provider.id_token_changes = {"sub": subject}
    if subject is None:
        provider.person["sub"] = None
    assert sign_in_at_provider(browser)["Location"] == "/portal/openid/failed"
    assert browser.get("/portal/").status_code == 303
    assert not SocialAccount.objects.exists()


def test_an_unrequested_answer_signs_nobody_in(provider, browser):
    """Login CSRF: an attacker's code in a victim's browser."""
    theirs = callback_url(provider_url(Client(enforce_csrf_checks=True)))
    assert browser.get(theirs).status_code == 403
    assert browser.get("/portal/").status_code == 303


def test_a_provider_that_is_down_causes_no_server_error(provider, browser, settings):
    app = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"][0]
    app["settings"] = {"server_url": "http://127.0.0.1:9"}
    assert post(browser, LOGIN, form_on="/portal/sign-in").status_code == 403


SLOW = {
    "never answers": lambda u: u.will_hang(),
    "answers byte by byte": lambda u: u.will_drip(b"HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n" + b" " * 999),
}


@pytest.mark.parametrize("be_slow", SLOW.values(), ids=SLOW)
def test_a_slow_provider_is_given_up_in_time(be_slow, provider, browser, settings, monkeypatch):
    monkeypatch.setattr(adapters, "PROVIDER_SECONDS", 0.5)
    with UpstreamServer() as slow:
        be_slow(slow)
        app = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"][0]
        app["settings"] = {"server_url": slow.base_url}
        started = time.monotonic()
        assert post(browser, LOGIN, form_on="/portal/sign-in").status_code == 403
    assert time.monotonic() - started < 20  # byte by byte it would take fifty


def test_without_a_provider_there_is_no_such_url(browser, bot):
    assert post(browser, LOGIN, form_on="/portal/sign-in").status_code == 404


@pytest.mark.parametrize("url", [LOGIN, f"{LOGIN}?process=connect", f"{LOGIN}?process=login", f"{LOGIN}?next=/x"])
def test_a_link_cannot_start_a_sign_in(url, provider, browser):
    assert browser.get(url).status_code == 405
    assert browser.post(url).status_code == 403  # the form's token is missing


# --- Sign-in only -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("process", ["connect", "redirect", "login", "", "CONNECT", "x" * 3000])
@pytest.mark.parametrize("place", ["url", "form"])
def test_an_identity_is_never_linked_to_the_account_that_is_signed_in(process, place, provider, rosa):
    """Whatever process is requested, it is a sign-in, as another person: the provider's."""
    own = User.objects.get(username="rosa")
    token = token_of(rosa.client)
    fields = {"csrfmiddlewaretoken": token} | ({"process": process} if place == "form" else {})
    url = f"{LOGIN}?process={process}" if place == "url" else LOGIN
    there = Page(rosa.client.post(url, fields)).one("a[contains(@class, 'strong')]").get("href")
    rosa.client.get(callback_url(there))
    assert not SocialAccount.objects.filter(user=own).exists()
    assert rosa.client.get("/portal/").wsgi_request.user != own


@pytest.mark.parametrize("purpose", ["connect", "redirect", None])
def test_a_session_started_for_another_process_signs_nobody_in(purpose, provider, browser):
    """For example one from an earlier version: the process is stored in the session."""
    back = callback_url(provider_url(browser))
    session = browser.session
    ((state, *_),) = session["socialaccount_states"].values()
    state["process"] = purpose
    session["socialaccount_states"] = session["socialaccount_states"]
    session.save()
    assert browser.get(back)["Location"] == "/portal/openid/failed"
    assert not SocialAccount.objects.exists()


INVALID = [
    "",
    "?",
    "?code=x",
    "?state=",
    "?state=x",
    "?state=x&code=y",
    "?error=access_denied",
    "?error=server_error&state=x",
    "?state[]=x&code[]=y",
    "?state=%FF%FE",
    "?code=" + "x" * 5000,
    "?state=" + "🙂" * 500,
    "?_redir",
    "?process=connect&state=x&code=y",
    "?state=x&state=y&code=a&code=b",
    "?id_token=a.b.c&state=x",
]


@pytest.mark.parametrize("has_begun", [False, True])
def test_an_invalid_callback_is_refused(has_begun, provider, browser):
    for query in INVALID:
        if has_begun:
            provider_url(browser)
        assert browser.get(CALLBACK + query).status_code in (302, 403), query
        assert browser.get("/portal/").status_code == 303, query


def test_a_callback_works_once(provider, browser):
    back = callback_url(provider_url(browser))
    assert browser.get(back).status_code == 302
    post(browser, "/portal/sign-out")
    assert browser.get(back).status_code == 403
    assert browser.get("/portal/").status_code == 303


@pytest.mark.parametrize("answer", ["[]", "{}", "null", "", "<p>Sorry</p>", '{"authorization_endpoint": 5}', '"x"'])
@pytest.mark.parametrize("when", ["there", "back"])
def test_nonsense_from_the_provider_causes_no_server_error(answer, when, provider, browser):
    if when == "there":
        provider.raw = {"/.well-known/openid-configuration": answer}
        assert post(browser, LOGIN, form_on="/portal/sign-in").status_code in (200, 403)
        return
    back = callback_url(provider_url(browser))
    for path in ("/token", "/userinfo"):
        provider.raw = {path: answer}
        assert browser.get(back).status_code in (302, 403)
        if path == "/token":  # everything else is in the signed token
            assert browser.get("/portal/").status_code == 303
            back = callback_url(provider_url(browser))


def test_a_subject_too_long_to_be_stored_causes_no_server_error(provider, browser):
    provider.person["sub"] = "s" * 300
    assert sign_in_at_provider(browser).status_code == 403


@pytest.mark.parametrize("claim", ["sub", "email", "name"])
def test_a_claim_with_a_character_that_not_every_database_stores_signs_nobody_in(claim, provider, browser):
    provider.person[claim] = "Rosa\0"
    assert sign_in_at_provider(browser).status_code in (302, 403)
    assert not User.objects.exists()


def test_a_callback_with_nothing_but_a_valid_state_is_refused(provider, browser):
    for query in ("", "&error=server_error", "&error=access_denied", "&code=wrong"):
        state = parse_qs(urlsplit(provider_url(browser)).query)["state"][0]
        assert browser.get(f"{CALLBACK}?state={state}{query}").status_code in (302, 403), query
        assert browser.get("/portal/").status_code == 303, query


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_the_callback_is_a_get_request(method, provider):
    assert getattr(Client(), method)(f"{CALLBACK}?state=x&code=y").status_code == 405
