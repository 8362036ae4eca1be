"""What somebody sends from the desk after they have been logged out, mostly without JavaScript."""

from urllib.parse import parse_qs, urlsplit

from django.forms import BaseForm, PasswordInput
from django.http import HttpResponse
from django.test import Client
from django.utils.datastructures import MultiValueDict
from lxml import html

from desk.access import unsent
from desk.models import Invitation
from kiosk.models import Device
from tests.desk.conftest import PASSWORD, words
from tests.desk.test_access import expire_confirmation
from tests.desk.test_inbox import url
from webchat.models import CannedReply, Entry

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


def test_only_what_was_entered_is_shown_though_all_of_it_is_sent_again(browser):
    notes = {"tried": "the proof of a trial", "covered": "Another question", "initial-suggestions": "What was there"}
    browser.session.flush()
    page = browser.post("/admin/setup/help/look/", notes | {"suggestions": "What I suggest"}, **OURS)
    [shown] = html.fromstring(page.content).xpath("//pre")
    assert shown.text == "What I suggest"
    assert notes.items() <= dict(form_of(page).form_values()).items()


def test_a_form_interrupted_by_the_password_page_keeps_its_content(browser, owner):
    expire_confirmation(browser)
    page = browser.post("/admin/team/invite/", {"email": "ben@example.com", "role": "editor", "all_bots": "on"})
    [way] = html.fromstring(page.content).xpath("//main//a[contains(@href, '/confirm/')]/@href")
    browser.post(way, {"password": PASSWORD})
    assert "Send this link" in words(send(browser, page, "/admin/team/invite/"))
    assert Invitation.objects.get().role == "editor"


def test_rows_that_are_selected_for_an_action_stay_selected_when_the_password_is_asked_for_first(browser, said):
    rows = [said(message).conversation_id for message in ("First?", "Second?", "Third?")]
    at = "/admin/webchat/conversation/"
    expire_confirmation(browser)
    asked = browser.post(f"{at}?q=", {"action": "delete_selected", "index": "0", "_selected_action": rows[:2]})
    page = browser.post(asked["Location"], {"password": PASSWORD}, follow=True)
    assert form_of(page).action == f"{at}?q="
    asked = html.fromstring(send(browser, page, at).content)
    assert set(asked.xpath("//input[@name='_selected_action']/@value")) == {str(row) for row in rows[:2]}


def test_a_button_that_was_pressed_does_its_work_after_the_password(browser, bot):
    device = Device.objects.create(name="Hall", bot=bot)
    expire_confirmation(browser)
    came_from = {"HTTP_REFERER": f"http://testserver/admin/kiosk/device/{device.pk}/change/"}
    asked = browser.post(f"/admin/kiosk/device/{device.pk}/do/", {"do": "code"}, **came_from)
    page = browser.post(asked["Location"], {"password": PASSWORD}, follow=True)
    [back] = html.fromstring(page.content).xpath("//form[@data-send-selected]//a/@href")
    assert back == f"/admin/kiosk/device/{device.pk}/change/"
    assert send(browser, page, form_of(page).action).redirect_chain[-1][0] == f"/admin/kiosk/device/{device.pk}/code/"


def test_nobody_else_can_be_made_to_send_the_rows_that_somebody_selected(browser, colleague, said):
    expire_confirmation(browser)
    rows = {"action": "export_csv", "_selected_action": said().conversation_id}
    asked = browser.post("/admin/webchat/conversation/", rows)
    way = browser.post(asked["Location"], {"password": PASSWORD})["Location"]
    assert browser.get(way).status_code == 200
    for client, at in ((colleague("Ann")[0], way), (browser, way[:-1]), (browser, "/admin/send-selected/")):
        assert client.get(at).status_code == 404


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
    for headers in ({"HTTP_ORIGIN": "https://evil.example"}, {"HTTP_ORIGIN": "null"}, {}):
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


def test_an_origin_that_cannot_be_read_is_refused_like_another_site(owner):
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner)
    assert client.post("/admin/webchat/bot/", {"q": "x"}, HTTP_ORIGIN="https://[").status_code == 403
