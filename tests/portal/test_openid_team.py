"""Team members who sign in at the provider: only there, by invitation, and confirmed there again."""

import time
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.socialaccount.models import SocialAccount
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.test import Client

from accounts.sessions import SIGNED_IN_AT
from tests.portal.conftest import post
from tests.portal.openid_flow import LOGIN, callback_url, sign_in_at_provider
from tests.portal.openid_provider import OpenIDProvider
from tests.webchat.visitor import Page
from webchat.models import Bot


@pytest.mark.parametrize("rank", ["is_staff", "is_superuser"])
@pytest.mark.parametrize(("allowed", "password", "comes_in"), [(False, "!", 0), (True, "!", 1), (True, "x", 0)])
def test_an_identity_does_not_sign_in_staff_unless_the_site_allows_it(
    rank, allowed, password, comes_in, provider, browser, settings
):
    sign_in_at_provider(browser)
    User.objects.update(**{rank: True, "password": password})
    settings.OIDC_STAFF = allowed
    again = Client(enforce_csrf_checks=True)
    sign_in_at_provider(again)
    assert (again.get("/portal/").status_code == 200) == bool(comes_in)


def test_the_desks_login_leads_to_the_provider_if_staff_sign_in_there(provider, browser, settings):
    assert not Page(browser.get("/admin/login/")).all(f"form[@action='{LOGIN}']")
    settings.OIDC_STAFF = True
    (form,) = Page(browser.get("/admin/login/?next=/admin/inbox/")).all(f"form[@action='{LOGIN}']")
    assert form.xpath(".//input[@name='next']/@value") == ["/admin/inbox/"]
    assert form.xpath("string(.//button)") == "Continue with Example"


@pytest.mark.parametrize("error", ["access_denied", "server_error"])
def test_whoever_cancels_at_the_provider_is_led_back_to_the_desk(error, provider, browser, settings):
    settings.OIDC_STAFF = True
    provider.will_refuse(error)
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


def test_a_refused_confirmation_says_what_to_do(provider, editor):
    there = start_confirmation(editor)
    provider.person["sub"] = "another"
    page = editor.get(editor.get(callback_url(there))["Location"]).content.decode()
    assert "Example didn’t confirm that it is you. Sign in there again, with the same account as here." in page


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


def test_signing_in_again_without_being_asked_by_the_provider_confirms_nothing(provider, editor):
    post(editor, "/portal/sign-out")
    sign_in_at_provider(editor)
    assert editor.get("/admin/").status_code == 200
    assert editor.get(KEYS).status_code == 302
