"""Customers and team members sign in with OpenID Connect, at a real provider on loopback."""

import time
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
from allauth.socialaccount.models import SocialAccount
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.test import Client

from accounts import adapters
from accounts.sessions import SIGNED_IN_AT
from tests.portal.conftest import PAGE, PASSWORD, post, sign_in, token_of
from tests.portal.openid_provider import OpenIDProvider
from tests.webchat.upstream_server import UpstreamServer
from tests.webchat.visitor import Page, Visitor
from webchat.models import Bot, Conversation, Customer

LOGIN, CALLBACK = "/portal/openid/oidc/login/", "/portal/openid/oidc/login/callback/"


def provider_url(browser: Client, **fields: str) -> str:
    """Press the button and return the provider's URL."""
    form = {"csrfmiddlewaretoken": token_of(browser, "/portal/sign-in") or token_of(browser, PAGE), **fields}
    page = Page(browser.post(LOGIN, form))
    (link,) = page.all("a[contains(@class, 'strong')]")
    assert page.one("meta[@http-equiv='refresh']").get("content") == f"0;url={link.get('href')}"
    return link.get("href")


def callback_url(there: str) -> str:
    """Return the URL to which the provider sends the browser back."""
    parts = urlsplit(requests.get(there, allow_redirects=False, timeout=5).headers["Location"])
    return f"{parts.path}?{parts.query}"


def sign_in_at_provider(browser: Client, **fields: str) -> Any:
    """Go to the provider and back."""
    return browser.get(callback_url(provider_url(browser, **fields)))


def test_a_provider_without_tls_stops_the_start(settings):
    for issuer in ("http://login.example.com", "login.example.com", "https://rosa@login.example.com"):
        settings.OIDC_ISSUER = issuer
        with pytest.raises(SystemCheckError, match="OIDC_ISSUER"):
            call_command("check")


def test_customers_sign_in_at_the_provider_and_are_recognised_on_another_device(provider, browser, upstream):
    page = browser.get("/portal/sign-in").content.decode()
    assert "Continue with Example" in page
    visitor = Visitor()
    visitor.client = browser
    visitor.send("Hello before")
    assert sign_in_at_provider(browser)["Location"] == "/portal/"
    assert "Rosa Meier" in browser.get("/portal/").content.decode()
    assert {"/.well-known/openid-configuration", "/token", "/userinfo"} <= set(provider.asked)
    assert not User.objects.get().has_usable_password()  # no password reset is possible here
    assert "Hello before" in visitor.open("/portal/").one("form[@data-question]").text_content()
    assert Conversation.objects.get().customer is None, "it is asked whether to keep it"
    visitor.open(PAGE)
    visitor.send("Hello again")
    other = Client(enforce_csrf_checks=True)
    sign_in_at_provider(other)
    assert "Hello again" in other.get("/portal/").content.decode()
    assert User.objects.count() == Customer.objects.count() == 1


@pytest.mark.parametrize("claim", ["email", "preferred_username"])
def test_the_same_email_address_as_an_account_is_another_person_and_locks_nobody_out(claim, provider, browser):
    account = User.objects.create_user("rosa", "rosa@example.com", PASSWORD)
    provider.person |= {"email": "eve@example.com", "email_verified": True, claim: "rosa@example.com"}
    sign_in_at_provider(browser)
    assert browser.get("/portal/").wsgi_request.user != account
    assert sign_in(Client(enforce_csrf_checks=True), "rosa@example.com").status_code == 302


def test_a_customer_who_cancels_at_the_provider_is_not_signed_in(provider, browser):
    for error in ("access_denied", "server_error", "<script>alert(1)</script>"):
        provider.will_refuse(error)
        response = sign_in_at_provider(browser)
        if response.status_code == 302:
            response = browser.get(response["Location"])
        assert response.status_code < 500
        assert error not in response.content.decode()
        assert browser.get("/portal/").status_code == 303


def test_a_token_for_somebody_else_or_with_hostile_claims_signs_nobody_in(provider, browser):
    person = provider.person
    for of_person, of_token in (
        *(({}, changes) for changes in ({"iss": "https://evil.example"}, {"aud": "another client"}, {"exp": 0})),
        *(({claim: "Rosa\0"}, {}) for claim in ("sub", "email", "name")),  # not every database stores it
        ({"sub": "s" * 300}, {}),
    ):
        provider.person, provider.id_token_changes = person | of_person, of_token
        assert sign_in_at_provider(browser).status_code in (302, 403), (of_person, of_token)
        assert browser.get("/portal/").status_code == 303, (of_person, of_token)
    assert not User.objects.exists()


@pytest.mark.parametrize("subject", [None, "somebody else"])
def test_a_token_without_a_subject_or_with_another_one_than_the_user_info_signs_nobody_in(subject, provider, browser):
    provider.id_token_changes = {"sub": subject}
    if subject is None:
        provider.person["sub"] = None
    assert sign_in_at_provider(browser)["Location"] == "/portal/openid/failed"
    assert browser.get("/portal/").status_code == 303
    assert not SocialAccount.objects.exists()


def test_an_unrequested_answer_signs_nobody_in_and_each_counts_once(provider, browser):
    """Login CSRF: an attacker's code in a victim's browser."""
    theirs = callback_url(provider_url(Client(enforce_csrf_checks=True)))
    assert browser.get(theirs).status_code == 403
    assert browser.get("/portal/").status_code == 303
    back = callback_url(provider_url(browser))
    assert browser.get(back).status_code == 302
    post(browser, "/portal/sign-out")
    assert browser.get(back).status_code == 403
    assert browser.get("/portal/").status_code == 303


def test_a_provider_that_is_down_or_slow_is_given_up_in_time(provider, browser, settings, monkeypatch):
    app = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"][0]
    app["settings"] = {"server_url": "http://127.0.0.1:9"}
    assert post(browser, LOGIN, form_on="/portal/sign-in").status_code == 403
    monkeypatch.setattr(adapters, "PROVIDER_SECONDS", 0.5)
    with UpstreamServer() as slow:
        slow.will_drip(b"HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n" + b" " * 999)
        app["settings"] = {"server_url": slow.base_url}
        started = time.monotonic()
        assert post(browser, LOGIN, form_on="/portal/sign-in").status_code == 403
    assert time.monotonic() - started < 20  # byte by byte it would take fifty


def test_a_link_cannot_start_a_sign_in(provider, browser, settings):
    for url in (LOGIN, f"{LOGIN}?process=connect", f"{LOGIN}?process=login", f"{LOGIN}?next=/x"):
        assert browser.get(url).status_code == 405
        assert browser.post(url).status_code == 403  # the form's token is missing
    for method in ("post", "put", "delete"):
        assert getattr(Client(), method)(f"{CALLBACK}?state=x&code=y").status_code == 405
    settings.SOCIALACCOUNT_PROVIDERS = {}
    assert post(browser, LOGIN, form_on="/portal/sign-in").status_code == 404


@pytest.mark.parametrize("process", ["connect", "redirect", "x" * 3000])
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
    *("", "?", "?code=x", "?state=", "?state=x", "?state=x&code=y", "?error=access_denied"),
    *("?error=server_error&state=x", "?state[]=x&code[]=y", "?state=%FF%FE", "?code=" + "x" * 5000),
    *("?state=" + "🙂" * 500, "?_redir", "?process=connect&state=x&code=y", "?state=x&state=y&code=a&code=b"),
    "?id_token=a.b.c&state=x",
]


def test_an_invalid_callback_is_refused(provider, browser):
    for has_begun in (False, True):
        if has_begun:
            provider_url(browser)
        for query in INVALID:
            assert browser.get(CALLBACK + query).status_code in (302, 403), query
            assert browser.get("/portal/").status_code == 303, query
    for query in ("", "&error=server_error", "&error=access_denied", "&code=wrong"):
        state = parse_qs(urlsplit(provider_url(browser)).query)["state"][0]
        assert browser.get(f"{CALLBACK}?state={state}{query}").status_code in (302, 403), query
        assert browser.get("/portal/").status_code == 303, query


@pytest.mark.parametrize("answer", ["[]", "{}", "null", "<p>Sorry</p>", '{"authorization_endpoint": 5}'])
def test_nonsense_from_the_provider_causes_no_server_error(answer, provider, browser):
    provider.raw = {"/.well-known/openid-configuration": answer}
    assert post(browser, LOGIN, form_on="/portal/sign-in").status_code in (200, 403)
    for path in ("/token", "/userinfo"):
        back = callback_url(provider_url(browser))
        provider.raw = {path: answer}
        assert browser.get(back).status_code in (302, 403)
        if path == "/token":  # everything else is in the signed token
            assert browser.get("/portal/").status_code == 303


def test_an_identity_does_not_sign_in_staff_unless_the_site_allows_it(provider, browser, settings):
    sign_in_at_provider(browser)
    for rank in ("is_staff", "is_superuser"):
        for allowed, password, status in ((False, "!", 303), (True, "!", 200), (True, "x", 303)):
            User.objects.update(**{"is_staff": False, "is_superuser": False, rank: True, "password": password})
            settings.OIDC_STAFF = allowed
            again = Client(enforce_csrf_checks=True)
            sign_in_at_provider(again)
            assert again.get("/portal/").status_code == status, (rank, allowed, password)


def test_the_desks_login_leads_to_the_provider_and_whoever_cancels_there_back(provider, browser, settings):
    assert not Page(browser.get("/admin/login/")).all(f"form[@action='{LOGIN}']")
    settings.OIDC_STAFF = True
    (form,) = Page(browser.get("/admin/login/?next=/admin/inbox/")).all(f"form[@action='{LOGIN}']")
    assert form.xpath(".//input[@name='next']/@value") == ["/admin/inbox/"]
    assert form.xpath("string(.//button)") == "Continue with Example"
    provider.will_refuse("access_denied")
    refused = sign_in_at_provider(browser, next="/admin/inbox/")
    shown = Page(browser.get(refused["Location"]) if refused.status_code == 302 else refused)
    assert "You cancelled, or Example didn’t confirm your account." in shown.one("main").text_content()
    assert shown.one("main").xpath(".//a/@href") == ["/admin/inbox/"]


def invitation(bot: Bot) -> str:
    """Return the path of a link with which somebody becomes an editor of the bot."""
    owner = Client()
    owner.force_login(User.objects.create_superuser("olivia"))
    shown = Page(owner.post("/admin/team/invite/", {"role": "editor", "bots": [bot.pk]}))
    return next(urlsplit(box.get("value")).path for box in shown.all("input[@readonly]"))


def test_an_invitation_to_the_team_is_accepted_with_an_account_of_the_provider(provider, browser, bot, settings):
    settings.OIDC_STAFF = True
    link = invitation(bot)
    invited = Page(browser.get(link))
    (button,) = invited.all("form[input[@name='next']]")
    assert (button.get("action"), button.xpath(".//input[@type='submit']/@value")) == (LOGIN, ["Continue with Example"])
    assert sign_in_at_provider(browser, next=link)["Location"] == link
    user = User.objects.exclude(username="olivia").get()
    assert not user.is_staff
    joining = Page(browser.get(link))
    form = {"csrfmiddlewaretoken": joining.all("input[@name='csrfmiddlewaretoken']")[0].get("value")}
    assert browser.post(link, form | {"as-signed-in": "1"}).status_code == 303
    user.refresh_from_db()
    assert (user.is_staff, user.team_member.role, list(user.team_member.bots.all())) == (True, "editor", [bot])
    again = Client(enforce_csrf_checks=True)
    sign_in_at_provider(again)
    assert again.get(f"/admin/webchat/bot/{bot.pk}/look/").status_code == 200
    assert browser.get(link).status_code == 410


def test_an_account_of_the_provider_cannot_accept_an_invitation_if_the_team_has_passwords(provider, browser, bot):
    link = invitation(bot)
    sign_in_at_provider(browser)
    invited = Page(browser.get(link))
    assert not invited.all("input[@name='as-signed-in']")
    form = {"csrfmiddlewaretoken": invited.all("input[@name='csrfmiddlewaretoken']")[0].get("value")}
    browser.post(link, form | {"as-signed-in": "1"})
    assert not User.objects.exclude(username="olivia").get().is_staff


KEYS, SECOND_FACTOR = "/admin/webchat/identitykey/add/", "/admin/security/app/"


@pytest.fixture
def editor(provider, browser, settings) -> Client:
    """A team member who signed in at the provider so long ago that the desk asks again."""
    settings.OIDC_STAFF = True
    sign_in_at_provider(browser)
    User.objects.update(is_staff=True, is_superuser=True)
    forget_sign_in(browser)
    return browser


def forget_sign_in(browser: Client) -> None:
    session = browser.session
    session[SIGNED_IN_AT] = int(time.time()) - 3600
    session.save()


def start_confirmation(browser: Client) -> str:
    """Open a page of the desk that needs confirmation, press its button and return the provider's URL."""
    asked = browser.get(browser.get(KEYS)["Location"])
    page = Page(browser.get(asked["Location"]))
    assert page.all("input[@value='Sign in again with Example']")
    (token,) = {field.get("value") for field in page.all("input[@name='csrfmiddlewaretoken']")}
    assert (page.one("input[@name='again']").get("value"), page.one("input[@name='next']").get("value")) == ("1", KEYS)
    form = {"csrfmiddlewaretoken": token, "again": "1", "next": KEYS}
    return Page(browser.post(LOGIN, form)).one("a[contains(@class, 'strong')]").get("href")


def test_before_keys_staff_are_asked_to_sign_in_at_the_provider_again(provider, editor):
    there = start_confirmation(editor)
    asked = {name: values for name, (values,) in parse_qs(urlsplit(there).query).items()}
    assert (asked["prompt"], asked["max_age"]) == ("login", "0")
    assert editor.get(SECOND_FACTOR)["Location"].startswith("/admin/confirm/provider/")
    session, accounts = editor.session.session_key, User.objects.count()
    assert editor.get(callback_url(there))["Location"] == KEYS
    assert [editor.get(page).status_code for page in (KEYS, SECOND_FACTOR)] == [200, 200]
    assert (editor.session.session_key, User.objects.count()) == (session, accounts)
    assert LogEntry.objects.get().change_message == "Confirmed their identity."
    forget_sign_in(editor)
    assert editor.get(KEYS).status_code == 302


def another_account(provider: OpenIDProvider) -> None:
    provider.person = {"sub": "another", "name": "Eve"}
    sign_in_at_provider(Client(enforce_csrf_checks=True))
    User.objects.update(is_staff=True)


NO_CONFIRMATION = {
    "another account": another_account,
    "an unknown identity": lambda provider: provider.person.update(sub="never seen"),
    "an earlier sign-in": lambda provider: vars(provider).update(asks_again=False, signed_in_at=int(time.time()) - 120),
    "no time": lambda provider: provider.id_token_changes.update(auth_time=None),
    "a time in the future": lambda provider: provider.id_token_changes.update(auth_time=time.time() + 600),
    "text instead of a time": lambda provider: provider.id_token_changes.update(auth_time=str(time.time())),
    "another subject in the token": lambda provider: provider.id_token_changes.update(sub="another"),
    "no longer for staff": lambda provider: User.objects.update(password="x"),
}


@pytest.mark.parametrize("change", NO_CONFIRMATION.values(), ids=NO_CONFIRMATION)
def test_nothing_else_confirms_an_identity(change, provider, editor):
    there, user = start_confirmation(editor), editor.session["_auth_user_id"]
    change(provider)
    accounts = SocialAccount.objects.count()
    assert editor.get(callback_url(there)).status_code == 302
    assert editor.get(KEYS).status_code == 302
    assert editor.session.get("_auth_user_id", user) == user
    assert SocialAccount.objects.count() == accounts
    assert not LogEntry.objects.filter(change_message="Confirmed their identity.").exists()


def test_a_confirmation_counts_once_and_only_where_it_was_started(provider, editor):
    back = callback_url(start_confirmation(editor))
    other = Client(enforce_csrf_checks=True)
    sign_in_at_provider(other)
    assert other.get(back).status_code == 403
    assert other.get(KEYS).status_code == 302
    assert editor.get(back)["Location"] == KEYS
    forget_sign_in(editor)
    assert editor.get(back).status_code == 403
    assert editor.get(KEYS).status_code == 302
    post(editor, "/portal/sign-out")
    sign_in_at_provider(editor)  # without being asked again there
    assert editor.get("/admin/").status_code == 200
    assert editor.get(KEYS).status_code == 302
    provider.person["sub"] = "another"
    page = editor.get(editor.get(callback_url(start_confirmation(editor)))["Location"]).content.decode()
    assert "Example didn’t confirm that it is you. Sign in there again, with the same account as here." in page
