"""When the desk asks for the password again: after a pause, and before sensitive actions."""

import time

import pytest
from django.test import Client

from accounts.sessions import SIGNED_IN_AT
from kiosk.models import Device
from tests.desk.conftest import PASSWORD, page
from webchat.models import Bot


def pass_time(client: Client, minutes: float) -> None:
    """Move all times in the session into the past."""
    session = client.session
    for name in (SIGNED_IN_AT, "seen at the desk"):
        session[name] -= minutes * 60
    session.save()


def expire_confirmation(client: Client) -> None:
    session = client.session
    session[SIGNED_IN_AT] -= 3600
    session.save()


# --- Away -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("minutes", "status"), [(0, 200), (29, 200), (31, 302), (60 * 24, 302)])
def test_after_half_an_hour_away_staff_log_in_again(minutes, status, browser):
    pass_time(browser, minutes)
    response = browser.get("/admin/webchat/bot/?q=x")
    assert response.status_code == status
    if status == 302:
        assert response["Location"] == "/admin/login/?next=%2Fadmin%2Fwebchat%2Fbot%2F%3Fq%3Dx"
        assert "You were away for a while. Log in again." in browser.get(response["Location"]).content.decode()
        assert not browser.get("/portal/").wsgi_request.user.is_authenticated


def test_the_owner_sets_how_long(browser, settings):
    settings.STAFF_IDLE_MINUTES = 5
    pass_time(browser, 6)
    assert browser.get("/admin/").status_code == 302


def test_staff_who_are_active_stay_logged_in(browser):
    for _ in range(4):
        pass_time(browser, 20)
        assert browser.get("/admin/").status_code == 200


def test_automatic_requests_of_a_page_are_not_activity(browser, bot):
    pass_time(browser, 20)
    assert browser.get("/admin/", headers={"HX-Request": "true"}).status_code == 200
    pass_time(browser, 20)
    assert browser.get("/admin/").status_code == 302


def test_a_session_without_these_times_ends_at_the_desk(browser):
    session = browser.session
    del session["seen at the desk"], session[SIGNED_IN_AT]
    session.save()
    assert browser.get("/admin/").status_code == 302


# --- Before sensitive actions -----------------------------------------------------------------------------------------


def test_after_the_password_was_asked_for_again_the_sensitive_page_opens(browser, bot):
    """The list of all such URLs is in tests/desk/test_rights.py."""
    url = "/admin/team/invite/"
    assert browser.get(url).status_code == 200
    expire_confirmation(browser)
    response = browser.get(url)
    assert response["Location"].startswith("/admin/confirm/?next=")
    assert browser.post(response["Location"], {"password": PASSWORD}).status_code == 302
    assert browser.get(url).status_code == 200


def test_the_page_that_asks_for_the_password_names_it_once_and_has_no_menu(browser):
    shown = page(browser.get("/admin/confirm/"))
    assert shown.xpath("//@popovertarget") == []  # no menu without a navigation
    assert len(shown.xpath("//button[contains(@class, 'theme-toggle')]")) == 1
    field = shown.get_element_by_id("id_password")
    assert field.get("placeholder") is None
    assert field.get("autocomplete") == "current-password"


@pytest.mark.parametrize("path", ["kiosk/device", "webchat/identitykey"])
def test_one_of_several_bots_is_chosen_in_words(path, browser, bot):
    Bot.objects.create(slug="other", name="Other")
    options = page(browser.get(f"/admin/{path}/add/")).xpath("//select[@name='bot']/option/text()")
    assert options == ["Choose…", str(bot), "Other"]


@pytest.mark.parametrize("action", ["export_csv", "export_json", "delete_selected"])
def test_the_password_is_asked_for_again_before_actions_too(action, browser, said):
    expire_confirmation(browser)
    fields = {"action": action, "_selected_action": [said().conversation.pk]}
    response = browser.post("/admin/webchat/conversation/", fields)
    assert response["Location"].startswith("/admin/confirm/?next=%2Fadmin%2Fsend-selected%2F")


@pytest.mark.parametrize("order", [["export_csv", "x"], ["x", "export_csv"]])
def test_a_second_action_in_the_form_does_not_hide_the_first(order, browser, said):
    expire_confirmation(browser)
    fields = {"action": order, "index": order.index("export_csv"), "_selected_action": [said().conversation.pk]}
    assert browser.post("/admin/webchat/conversation/", fields)["Location"].startswith("/admin/confirm/")


@pytest.mark.parametrize("field", ["new_key", "new_webhook_secret", "forget_key", "forget_webhook_secret"])
def test_before_a_bots_key_or_secret_changes_the_password_is_asked_for_and_what_was_typed_stays(field, browser, bot):
    fields = {"base_url": "https://bots.example.com", "new_key": "sk-first", "alarm_email": "first@example.com"}
    page = f"/admin/webchat/bot/{bot.pk}/service/"
    assert browser.post(page, fields).status_code == 302
    sealed = Bot.objects.get().sealed_key
    expire_confirmation(browser)
    answer = browser.post(
        page, fields | {"new_key": "", "alarm_email": "hedy@example.com", field: "sk-second"}
    ).content.decode()
    assert 'value="hedy@example.com"' in answer
    assert "Confirm that it is you" in answer
    assert Bot.objects.get().sealed_key == sealed
    assert browser.post(page, fields | {"new_key": "", "alarm_email": "hedy@example.com"}).status_code == 302
    browser.post("/admin/confirm/", {"password": PASSWORD})
    assert browser.post(page, fields | {"new_key": "", field: "sk-second"}).status_code == 302


def test_the_password_is_asked_for_before_a_kiosk_code_is_made(browser, bot):
    device = Device.objects.create(name="Hall", bot=bot)
    expire_confirmation(browser)
    for path, fields in ((f"/admin/kiosk/device/{device.pk}/do/", {"do": "code"}), ("/admin/kiosk/device/add/", {})):
        assert browser.post(path, fields)["Location"].startswith("/admin/confirm/")
    assert browser.post(f"/admin/kiosk/device/{device.pk}/do/", {"do": "pause"})["Location"].endswith("/change/")


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("kiosk/device/?code_hash__startswith=a", 400),
        ("webchat/bot/?sealed_key__gt=g", 400),
        ("webchat/conversation/?visitor=a", 400),
        ("kiosk/device/?paused__exact=1", 200),
        ("webchat/handover/?done_at__isnull=True", 200),
        ("webchat/conversation/?bot=help&outcome=failed", 200),
        ("admin/logentry/?action_flag__exact=3", 200),
    ],
)
def test_a_list_is_filtered_only_by_what_it_offers(query, status, browser, bot):
    """A hash could be guessed letter by letter by whoever may read the list."""
    assert browser.get(f"/admin/{query}").status_code == status


@pytest.mark.parametrize("path", ["kiosk/device", "docbot/trainedbot", "webchat/conversation", "team/invite"])
def test_a_forged_id_of_a_row_is_refused(path, browser, bot):
    for value in ("x", "-1", "1.5", "\0", "9" * 30):
        fields = {"action": "delete_selected", "_selected_action": value, "role": "editor", "bots": value}
        assert browser.post(f"/admin/{path}/", fields).status_code == 400, value


def test_reading_needs_no_confirmation(browser, bot):
    expire_confirmation(browser)
    for path in (
        "/admin/",
        "/admin/webchat/conversation/",
        "/admin/auth/user/",
        f"/admin/webchat/bot/{bot.pk}/change/",
    ):
        assert browser.get(path).status_code == 200


@pytest.mark.parametrize("password", ["", "wrong", "\x00", "x" * 5000])
def test_a_wrong_password_confirms_nothing(password, browser):
    expire_confirmation(browser)
    assert browser.post("/admin/confirm/?next=/admin/auth/user/add/", {"password": password}).status_code == 200
    assert browser.get("/admin/auth/user/add/").status_code == 302


def test_the_password_cannot_be_guessed_there(browser):
    expire_confirmation(browser)
    for _ in range(5):
        browser.post("/admin/confirm/", {"password": "wrong"})
    page = browser.post("/admin/confirm/", {"password": PASSWORD}).content.decode()
    assert "Too many attempts" in page


@pytest.mark.parametrize("way", ["https://evil.example/", "//evil.example", "javascript:alert(1)"])
def test_a_confirmation_redirects_to_no_other_site(way, browser):
    response = browser.post("/admin/confirm/", {"password": PASSWORD, "next": way})
    assert "evil" not in response["Location"]
    assert "alert" not in response["Location"]


def test_a_confirmation_is_valid_for_a_quarter_of_an_hour(browser, monkeypatch):
    expire_confirmation(browser)
    browser.post("/admin/confirm/", {"password": PASSWORD})
    assert browser.get("/admin/auth/user/add/").status_code == 200
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 16 * 60)
    assert browser.get("/admin/auth/user/add/").status_code == 302
