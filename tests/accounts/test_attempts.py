"""Password guessing is slowed down at the portal and the desk, without locking anybody else out."""

import re
from functools import partial

from django.contrib.auth import hashers
from django.contrib.auth.models import User
from django.core import mail

from accounts import attempts
from tests.accounts.conftest import DESK, PASSWORD, PORTAL, browser_at, try_sign_in
from tests.portal.conftest import token_of
from tests.webchat.concurrency import run_concurrently
from tests.webchat.visitor import Page

HERE, THERE = "203.0.113.1", "203.0.113.2"


def test_after_five_wrong_passwords_even_the_right_one_has_to_wait(owner):
    """Those at the portal and at the desk count together."""
    for number in range(attempts.ATTEMPTS_WITHOUT_DELAY):
        try_sign_in((PORTAL, DESK)[number % 2], browser_at(HERE), "owner")
    for sign_in_page in (PORTAL, DESK):
        page = Page(try_sign_in(sign_in_page, browser_at(THERE), "owner", PASSWORD))
        assert re.search(r"Too many attempts\. Try again in \d+ seconds?\.", page.tree.text_content())


def test_the_delay_grows_and_ends(owner, clock):
    waits = []
    for _ in range(12):
        answer = Page(try_sign_in(DESK, browser_at(THERE), "owner")).tree.text_content()
        assert "Too many" not in answer
        refused = re.search(r"in (\d+) second", Page(try_sign_in(DESK, browser_at(THERE), "owner")).tree.text_content())
        waits.append(int(refused[1]) if refused else 0)
        clock[0] += waits[-1]
        if waits[-1]:
            assert "Too many" not in (Page(try_sign_in(DESK, browser_at(HERE), "nobody")).tree.text_content())
    grown = [wait for wait in waits if wait]
    assert grown == sorted(grown)
    assert grown[-1] == attempts.LONGEST_DELAY
    assert try_sign_in(DESK, browser_at("203.0.113.9"), "owner", PASSWORD).status_code == 302


def test_no_password_is_hashed_for_an_address_that_has_used_up_its_attempts(owner, few_attempts, monkeypatch):
    for number in range(attempts.ATTEMPTS_PER_IP):
        try_sign_in(PORTAL, browser_at(HERE), f"name {number}")
    hashed = []
    monkeypatch.setattr(hashers, "verify_password", lambda *_, **__: hashed.append(1) or (False, False))
    monkeypatch.setattr(User, "set_password", lambda *_: hashed.append(1))
    for sign_in_page in (PORTAL, DESK):
        page = Page(try_sign_in(sign_in_page, browser_at(HERE), "owner", PASSWORD))
        assert "Too many attempts. Try again in" in page.tree.text_content()
    assert hashed == []


def test_requests_for_password_links_are_limited_by_ip_address_like_attempts(customer, few_attempts, settings):
    settings.EMAIL_HOST = "mail.example.com"

    def ask(ip: str, email: str) -> int:
        browser = browser_at(ip)
        fields = {"email": email, "csrfmiddlewaretoken": token_of(browser, "/portal/password")}
        return browser.post("/portal/password", fields).status_code

    assert {ask(HERE, f"name{number}@example.com") for number in range(attempts.ATTEMPTS_PER_IP)} == {302}
    assert ask(HERE, "rosa@example.com") == 422
    assert mail.outbox == []
    assert ask(THERE, "rosa@example.com") == 302


def test_an_ipv6_network_counts_as_one_address_and_whoever_signs_in_does_not_count(customer, few_attempts):
    for _ in range(attempts.ATTEMPTS_PER_IP + 1):
        assert try_sign_in(PORTAL, browser_at("2001:db8::1"), "rosa", PASSWORD).status_code == 302
    for number in range(attempts.ATTEMPTS_PER_IP):
        try_sign_in(PORTAL, browser_at(f"2001:db8::{number:x}"), f"name {number}")
    assert try_sign_in(PORTAL, browser_at("2001:db8::ffff"), "rosa", PASSWORD).status_code == 422
    assert try_sign_in(PORTAL, browser_at("2001:db8:1::1"), "rosa", PASSWORD).status_code == 302


def test_a_stranger_cannot_lock_a_customer_out_of_their_own_browser(customer, owner):
    own = browser_at(HERE)  # in which the customer has signed in and out
    try_sign_in(PORTAL, own, "rosa", PASSWORD)
    own.post("/portal/sign-out", {"csrfmiddlewaretoken": own.cookies["csrftoken"].value})
    for _ in range(attempts.ATTEMPTS_WITHOUT_DELAY):
        try_sign_in(PORTAL, browser_at(THERE), "rosa")
        try_sign_in(DESK, browser_at(THERE), "owner")
    assert try_sign_in(PORTAL, browser_at("203.0.113.3"), "rosa", PASSWORD).status_code == 422
    for cookie in ("", "x", "rosa:1", "\\u0000", "a:b:c", "x" * 4000):
        forged = browser_at(HERE)
        forged.cookies["known"] = cookie
        assert try_sign_in(PORTAL, forged, "rosa", PASSWORD).status_code == 422, cookie
    assert try_sign_in(DESK, own, "owner", PASSWORD).status_code != 302, "it is known for one account"
    assert try_sign_in(PORTAL, own, "rosa", PASSWORD).status_code == 302
    own.post("/portal/sign-out", {"csrfmiddlewaretoken": own.cookies["csrftoken"].value})
    for _ in range(attempts.ATTEMPTS_WITHOUT_DELAY):
        try_sign_in(PORTAL, own, "rosa")
    assert try_sign_in(PORTAL, own, "rosa", PASSWORD).status_code == 422, "the delay grows there as well"


def test_spellings_of_a_name_share_one_counter(customer):
    for written in ("ROSA", "Rosa", "rosa@example.com", "ROSA@EXAMPLE.COM", " rosa "):
        assert "Too many" not in Page(try_sign_in(PORTAL, browser_at(THERE), written)).tree.text_content()
    assert "Too many attempts" in Page(try_sign_in(PORTAL, browser_at(HERE), "rosa", PASSWORD)).tree.text_content()


def test_several_attempts_at_once_count_each(database_on_disk, owner):
    def attempt(number: int) -> bool:
        page = Page(try_sign_in(DESK, browser_at(f"203.0.113.{number}"), "owner"))
        return "Too many" not in page.tree.text_content()

    let_in = []
    for _ in range(2):
        let_in += run_concurrently(*(partial(attempt, number) for number in range(8)))
    assert sum(let_in) <= attempts.ATTEMPTS_WITHOUT_DELAY + 1


def test_a_failure_is_logged_without_the_password_and_without_an_unknown_name(owner, caplog):
    for sign_in_page in (PORTAL, DESK):
        for name, shown in (("owner", "owner"), ("hunter2", "unknown"), ("", None)):
            caplog.clear()
            try_sign_in(sign_in_page, browser_at(HERE), name, "hunter2")
            lines = [line for line in caplog.messages if line.startswith("sign-in failed")]
            assert len(lines) == (1 if shown else 0)
            assert all(f"account={shown} " in line for line in lines)
            assert "hunter2" not in caplog.text
            assert HERE not in " ".join(lines)


def test_the_desk_refuses_everybody_else_with_one_sentence(customer, owner):
    browser, long = browser_at(HERE), "x" * 5000
    for name, password in (("rosa", PASSWORD), ("nobody", "x"), ("owner", long), ("\x00", "x"), (long, "x")):
        response = try_sign_in(DESK, browser, name, password)
        assert response.status_code == 200, name
        assert name in ("\x00", long) or "The name or the password is wrong." in response.content.decode(), name
        assert browser.get("/admin/").status_code == 302, name
