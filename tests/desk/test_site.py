"""Settings for the whole site: its mail server, tried with an e-mail, its time zone and its URL."""

import contextlib
import datetime
import socketserver
import threading
import time
from collections.abc import Iterator
from functools import partial

import pytest
from django.contrib.admin.models import LogEntry
from django.core import mail
from django.http import HttpResponse
from django.test import Client
from lxml import html

from tests.desk.conftest import PASSWORD, page, words
from tests.desk.test_access import expire_confirmation
from tests.webchat.concurrency import run_concurrently
from tests.webchat.mail_server import MailServer
from webchat import periodic_tasks, site
from webchat.models import Bot, Conversation, SiteSettings, Turn
from webchat.notifications import mails

URL = "/admin/site/"
SECRET = "p@ss word"
NEW_ACCOUNT = {"username": "jo", "password1": PASSWORD, "password2": PASSWORD}


@pytest.fixture(autouse=True)
def no_settings(settings) -> Iterator[None]:
    settings.EMAIL_BACKEND = "webchat.notifications.mail_backend.EmailBackend"
    SiteSettings.current = SiteSettings()
    yield
    SiteSettings.current = SiteSettings()


@pytest.fixture
def mail_server() -> Iterator[MailServer]:
    with MailServer() as server:
        yield server


def save(browser: Client, **fields: str) -> HttpResponse:
    return browser.post(URL, {"mail_encryption": "tls"} | fields, follow=True)


def mail_fields(server: MailServer, **more: object) -> dict[str, object]:
    given = {"mail_host": "127.0.0.1", "mail_port": server.port, "mail_encryption": "none", "test_to": "o@example.com"}
    return given | {"mail_from": "Chat <chat@example.com>"} | more


def test_the_site_sends_emails_through_the_server_that_the_owner_has_entered(browser, mail_server):
    assert not site.has_mail_server()
    mail_server.password = SECRET
    shown = browser.post(URL, mail_fields(mail_server, mail_user="me", new_password=SECRET), follow=True)
    assert "Saved." in words(shown)
    assert SECRET not in shown.content.decode()
    mails.make("Hello", "jo@example.com", mails.Content("Ada", "Hello")).send()
    assert mail_server.messages[0]["From"] == "Chat <chat@example.com>"
    trail = LogEntry.objects.first().get_change_message()
    assert trail == "Changed server, encryption, port, user name, sender and password."
    browser.post(URL, mail_fields(mail_server, mail_user="me", time_zone="Europe/Berlin"))  # the password is kept
    mails.make("Hello", "jo@example.com", mails.Content("Ada", "Hello")).send()
    assert len(mail_server.messages) == 2
    moved = browser.post(URL, mail_fields(mail_server, mail_user="me", mail_port=25))
    assert "The server has changed: enter the password again" in words(moved)


def test_a_test_reports_what_the_server_said_and_keeps_what_was_typed(browser, mail_server, authority):
    mail_server.password = "another"
    shown = browser.post(URL, mail_fields(mail_server, mail_user="me", new_password=SECRET, test=1))
    assert "refused the user name or the password" in words(shown)
    assert "The server said: 535 5.7.8 wrong <password>" in words(shown)
    assert SECRET not in shown.content.decode()
    kept = html.fromstring(shown.content).xpath("string(//input[@name='kept_password']/@value)")
    mail_server.password = SECRET
    shown = browser.post(URL, mail_fields(mail_server, mail_user="me", kept_password=kept, test=1))
    assert "The server has accepted the e-mail." in words(shown)
    assert mail_server.messages[0]["To"] == "o@example.com"
    assert not SiteSettings.objects.exists()
    mail_server.refusal = "550 5.1.1 unknown"
    assert "The server refused the recipient." in words(browser.post(URL, mail_fields(mail_server, test=1)))
    with MailServer(tls=authority.server_context()) as encrypted:
        encrypted.password = SECRET
        given = mail_fields(encrypted, mail_encryption="starttls", mail_user="me", new_password=SECRET, test=1)
        assert "The server has accepted the e-mail." in words(browser.post(URL, given))


def test_each_fault_of_a_mail_server_is_explained_with_what_to_do(browser, mail_server):
    for wrong, sentence in (
        ({"mail_port": 9}, "Nothing answers at this port"),
        ({"mail_host": "mail.invalid"}, "No server was found under this name"),
        ({"mail_encryption": "tls"}, "The server doesn’t speak TLS at this port"),
        ({"mail_encryption": "starttls"}, "choose another encryption"),
        ({"mail_host": "smtp://mail.example.com"}, "Enter only the server’s name"),
        ({"mail_host": ""}, "Enter the mail server."),
        ({"mail_from": "Ada"}, "This is not an e-mail address."),
        ({"mail_port": "x"}, "Enter a whole number."),
    ):
        assert sentence in words(browser.post(URL, mail_fields(mail_server, **wrong, test=1))), wrong


class Dripping(socketserver.BaseRequestHandler):
    """Sends an endless greeting."""

    def handle(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                self.request.sendall(b"220-wait\r\n")
                time.sleep(0.02)


def test_a_test_ends_in_time_however_slow_the_server_is(browser, settings):
    settings.EMAIL_TIMEOUT = 0.3
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Dripping) as server:
        server.daemon_threads, server.port = True, server.server_address[1]
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        assert "No answer in time" in words(browser.post(URL, mail_fields(server, test=1)))
        server.shutdown()


def test_times_and_days_are_in_the_zone_that_the_owner_has_entered(browser, bot):
    assert "There is no time zone with that name" in words(save(browser, time_zone="Europe/Brlin"))
    assert "Time zone: Asia/Tokyo" in words(save(browser, time_zone="tokyo"))
    assert SiteSettings.objects.get().time_zone == "Asia/Tokyo"
    Turn.objects.create(
        conversation=Conversation.objects.create(bot=bot, visitor="visitor"),
        created_at=datetime.datetime(2026, 11, 23, 20, 30, tzinfo=datetime.UTC),
    )
    assert "05:30:00" in words(browser.get(f"/admin/webchat/conversation/{Conversation.objects.get().pk}/change/"))
    Bot.objects.update(hours="Mon-Sun 9:00-17:00")
    assert str(Bot.objects.get().week.zone) == "UTC"  # no time zone is active outside requests and tasks
    save(browser, time_zone="")
    assert (
        page(browser.get("/admin/")).xpath("string(//*[@id='footer']//a[@href='/admin/site/#zone'])")
        == "Time zone: UTC"
    )


def test_links_in_emails_use_the_url_that_the_owner_has_entered(browser, bot, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    settings.ALLOWED_HOSTS = ["testserver", "chat.example.com"]
    for wrong in ("https://chat.example.com/desk", "https://*.example.com"):
        assert "with nothing after it" in words(save(browser, url=wrong))
    assert "add it to ALLOWED_HOSTS" in words(save(browser, url="https://other.example.com"))
    save(browser, url="https://chat.example.com/", mail_host="mail.example.com")
    browser.post("/admin/team/invite/", {"email": "new@example.com", "role": "reads", "all_bots": "on"})
    assert "https://chat.example.com/admin/team/join/" in mail.outbox[0].body
    assert mail.outbox[0].from_email == "webchat@chat.example.com"


def test_settings_from_the_environment_are_shown_and_win(browser, settings):
    SiteSettings.objects.create(pk=1, mail_host="old.example.com", time_zone="Asia/Tokyo", url="http://old.example.com")
    settings.EMAIL_HOST, settings.DEFAULT_FROM_EMAIL = "mail.example.com", "env@example.com"
    settings.SITE_URL, settings.TIME_ZONE = "https://env.example.com", "Europe/Berlin"
    settings.SET_BY_SERVER = {"EMAIL_URL", "EMAIL_FROM", "SITE_URL", "TIME_ZONE"}
    shown = words(browser.get(URL))
    for said in ("mail.example.com", "env@example.com", "https://env.example.com", "Europe/Berlin"):
        assert said in shown
    save(browser, mail_host="evil.example.com", url="https://evil.example.com", time_zone="UTC")
    assert SiteSettings.objects.get().mail_host == "old.example.com"
    assert (site.url(), site.sender(), site.mail_server()) == ("https://env.example.com", "env@example.com", {})
    assert site.time_zone() is None


def test_changes_need_the_password_and_another_process_sees_them_when_it_checks_for_tasks(browser, settings):
    expire_confirmation(browser)
    shown = save(browser, time_zone="Europe/Berlin")
    assert "Confirm that it is you" in words(shown)
    assert "Europe/Berlin" in shown.content.decode()
    assert not SiteSettings.objects.exists()
    SiteSettings.objects.bulk_create([SiteSettings(pk=1, mail_host="mail.example.com")])  # as in another process
    settings.PERIODIC_TASKS = settings.PERIODIC_TASKS_OF_EACH_MACHINE = {}
    assert not site.has_mail_server()
    periodic_tasks.run_all()
    assert site.has_mail_server()


def test_pressing_add_account_twice_adds_one_and_is_no_error(database_on_disk, browser, settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]  # as slow as in production
    press = partial(browser.post, "/admin/auth/user/add/", NEW_ACCOUNT)
    assert sorted(answer.status_code for answer in run_concurrently(press, press, press)) == [200, 200, 302]


def test_customers_have_accounts_and_the_owner_is_told_if_no_bot_is_in_the_portal(browser, bot):
    added = browser.post("/admin/auth/user/add/", NEW_ACCOUNT, follow=True)
    assert "The account “jo” was added." in words(added)
    shown = browser.get("/admin/auth/user/")
    assert "Total: 1" in words(shown)
    assert "Customers don’t see any bot in the portal yet. Add one to it: Ada" in words(shown)
    (place,) = html.fromstring(shown.content).xpath("//a[bdi='Ada']/@href")
    assert "id_in_portal" in browser.get(place).content.decode()
    Bot.objects.update(in_portal=True)
    assert "Customers don’t see" not in words(browser.get("/admin/auth/user/"))
    response = browser.get("/admin/password_change/")
    assert "Four words" in words(response)
    assert "no-store" in response["Cache-Control"], "as all pages of the desk"
