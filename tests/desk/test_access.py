"""When the desk asks for the password again, and what becomes of what was sent after that or after a log-out."""

import time
from urllib.parse import parse_qs, urlsplit

import pytest
from django.forms import BaseForm, PasswordInput
from django.http import HttpResponse
from django.test import Client
from django.utils.datastructures import MultiValueDict
from lxml import html

from accounts.sessions import SIGNED_IN_AT
from desk.access import unsent
from desk.models import Invitation
from kiosk.models import Device
from tests.desk.conftest import PASSWORD, words
from tests.desk.test_inbox import url
from webchat.models import Bot, CannedReply, Entry


def pass_time(client: Client, minutes: float) -> None:
    """Move all times in the session into the past."""
    session = client.session
    for name in (SIGNED_IN_AT, "seen at the desk"):
        session[name] -= minutes * 60
    session.save()


def expire_confirmation(client: Client) -> None:
    session = client.session
    session[SIGNED_IN_AT] -= 3600
    session.pop("account_authentication_methods", None)
    session.save()


@pytest.mark.parametrize(("allowed", "minutes", "status"), [(30, 29, 200), (30, 31, 302), (5, 6, 302)])
def test_after_half_an_hour_away_or_what_the_owner_sets_staff_log_in_again(allowed, minutes, status, browser, settings):
    settings.STAFF_IDLE_MINUTES = allowed
    pass_time(browser, minutes)
    response = browser.get("/admin/webchat/bot/?q=x")
    assert response.status_code == status
    if status == 302:
        assert response["Location"] == "/admin/login/?next=%2Fadmin%2Fwebchat%2Fbot%2F%3Fq%3Dx"
        assert "You were away for a while. Log in again." in browser.get(response["Location"]).content.decode()
        assert not browser.get("/portal/").wsgi_request.user.is_authenticated


def test_staff_who_are_active_stay_logged_in_but_a_pages_automatic_requests_are_no_activity(browser, owner):
    for _ in range(3):
        pass_time(browser, 20)
        assert browser.get("/admin/").status_code == 200
    pass_time(browser, 20)
    assert browser.get("/admin/", headers={"HX-Request": "true"}).status_code == 200
    pass_time(browser, 20)
    assert browser.get("/admin/").status_code == 302
    client = Client()
    client.force_login(owner)
    session = client.session
    del session["seen at the desk"], session[SIGNED_IN_AT]
    session.save()
    assert client.get("/admin/").status_code == 302


def test_after_the_password_was_asked_for_again_the_sensitive_page_opens_for_a_quarter_of_an_hour(browser, monkeypatch):
    """The list of all such URLs is in tests/desk/test_rights.py."""
    url = "/admin/team/invite/"
    assert browser.get(url).status_code == 200
    expire_confirmation(browser)
    for path in ("/admin/", "/admin/webchat/conversation/", "/admin/auth/user/"):
        assert browser.get(path).status_code == 200  # reading needs no confirmation
    response = browser.get(url)
    assert response["Location"].startswith("/admin/confirm/?next=")
    for wrong in ("", "wrong", "\x00", "x" * 5000):
        assert browser.post(response["Location"], {"password": wrong}).status_code == 200
        assert browser.get(url).status_code == 302
    confirmed = browser.post("/admin/confirm/", {"password": PASSWORD, "next": "//evil.example"})
    assert "evil" not in confirmed["Location"]
    assert browser.get(url).status_code == 200
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 16 * 60)
    assert browser.get(url).status_code == 302
    for _ in range(5):
        browser.post("/admin/confirm/", {"password": "wrong"})
    assert "Too many attempts" in browser.post("/admin/confirm/", {"password": PASSWORD}).content.decode()


def test_the_password_is_asked_for_again_before_actions_too(browser, said, bot):
    expire_confirmation(browser)
    row = said().conversation.pk
    for sent in (
        *({"action": action} for action in ("export_csv", "export_json", "delete_selected")),
        {"action": ["export_csv", "x"], "index": 0},  # a second action in the form does not hide the first
        {"action": ["x", "export_csv"], "index": 1},
    ):
        response = browser.post("/admin/webchat/conversation/", sent | {"_selected_action": [row]})
        assert response["Location"].startswith("/admin/confirm/?next=%2Fadmin%2Fsend-selected%2F"), sent
    kiosk = f"/admin/kiosk/device/{Device.objects.create(name='Hall', bot=bot).pk}/do/"
    for path, fields in ((kiosk, {"do": "code"}), ("/admin/kiosk/device/add/", {})):
        assert browser.post(path, fields)["Location"].startswith("/admin/confirm/")
    assert browser.post(kiosk, {"do": "pause"})["Location"].endswith("/change/")


def test_before_a_bots_key_or_secret_changes_the_password_is_asked_for_and_what_was_typed_stays(browser, bot):
    given = {"base_url": "https://bots.example.com", "new_key": "sk-first", "new_webhook_secret": "sh-first"}
    page = f"/admin/webchat/bot/{bot.pk}/service/"
    assert browser.post(page, given).status_code == 302
    before = Bot.objects.values_list("sealed_key", "sealed_webhook_secret").get()
    expire_confirmation(browser)
    others = {"base_url": "https://bots.example.com", "alarm_email": "hedy@example.com"}
    for field in ("new_key", "new_webhook_secret", "forget_key", "forget_webhook_secret"):
        answer = browser.post(page, others | {field: "sk-second"}).content.decode()
        assert 'value="hedy@example.com"' in answer, field
        assert "Confirm that it is you" in answer, field
        assert Bot.objects.values_list("sealed_key", "sealed_webhook_secret").get() == before, field
    assert browser.post(page, others).status_code == 302
    browser.post("/admin/confirm/", {"password": PASSWORD})
    assert browser.post(page, others | {"new_key": "sk-second"}).status_code == 302


def test_a_list_is_filtered_only_by_what_it_offers(browser, bot):
    """A hash could be guessed letter by letter by whoever may read the list."""
    for query, status in (
        ("kiosk/device/?code_hash__startswith=a", 400),
        ("webchat/bot/?sealed_key__gt=g", 400),
        ("webchat/conversation/?visitor=a", 400),
        ("kiosk/device/?paused__exact=1", 200),
        ("webchat/handover/?done_at__isnull=True", 200),
        ("webchat/conversation/?bot=help&outcome=failed", 200),
        ("admin/logentry/?action_flag__exact=3", 200),
    ):
        assert browser.get(f"/admin/{query}").status_code == status, query


def test_a_forged_id_of_a_row_is_refused(browser, bot):
    for path in ("kiosk/device", "docbot/trainedbot", "webchat/conversation", "team/invite"):
        for value in ("x", "-1", "1.5", "\0", "9" * 30):
            fields = {"action": "delete_selected", "_selected_action": value, "role": "editor", "bots": value}
            assert browser.post(f"/admin/{path}/", fields).status_code == 400, (path, value)


OURS = {"HTTP_ORIGIN": "http://testserver"}
KEY = "sk-never-shown"


def form_of(page: HttpResponse) -> html.FormElement:
    return next(form for form in html.fromstring(page.content).forms if "/logout/" not in (form.action or ""))


def send(client: Client, page: HttpResponse, at: str, **typed: str) -> HttpResponse:
    fields = MultiValueDict()
    for name, value in form_of(page).form_values():
        fields.appendlist(name, value)
    return client.post(at, dict(fields.lists()) | typed, follow=True, **OURS)


def log_in_elsewhere(client: Client, user, page: HttpResponse) -> None:
    """Log in in another tab, by the page's link: both get another session and another token."""
    [login] = html.fromstring(page.content).xpath("//main//a[contains(@href, '/login/')]/@href")
    came_from = Client()
    came_from.force_login(user)
    del client.cookies["csrftoken"]
    client.cookies["sessionid"] = came_from.cookies["sessionid"]
    assert client.get(parse_qs(urlsplit(login).query)["next"][0]).status_code == 200


def test_the_text_of_a_member_who_has_been_logged_out_is_kept_until_it_is_sent(colleague, waiting):
    client, ann = colleague("Ann")
    client.post(url(waiting, "claim"))
    client.handler.enforce_csrf_checks = True
    page = client.get(url(waiting))
    [composer] = html.fromstring(page.content).xpath("//form[.//textarea[@name='text']]")
    client.session.flush()
    typed = dict(composer.form_values()) | {"kind": "message", "text": "My long answer\n\nin two parts"}
    page = client.post(url(waiting, "write"), typed, HTTP_REFERER=f"http://testserver{url(waiting)}", **OURS)
    assert "You have been logged out." in words(page)
    log_in_elsewhere(client, ann.user, page)
    page = send(client, page, url(waiting, "write"))
    assert "This page had expired" in words(page)
    assert "in two parts" in words(send(client, page, url(waiting, "write")))
    assert Entry.objects.get(kind="message").text == "My long answer\n\nin two parts"


def test_what_was_entered_on_a_bot_s_tab_is_kept_but_no_key(browser, owner, bot, fields):
    at = f"/admin/webchat/bot/{bot.pk}/service/"
    browser.session.flush()
    page = browser.post(
        at, fields | {"base_url": "https://bots.example.com", "new_key": KEY}, HTTP_REFERER=f"http://testserver{at}"
    )
    assert page.status_code == 403
    assert "https://bots.example.com" in words(page)
    assert KEY not in page.content.decode()
    assert "passwords and keys have to be entered once more" in words(page)
    log_in_elsewhere(browser, owner, page)
    assert "https://bots.example.com" in send(browser, page, at).content.decode()
    notes = {"tried": "the proof of a trial", "covered": "Another question", "initial-suggestions": "What was there"}
    browser.session.flush()
    page = browser.post("/admin/setup/help/look/", notes | {"suggestions": "What I suggest"}, **OURS)
    assert html.fromstring(page.content).xpath("//pre/text()") == ["What I suggest"]  # though all of it is sent again
    assert notes.items() <= dict(form_of(page).form_values()).items()


def test_what_was_sent_before_the_password_was_asked_for_is_sent_again_afterwards(browser, colleague, bot, said):
    rows = [said(message).conversation_id for message in ("First?", "Second?", "Third?")]
    device = Device.objects.create(name="Hall", bot=bot)
    expire_confirmation(browser)
    page = browser.post("/admin/team/invite/", {"email": "ben@example.com", "role": "editor", "all_bots": "on"})
    [way] = html.fromstring(page.content).xpath("//main//a[contains(@href, '/confirm/')]/@href")
    browser.post(way, {"password": PASSWORD})
    assert "Send this link" in words(send(browser, page, "/admin/team/invite/"))
    assert Invitation.objects.get().role == "editor"

    at = "/admin/webchat/conversation/"
    expire_confirmation(browser)
    asked = browser.post(f"{at}?q=", {"action": "delete_selected", "index": "0", "_selected_action": rows[:2]})
    way = browser.post(asked["Location"], {"password": PASSWORD})["Location"]
    page = browser.get(way)
    assert form_of(page).action == f"{at}?q="
    for client, other in ((colleague("Ann")[0], way), (browser, way[:-1]), (browser, "/admin/send-selected/")):
        assert client.get(other).status_code == 404, "nobody else can be made to send them"
    asked = html.fromstring(send(browser, page, at).content)
    assert set(asked.xpath("//input[@name='_selected_action']/@value")) == {str(row) for row in rows[:2]}

    kiosk = f"/admin/kiosk/device/{device.pk}"
    expire_confirmation(browser)
    asked = browser.post(f"{kiosk}/do/", {"do": "code"}, HTTP_REFERER=f"http://testserver{kiosk}/change/")
    page = browser.post(asked["Location"], {"password": PASSWORD}, follow=True)
    assert html.fromstring(page.content).xpath("//form[@data-send-selected]//a/@href") == [f"{kiosk}/change/"]
    assert send(browser, page, form_of(page).action).redirect_chain[-1][0] == f"{kiosk}/code/"


def test_a_page_checks_before_sending_whether_a_form_would_be_accepted(browser, owner):
    def asked(to: str) -> dict[str, object]:
        return browser.get(f"/admin/before-sending/?to={to}").json()

    form = "/admin/auth/user/1/password/"
    assert [asked(to)["confirms"] for to in (form, "/admin/webchat/bot/", "/none/")] == [False, False, False]
    token, browser.handler.enforce_csrf_checks = asked("/admin/team/")["token"], True
    sent = browser.post("/admin/team/invite/", {"csrfmiddlewaretoken": token, "role": "none"}, **OURS)
    assert sent.status_code == 422  # not refused as expired
    expire_confirmation(browser)
    bots = "/admin/webchat/bot/"
    assert [asked(to)["confirms"] for to in (form, bots, f"{bots}&secret=1")] == [True, False, True]
    browser.session.flush()
    assert browser.get("/admin/before-sending/").status_code == 302


def test_what_another_site_sends_is_not_kept(browser):
    browser.handler.enforce_csrf_checks = True
    typed = {"shortcut": "hi", "text": "Planted"}
    for headers in (*({"HTTP_ORIGIN": each} for each in ("https://evil.example", "null", "https://[")), {}):
        assert "Planted" not in browser.post("/admin/inbox/canned-replies/new/", typed, **headers).content.decode()
    page = browser.post("/admin/inbox/canned-replies/new/", typed, **OURS)
    assert not CannedReply.objects.exists()
    send(browser, page, "/admin/inbox/canned-replies/new/")
    assert CannedReply.objects.get().text == "Planted"


def all_forms(form: type[BaseForm] = BaseForm) -> list[type[BaseForm]]:
    return [form, *(each for below in form.__subclasses__() for each in all_forms(below))]


def test_no_field_for_a_password_or_a_key_is_kept(client, db):
    client.get("/admin/login/")  # all forms are loaded now
    secret = {
        name
        for form in all_forms()
        for name, field in getattr(form, "base_fields", {}).items()
        if isinstance(field.widget, PasswordInput)
    }
    assert {"new_key", "new_webhook_secret", "password", "old_password"} <= secret
    assert [name for name in secret if not unsent.SECRET.search(name)] == []
