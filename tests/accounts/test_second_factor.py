"""A second factor: set up at the desk, asked for at every sign-in, and impossible to guess."""

import hashlib
import hmac
import re
import struct
import time
from base64 import b32decode
from io import StringIO
from typing import Any
from urllib.parse import unquote

import pytest
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from accounts import attempts
from tests.accounts.conftest import DESK, PASSWORD, PORTAL, browser_at, try_sign_in
from tests.portal.conftest import token_of
from tests.webchat.visitor import Page
from webchat.models import TeamMember

HERE, THERE = "203.0.113.1", "203.0.113.2"
SECOND = "/admin/second-factor/"
SETUP = "/admin/security/app/"
ALONE = "/admin/sign-in/passkey/"
BY_SCRIPT = {"X-Requested-With": "XMLHttpRequest"}
FIREFOX = "Mozilla/5.0 (Android 14; Mobile; rv:128.0) Gecko/128.0 Firefox/128.0"


def code_of(secret: str, periods: int = 0) -> str:
    """Compute a one-time code as an authenticator app does (RFC 6238)."""
    counter = struct.pack(">Q", int(time.time()) // 30 + periods)
    digest = hmac.new(b32decode(secret), counter, hashlib.sha1).digest()
    start = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[start : start + 4])[0] & 0x7FFFFFFF) % 10**6:06}"


def post(client: Client, path: str, **fields: str) -> Any:
    return client.post(path, {"csrfmiddlewaretoken": token_of(client, path), **fields})


@pytest.fixture
def desk_browser(owner: User) -> Client:
    """A browser that is signed in at the desk."""
    browser = browser_at(HERE)
    assert try_sign_in(DESK, browser, "owner", PASSWORD).status_code == 302
    return browser


def set_up(browser: Client) -> str:
    page = Page(browser.get(SETUP))
    assert page.one("main//form//img").get("src").startswith("data:image/svg")
    assert "img-src 'self' data:" in page.response["Content-Security-Policy"]  # or no QR code is seen
    secret = page.one("code[@data-secret]").text_content()
    response = post_code(browser, SETUP, code_of(secret))
    assert response["Location"] == "/admin/security/codes/"
    return secret


def post_code(browser: Client, path: str, code: str) -> Any:
    """Post a code without opening the setup page again, which would make a new secret."""
    token = token_of(browser, "/admin/security/" if path == SETUP else path)
    return browser.post(path, {"csrfmiddlewaretoken": token, "code": code})


@pytest.fixture
def secret(desk_browser: Client) -> str:
    return set_up(desk_browser)


@pytest.mark.parametrize(("sign_in_page", "to"), [(DESK, "/admin/"), (PORTAL, "/portal/")])
def test_password_and_code_sign_in_and_the_password_alone_does_not(sign_in_page, to, secret, settings):
    browser = browser_at(THERE)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another secret key that nobody has ever seen before"
    call_command("reseal", stdout=StringIO())
    settings.SECRET_KEY_FALLBACKS = []
    assert try_sign_in(sign_in_page, browser, "owner", PASSWORD)["Location"] == SECOND
    assert browser.get("/admin/").status_code == 302
    assert browser.get("/portal/").status_code == 303
    assert Page(browser.get(SECOND)).one("input[@name='code']").get("autofocus") == ""
    for code in ("", "000000", "\x00", "1" * 5000, "٠٠٠٠٠٠"):
        attempts.code_succeeded("owner")  # none of them has to wait for the one before
        answer = post(browser, SECOND, code=code).content.decode()
        assert answer.count("Error: Second factor ·") == 1
        assert "Too many" not in answer
        assert browser.get("/admin/").status_code == 302
    assert post(browser, SECOND, code=code_of(secret))["Location"] == to
    assert browser.get("/admin/").status_code == 200


FORGED_PASSKEYS = [
    *("", "[]", "null", "{", '{"id": 1}', '{"rawId": "AA"}', '{"id": "AA", "rawId": "AA", "response": 5}'),
    '{"id": "AA", "rawId": "AA", "type": "public-key", "response": {"clientDataJSON": "e30", "signature": "AA"}}',
    '{"id": "AA", "rawId": "AA", "type": "public-key", "response": {"clientDataJSON": "%", "attestationObject": "AA"}}',
    '{"id": "AA", "rawId": "AA", "type": "public-key", "response": {"clientDataJSON": "e30", "authenticatorData": "AA",'
    ' "signature": "AA", "userHandle": "AA"}}',
]


def test_a_forged_passkey_neither_signs_in_nor_is_added_nor_confirms_anything(desk_browser, secret, owner):
    for number, credential in enumerate(FORGED_PASSKEYS):
        browser = browser_at(f"203.0.113.{number + 10}")
        challenge = browser.get(ALONE, headers=BY_SCRIPT).json()["request_options"]["publicKey"]
        assert challenge["userVerification"] == "required"
        form = {"csrfmiddlewaretoken": token_of(browser, "/admin/login/"), "credential": credential}
        assert browser.post(ALONE, form).status_code in (200, 302), credential
        assert browser.get("/admin/").status_code == 302
        try_sign_in(DESK, browser, "owner", PASSWORD)
        assert post(browser, SECOND, credential=credential).status_code == 200, credential
        assert browser.get("/admin/").status_code == 302
        added = post(desk_browser, "/admin/security/passkeys/add/", name="x", credential=credential)
        assert added.status_code == 200, credential
    assert not Authenticator.objects.filter(type=Authenticator.Type.WEBAUTHN).exists()
    Authenticator.objects.create(user=owner, type=Authenticator.Type.WEBAUTHN, data={"credential": {}})
    signed_in_at = desk_browser.session["signed in at"]
    for credential in FORGED_PASSKEYS:
        form = {"csrfmiddlewaretoken": token_of(desk_browser, "/admin/confirm/"), "credential": credential}
        assert desk_browser.post("/admin/confirm/passkey/", form).status_code in (200, 302), credential
        assert desk_browser.session["signed in at"] == signed_in_at
        assert not desk_browser.session.get("account_authentication_methods")


def test_challenges_for_a_passkey_are_limited_by_ip_address(owner, few_attempts):
    ask = browser_at(HERE).get
    assert {ask(ALONE, headers=BY_SCRIPT).status_code for _time in range(attempts.ATTEMPTS_PER_IP)} == {200}
    assert ask(ALONE, headers=BY_SCRIPT).status_code == 429
    assert browser_at(THERE).get(ALONE, headers=BY_SCRIPT).status_code == 200


def test_codes_cannot_be_guessed(secret):
    browser = browser_at(THERE)
    try_sign_in(DESK, browser, "owner", PASSWORD)
    for _ in range(5):
        post(browser, SECOND, code="000000")
    page = Page(post(browser, SECOND, code=code_of(secret)))
    assert re.search(r"Too many attempts\. Try again in \d+ seconds?\.", page.tree.text_content())
    other = browser_at("203.0.113.3")
    try_sign_in(DESK, other, "owner", PASSWORD)
    assert post(other, SECOND, code=code_of(secret)).status_code == 200


def test_a_code_works_once_across_all_processes(secret):
    from django.core.cache import cache

    code = code_of(secret)
    first, second = browser_at(HERE), browser_at(THERE)
    for browser in (first, second):
        try_sign_in(DESK, browser, "owner", PASSWORD)
    assert post(first, SECOND, code=code).status_code == 302
    cache.clear()  # like another process, whose cache is empty
    assert "This code has already been used" in post(second, SECOND, code=code).content.decode()
    assert second.get("/admin/").status_code == 302


def test_a_recovery_code_is_shown_and_works_once_and_new_ones_replace_the_old_ones(desk_browser, secret):
    security, codes_page = "/admin/security/", "/admin/security/codes/"
    assert Page(desk_browser.get(security)).one(f"main//a[@href='{codes_page}']").text == "Show"
    page = Page(desk_browser.get(codes_page))
    old = [code.text_content() for code in page.all("ul[@data-codes]//code")]
    file = unquote(page.one("main//a[@download='recovery-codes.txt']").get("href"))
    assert file.startswith("data:text/plain;charset=utf-8,Recovery codes for owner at testserver.")
    assert file.split()[-10:] == old
    again = Page(desk_browser.get(codes_page))
    assert "10 of 10 are left." in again.tree.text_content()
    assert not [code for code in old if code in again.tree.text_content()]
    assert not again.all("main//a[@download]")
    assert not Page(desk_browser.get(security)).all(f"main//a[@href='{codes_page}']")
    stored = str(list(Authenticator.objects.values()))
    assert not [each for each in (secret, *old) if each in stored]
    for expected in (302, 200):
        browser = browser_at(THERE)
        try_sign_in(DESK, browser, "owner", PASSWORD)
        assert post(browser, SECOND, code=old[0]).status_code == expected
    post(desk_browser, f"{codes_page}new/")
    new = [code.text_content() for code in Page(desk_browser.get(codes_page)).all("ul[@data-codes]//code")]
    assert len(new) == 10
    assert not set(old) & set(new)


def test_a_second_factor_is_neither_added_nor_removed_without_a_fresh_confirmation(desk_browser, secret):
    session = desk_browser.session
    session["signed in at"] -= 3600
    session.save()
    for path in (
        f"{SETUP}remove/",
        "/admin/security/codes/",
        "/admin/security/codes/new/",
        "/admin/security/passkeys/add/",
    ):
        assert desk_browser.get(path)["Location"].startswith("/admin/confirm/")
    asked = Page(desk_browser.get("/admin/confirm/?next=/admin/"))
    assert "Use authenticator app or code" in asked.tree.text_content()
    assert asked.one("main//input[@name='password']").get("autofocus") == ""
    again = post(desk_browser, "/admin/confirm/code/?next=/admin/security/codes/", code=code_of(secret, 1))
    assert again["Location"] == "/admin/security/codes/"
    assert desk_browser.get("/admin/security/codes/").status_code == 200


def test_a_required_second_factor_must_be_set_up_before_anything_else_by_staff(desk_browser, customer, settings):
    settings.STAFF_MFA = "REQUIRED"
    for path in ("/admin/", "/admin/webchat/bot/", "/admin/password_change/", "/admin/security/sessions/"):
        assert desk_browser.get(path)["Location"] == "/admin/security/"
    assert "this site requires one for staff" in desk_browser.get("/admin/security/").content.decode()
    assert desk_browser.get("/admin/before-sending/").status_code == 200  # asked for by the page with the password
    set_up(desk_browser)
    assert desk_browser.get("/admin/webchat/bot/").status_code == 200
    assert try_sign_in(PORTAL, browser_at(HERE), "rosa", PASSWORD)["Location"] == "/portal/"


def test_the_security_pages_are_for_staff_only_and_a_customers_session_stores_neither_ip_nor_version(customer):
    browser = Client(enforce_csrf_checks=True, REMOTE_ADDR=HERE, headers={"User-Agent": FIREFOX})
    assert try_sign_in(PORTAL, browser, "rosa", PASSWORD).status_code == 302
    session = UserSession.objects.get()
    assert (session.ip, session.user_agent) == ("0.0.0.0", "Firefox · Android")
    for page in ("", "app/", "app/remove/", "codes/", "codes/new/", "passkeys/", "passkeys/add/", "sessions/"):
        for client in (browser, browser_at(THERE)):
            assert client.get(f"/admin/security/{page}")["Location"].startswith("/admin/login/")


def test_a_superuser_can_remove_a_lost_second_factor(desk_browser, db):
    colleague = User.objects.create_user("colleague", password=PASSWORD, is_staff=True)
    browser = browser_at(THERE)
    try_sign_in(DESK, browser, "colleague", PASSWORD)
    set_up(browser)
    member = TeamMember.objects.create(user=colleague, name="colleague")
    post(desk_browser, f"/admin/team/{member.pk}/", do="second-factor")
    assert not Authenticator.objects.exists()
    assert LogEntry.objects.filter(change_message="Removed the second factor.", object_repr="colleague").count() == 1


def test_the_audit_trail_records_changes_of_a_second_factor(desk_browser, secret, django_capture_on_commit_callbacks):
    browser = browser_at(THERE)
    try_sign_in(DESK, browser, "owner", PASSWORD)
    post(browser, SECOND, code="000000")
    with django_capture_on_commit_callbacks(execute=True):
        post(desk_browser, "/admin/security/codes/new/")
    post(desk_browser, "/admin/security/app/remove/")
    said = list(LogEntry.objects.order_by("pk").values_list("change_message", flat=True))
    assert said[0] == "Logged in."
    assert {"Failed to log in: wrong code.", "Created new recovery codes."} <= set(said)
    assert [sentence for sentence in said if sentence.startswith("Removed a second factor")]
    assert secret not in str(said)
    assert not Authenticator.objects.exists()
    assert try_sign_in(DESK, browser_at(THERE), "owner", PASSWORD)["Location"] == "/admin/"


def test_staff_see_their_sessions_and_can_end_one_or_all_others(desk_browser):
    User.objects.create_superuser("stranger", "", PASSWORD)
    away = {"enforce_csrf_checks": True, "REMOTE_ADDR": THERE}
    there, another, foreign = Client(headers={"User-Agent": FIREFOX}, **away), Client(**away), Client(**away)
    for client, name in ((there, "owner"), (foreign, "stranger")):
        try_sign_in(DESK, client, name, PASSWORD)
    sessions = "/admin/security/sessions/"
    page = Page(desk_browser.get(sessions)).tree.text_content()
    for shown in (HERE, THERE, "Firefox · Android"):
        assert shown in page
    token = token_of(desk_browser, sessions)
    numbers = {each.user.username: each.pk for each in UserSession.objects.filter(ip=THERE)}
    for name, status in (("stranger", 404), ("owner", 302)):
        response = desk_browser.post(f"{sessions}{numbers[name]}/end/", {"csrfmiddlewaretoken": token})
        assert response.status_code == status
    try_sign_in(DESK, another, "owner", PASSWORD)
    everybody = (desk_browser, there, another, foreign)
    assert [client.get("/admin/").status_code for client in everybody] == [200, 302, 200, 200]
    assert post(desk_browser, sessions).status_code == 302
    assert [client.get("/admin/").status_code for client in everybody] == [200, 302, 302, 200]
