"""Signing in with an account, signing out, resetting the password, and keeping an earlier conversation."""

import re

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core import mail
from django.test import Client

from tests.portal.conftest import PAGE, PASSWORD, customer, post, sign_in, token_of
from tests.webchat.visitor import Page, Visitor
from webchat.models import Bot, Conversation


@pytest.fixture
def account(bot: Bot) -> User:
    return User.objects.create_user("rosa", "Rosa@example.com", PASSWORD, first_name="Rosa", last_name="Meier")


def test_customers_sign_in_by_name_or_e_mail_address_as_long_as_their_account_is_active(account, bot):
    page = Page(Client().get("/portal/?lang=de", follow=True))
    assert page.response["Content-Language"] == "de"
    assert "Ada" in page.one("main").text_content()
    assert page.one("meta[@name='description']").get("content") == "Chat mit Ada"
    for name in ("rosa", "Rosa@example.com", "rosa@EXAMPLE.com"):
        browser = Client(enforce_csrf_checks=True)
        assert sign_in(browser, name)["Location"] == "/portal/"
        assert "Rosa Meier" in browser.get("/portal/").content.decode()
    User.objects.update(is_active=False)
    assert browser.get("/portal/").status_code == 303
    assert sign_in(browser, "rosa").status_code == 422
    User.objects.update(is_active=True)
    User.objects.create_user("other", "rosa@example.com", PASSWORD)
    assert sign_in(Client(enforce_csrf_checks=True), "rosa@example.com").status_code == 422, "whose is it?"


def test_a_wrong_name_or_password_is_refused_with_one_sentence(account, browser):
    for name, password in (
        *(("rosa", "wrong"), ("nobody", PASSWORD), ("nobody@example.com", PASSWORD)),
        *(("", ""), ("rosa", ""), ("\x00", "x")),
    ):
        response = sign_in(browser, name, password)
        assert response.status_code == 422, name
        assert Page(response).all("*[@data-alert]")
        assert "/portal/sign-in" in browser.get("/portal/")["Location"]


def test_after_signing_in_the_requested_page_opens_but_no_other_site(account):
    for way in (PAGE, "/portal/?q=x"):
        browser = Client(enforce_csrf_checks=True)
        asked = browser.get(way)["Location"]
        form = {"username": "rosa", "password": PASSWORD, "csrfmiddlewaretoken": token_of(browser, asked), "next": way}
        assert browser.post(asked, form)["Location"] == way
    for way in ("https://evil.example/", "//evil.example", "javascript:alert(1)", "/\\evil.example"):
        assert sign_in(Client(enforce_csrf_checks=True), "rosa", next=way)["Location"] == "/portal/"


def test_signing_out_forgets_everything_in_that_browser(rosa):
    anonymous = Visitor()
    anonymous.client.cookies = rosa.client.cookies
    anonymous.send("Said on the page of everybody")
    rosa.send("Said in the portal")
    assert rosa.client.post("/portal/sign-out").status_code == 403, "by another site's form"
    response = post(rosa.client, "/portal/sign-out")
    assert (response.status_code, response["Location"]) == (303, "/portal/sign-in")
    assert response["Clear-Site-Data"] == '"storage"'
    assert not Session.objects.exists()
    assert anonymous.open().turns == []
    assert rosa.client.get("/portal/").status_code == 303
    assert Conversation.objects.filter(customer=customer("rosa")).count() == 1


@pytest.fixture
def before(account, upstream) -> Visitor:
    """A visitor who has talked to the bot and then signed in."""
    visitor = Visitor()
    upstream.will_reply("One", chat_id="abc")
    visitor.send("Hello before")
    assert sign_in(visitor.client, "rosa").status_code == 302
    return visitor


def answer_question(visitor: Visitor, word: str) -> Page:
    form = visitor.open("/portal/").one("form[@data-question]")
    fields = {field.get("name"): field.get("value") for field in form.xpath(".//input")}
    for _ in range(2):  # pressed twice, it counts once
        assert visitor.client.post(form.get("action"), fields | {"answer": word}).status_code == 303
    return visitor.open("/portal/")


def test_a_visitor_who_says_yes_continues_it_everywhere(before, new_customer, upstream):
    page = answer_question(before, "yes")
    assert not page.all("form[@data-question]")
    assert len(page.all("li[@data-conversation]")) == 1
    assert before.open("/chat/help/").turns == []
    phone = new_customer("rosa")
    phone.open(phone.open("/portal/").one("li[@data-conversation]//div/a").get("href"))
    phone.send("On the phone")
    assert upstream.requests[-1].chat_id == "abc"
    assert len(phone.turns) == 2


def test_an_earlier_conversation_is_not_kept_without_asking(before):
    page = before.open("/portal/")
    assert not page.all("li[@data-conversation]")
    assert "Hello before" in page.one("form[@data-question]").text_content()
    assert Conversation.objects.get().customer is None
    page = answer_question(before, "no")
    assert not page.all("form[@data-question]"), "it is not asked again"
    assert not page.all("li[@data-conversation]")
    assert [turn.message for turn in before.open("/chat/help/").turns] == ["Hello before"]


@pytest.fixture
def mail_server(settings) -> None:
    settings.EMAIL_HOST = "mail.example.com"


def request_reset(browser: Client, email: str) -> object:
    return post(browser, "/portal/password", form_on="/portal/password", email=email)


def test_a_password_is_reset_with_a_link_that_works_once(account, browser, mail_server):
    assert request_reset(browser, "rosa@example.com")["Location"] == "/portal/password/sent"
    (link,) = re.findall(r"https?://testserver(/\S+)", mail.outbox[0].body)
    page = browser.get(link, follow=True)
    form_on = page.redirect_chain[-1][0]
    for simple in ("12345", "93847561029384", "٩٣٨٤٧٥٦١٠٢٩٣", "password1", "Rosa@example.com"):
        refused = post(browser, form_on, form_on=form_on, new_password1=simple, new_password2=simple)
        assert refused.status_code == 422, simple
        assert Page(refused).all("*[@data-alert]")
    new = {"new_password1": "another long phrase", "new_password2": "another long phrase"}
    assert post(browser, form_on, form_on=form_on, **new)["Location"] == "/portal/password/done"
    assert "has expired" in browser.get(link, follow=True).content.decode()
    assert sign_in(browser, "rosa").status_code == 422
    assert sign_in(browser, "rosa", "another long phrase").status_code == 302


def test_a_reset_reveals_no_account_and_floods_no_mailbox(account, browser, mail_server, settings, clock_at_noon):
    assert request_reset(browser, "nobody@example.com")["Location"] == "/portal/password/sent"
    assert mail.outbox == []
    for number in range(5):
        response = request_reset(browser, "rosa@example.com")
        assert number > 2 or response["Location"] == "/portal/password/sent"
    assert len(mail.outbox) == 3
    assert "/portal/password" in browser.get("/portal/sign-in").content.decode()
    settings.EMAIL_HOST = ""
    assert "/portal/password" not in browser.get("/portal/sign-in").content.decode()
    assert browser.get("/portal/password").status_code == 404
