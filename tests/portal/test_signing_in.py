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


# --- Signing in -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["rosa", "Rosa@example.com", "rosa@EXAMPLE.com"])
def test_customers_sign_in_by_name_or_e_mail_address(name, account, browser):
    assert sign_in(browser, name)["Location"] == "/portal/"
    assert "Rosa Meier" in browser.get("/portal/").content.decode()


def test_the_sign_in_page_shows_whose_it_is(account, bot, browser):
    page = Page(browser.get("/portal/sign-in"))
    assert "Ada" in page.one("main").text_content()
    assert page.one("meta[@name='description']").get("content") == "Chat with Ada"


def test_the_sign_in_page_is_in_the_language_of_the_requested_pages_url(bot, browser):
    assert browser.get("/portal/?lang=de", follow=True)["Content-Language"] == "de"


@pytest.mark.parametrize(
    ("name", "password"),
    [("rosa", "wrong"), ("nobody", PASSWORD), ("nobody@example.com", PASSWORD), ("", ""), ("rosa", ""), ("\x00", "x")],
)
def test_a_wrong_name_or_password_is_refused_with_one_sentence(name, password, account, browser):
    response = sign_in(browser, name, password)
    assert response.status_code == 422
    assert Page(response).all("*[@data-alert]")
    assert "/portal/sign-in" in browser.get("/portal/")["Location"]


def test_an_email_address_of_two_accounts_signs_nobody_in(account, browser):
    User.objects.create_user("other", "rosa@example.com", PASSWORD)
    assert sign_in(browser, "rosa@example.com").status_code == 422


def test_an_account_that_was_deactivated_is_signed_out_immediately(account, browser):
    sign_in(browser, "rosa")
    User.objects.update(is_active=False)
    assert browser.get("/portal/").status_code == 303
    assert sign_in(browser, "rosa").status_code == 422


@pytest.mark.parametrize("way", [PAGE, "/portal/?q=x"])
def test_after_signing_in_the_requested_page_opens(way, account, browser):
    asked = browser.get(way)["Location"]
    form = {"username": "rosa", "password": PASSWORD, "csrfmiddlewaretoken": token_of(browser, asked), "next": way}
    assert browser.post(asked, form)["Location"] == way


@pytest.mark.parametrize("way", ["https://evil.example/", "//evil.example", "javascript:alert(1)", "/\\evil.example"])
def test_nobody_is_redirected_to_another_site(way, account, browser):
    assert sign_in(browser, "rosa", next=way)["Location"] == "/portal/"


def test_without_a_mail_server_no_password_reset_is_offered(account, browser, settings):
    settings.EMAIL_HOST = ""
    assert "/portal/password" not in browser.get("/portal/sign-in").content.decode()
    assert browser.get("/portal/password").status_code == 404


# --- Several browsers -------------------------------------------------------------------------------------------------


def test_signing_out_forgets_everything_in_that_browser(rosa):
    anonymous = Visitor()
    anonymous.client.cookies = rosa.client.cookies
    anonymous.send("Said on the page of everybody")
    rosa.send("Said in the portal")
    response = post(rosa.client, "/portal/sign-out")
    assert (response.status_code, response["Location"]) == (303, "/portal/sign-in")
    assert response["Clear-Site-Data"] == '"storage"'
    assert not Session.objects.exists()
    assert anonymous.open().turns == []
    assert rosa.client.get("/portal/").status_code == 303
    assert Conversation.objects.filter(customer=customer("rosa")).count() == 1


# --- Keeping an earlier conversation ----------------------------------------------------------------------------------


@pytest.fixture
def before(account, upstream) -> Visitor:
    """A visitor who has talked to the bot and then signed in."""
    visitor = Visitor()
    upstream.will_reply("One", chat_id="abc")
    visitor.send("Hello before")
    assert sign_in(visitor.client, "rosa").status_code == 302
    return visitor


def test_an_earlier_conversation_is_not_kept_without_asking(before):
    page = before.open("/portal/")
    assert not page.all("li[@data-conversation]")
    assert "Hello before" in page.one("form[@data-question]").text_content()
    assert [turn.message for turn in before.open("/chat/help/").turns] == ["Hello before"]


def answer_question(visitor: Visitor, word: str) -> Page:
    form = visitor.open("/portal/").one("form[@data-question]")
    fields = {field.get("name"): field.get("value") for field in form.xpath(".//input")}
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


def test_a_visitor_who_says_no_is_not_asked_again_and_it_stays_where_it_is(before):
    page = answer_question(before, "no")
    assert not page.all("form[@data-question]")
    assert not page.all("li[@data-conversation]")
    assert len(before.open("/chat/help/").turns) == 1


@pytest.mark.parametrize("word", ["yes", "no"])
def test_an_answer_pressed_twice_counts_once(word, before):
    form = before.open("/portal/").one("form[@data-question]")
    fields = {field.get("name"): field.get("value") for field in form.xpath(".//input")} | {"answer": word}
    assert [before.client.post(form.get("action"), fields).status_code for _ in range(2)] == [303, 303]
    assert len(before.open("/chat/help/").turns) == (word == "no")


def test_a_customer_cannot_take_another_browsers_conversation(before, stranger):
    conversation = Conversation.objects.get()
    fields = {"conversation": str(conversation.public_id), "answer": "yes"}
    assert post(stranger.client, "/portal/keep", **fields).status_code == 404
    assert Conversation.objects.get().customer is None


# --- Resetting the password -------------------------------------------------------------------------------------------


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
    new = {"new_password1": "another long phrase", "new_password2": "another long phrase"}
    assert post(browser, form_on, form_on=form_on, **new)["Location"] == "/portal/password/done"
    assert "has expired" in browser.get(link, follow=True).content.decode()
    assert sign_in(browser, "rosa").status_code == 422
    assert sign_in(browser, "rosa", "another long phrase").status_code == 302


@pytest.mark.parametrize("email", ["nobody@example.com", "rosa@example.com"])
def test_the_response_does_not_reveal_whether_there_is_an_account(email, account, browser, mail_server):
    assert request_reset(browser, email)["Location"] == "/portal/password/sent"
    assert len(mail.outbox) == (email == "rosa@example.com")


def test_a_mailbox_is_not_flooded(account, browser, mail_server, clock_at_noon):
    for _ in range(5):
        request_reset(browser, "rosa@example.com")
    assert len(mail.outbox) == 3


def test_passwords_that_are_too_simple_are_refused(account, browser, mail_server):
    request_reset(browser, "rosa@example.com")
    (link,) = re.findall(r"https?://testserver(/\S+)", mail.outbox[0].body)
    form_on = browser.get(link, follow=True).redirect_chain[-1][0]
    for simple in ("12345", "93847561029384", "٩٣٨٤٧٥٦١٠٢٩٣", "password1", "Rosa@example.com"):
        new = {"new_password1": simple, "new_password2": simple}
        response = post(browser, form_on, form_on=form_on, **new)
        assert response.status_code == 422, simple
        assert Page(response).all("*[@data-alert]")


def test_another_site_cannot_sign_anybody_out(rosa):
    assert rosa.client.post("/portal/sign-out").status_code == 403
    assert rosa.client.get("/portal/").status_code == 200
