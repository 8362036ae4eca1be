"""The audit trail says who did what and when, and never contains a secret."""

import re

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from django.utils.http import urlsafe_base64_encode

from desk.access import audit
from desk.team.membership import end_sessions
from docbot.dashboard import training
from docbot.endpoint import keys
from docbot.models import TrainedBot
from kiosk.models import Device
from tests.accounts.conftest import PASSWORD, browser_at, try_sign_in
from tests.desk import bot_pages
from tests.desk.conftest import page
from tests.desk.overview_page import words
from webchat.models import Bot, Handover, TeamMember

DESK, PORTAL = "/admin/login/", "/portal/sign-in"


@pytest.fixture
def owner(db: None) -> User:
    return User.objects.create_superuser("owner", "owner@example.com", PASSWORD)


@pytest.fixture
def browser(owner: User, monkeypatch: pytest.MonkeyPatch) -> Client:
    monkeypatch.setattr(training, "launch", lambda *_: None)
    client = Client()
    client.force_login(owner)
    LogEntry.objects.all().delete()
    return client


def trail() -> list[tuple[str, str]]:
    entries = LogEntry.objects.order_by("pk")
    return [(entry.object_repr, re.sub("[\u2068\u2069]", "", entry.get_change_message())) for entry in entries]


@pytest.fixture
def trained(db: None) -> TrainedBot:
    return TrainedBot.objects.create(slug="help", name="Help")


@pytest.fixture
def device(bot) -> Device:
    return Device.objects.create(name="Lobby", bot=bot)


TRAINED, KIOSK = "/admin/docbot/trainedbot/{trained}/", "/admin/kiosk/device/{device}/do/"
LIST = "/admin/docbot/trainedbot/"
DONE = [
    (TRAINED + "train/", {}, "Started a training."),
    (TRAINED + "website/", {"url": "https://example.com/help"}, "Started a training: https://example.com/help."),
    (TRAINED + "keys/", {"name": "Website"}, "Created the key “Website”."),
    (TRAINED + "keys/{key}/revoke/", {}, "Revoked the key “Telegram”."),
    (KIOSK, {"do": "code"}, "Created a code for a screen."),
    (KIOSK, {"do": "pause"}, "Paused."),
    (KIOSK, {"do": "resume"}, "Ended the pause."),
    (KIOSK, {"do": "reload"}, "Reloaded."),
    (KIOSK, {"do": "dismiss"}, "Disconnected the screen."),
]


def test_actions_on_trained_bots_keys_and_kiosks_are_on_the_trail_which_is_read_only(browser, owner, trained, device):
    for url, fields, sentence in DONE:
        LogEntry.objects.all().delete()
        key = keys.issue(trained, "Telegram")[0]
        response = browser.post(url.format(trained=trained.pk, key=key.pk, device=device.pk), fields)
        assert response.status_code in (200, 302)
        assert trail() == [("Lobby" if url == KIOSK else "Help", sentence)]
    shown = page(browser.get(f"/admin/admin/logentry/?user__id__exact={owner.pk}&q=Lobby"))
    assert shown.xpath("//h1/text()") == ["Audit trail"]
    assert words(shown.xpath("//p[@class='paginator']")[0]) == "Total: 1"
    assert browser.post("/admin/admin/logentry/add/", {}).status_code == 403
    clerk = User.objects.create_user("clerk")
    delete = f"/admin/auth/user/{clerk.pk}/delete/"
    assert browser.get(delete).status_code == 200
    audit.record(clerk, owner, "Did something.")  # deleting the account would delete that
    assert browser.post(delete, {"post": "yes"}).status_code == 403
    selected = {"action": "delete_selected", "_selected_action": [clerk.pk], "post": "yes"}
    browser.post("/admin/auth/user/", selected)
    assert User.objects.filter(pk=clerk.pk).exists()
    assert browser.get(f"/admin/webchat/bot/{device.bot_id}/history/").status_code == 404, "the only history of a row"


def test_a_tab_of_a_bot_is_on_the_trail_with_its_own_fields_alone(browser, bot, fields):
    Bot.objects.update(languages="de")
    browser.post(bot_pages.url(bot, "limits/"), fields | {"daily_budget": 500})
    assert trail() == [("Ada", "Changed Messages per day.")]
    browser.post(bot_pages.url(bot, "limits/"), fields | {"daily_budget": 500})
    assert trail() == [("Ada", "Changed Messages per day.")]  # nothing was changed
    call_command("reseal")
    assert trail()[1:] == [("bots", "Encrypted stored secrets again: 0.")]
    assert LogEntry.objects.latest("pk").user.username == "command-line"
    request = Handover.objects.create(bot=bot, surface="chat", visitor="v", email="jo@example.com", message="Help me")
    for action in ("send_again", "mark_as_done", "mark_as_done"):
        browser.post("/admin/webchat/handover/", {"action": action, "_selected_action": [request.pk]})
    assert trail()[2:] == [(str(request), "Sent again."), (str(request), "Marked as done.")]


@pytest.mark.parametrize("sign_in_page", [DESK, PORTAL])
def test_staff_signing_in_and_out_is_on_the_trail_and_customers_are_not(sign_in_page, owner):
    User.objects.create_user("rosa", password=PASSWORD)
    for password in ("wrong", PASSWORD):
        try_sign_in(PORTAL, browser_at("203.0.113.2"), "rosa", password)
    browser = browser_at("203.0.113.1")
    try_sign_in(sign_in_page, browser, "owner", "not this one")
    assert try_sign_in(sign_in_page, browser, "owner", PASSWORD).status_code == 302
    browser.post("/portal/sign-out", {"csrfmiddlewaretoken": browser.cookies["csrftoken"].value})
    said = ["Failed to log in: wrong password.", "Logged in.", "Logged out."]
    assert trail() == [("owner", each) for each in said]
    assert "not this one" not in str(trail())


def test_new_passwords_are_on_the_trail_and_the_session_can_still_be_ended_from_elsewhere(owner):
    browser, new = browser_at("203.0.113.1"), "another long phrase"
    try_sign_in(DESK, browser, "owner", PASSWORD)
    fields = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    fields["csrfmiddlewaretoken"] = browser.cookies["csrftoken"].value
    assert browser.post("/admin/password_change/", fields).status_code == 302
    assert browser.get("/admin/").status_code == 200
    end_sessions(TeamMember.of(owner))
    assert browser.get("/admin/").status_code == 302
    owner.refresh_from_db()
    uid, token = urlsafe_base64_encode(str(owner.pk).encode()), default_token_generator.make_token(owner)
    form_on = browser.get(f"/portal/password/{uid}/{token}")["Location"]
    fields["csrfmiddlewaretoken"] = browser.get(form_on).context["csrf_token"]
    assert browser.post(form_on, fields)["Location"] == "/portal/password/done"
    assert [sentence for _, sentence in trail()] == [
        "Logged in.",
        "Changed their password.",
        "Chose a new password with a link.",
    ]


def test_an_owner_who_reads_german_reads_the_trail_in_german_and_names_as_they_are(browser, owner, trained, bot):
    browser.post(f"/admin/docbot/trainedbot/{trained.pk}/keys/", {"name": "{} Added. %s مفتاح"})
    TrainedBot.objects.update(trial_ends_at=timezone.now(), credits=200)
    audit.record(owner, bot, "An old sentence {}.")
    audit.record(owner, bot, '[{"changed": {"name": "teaser", "object": "Hi", "fields": ["Shown to"]}}]')
    browser.post(f"/admin/docbot/trainedbot/{trained.pk}/change/", {"name": "Help", "slug": "support"})
    browser.post("/admin/team/invite/", {"role": "editor", "all_bots": "on", "email": "jo@example.com"})
    shown = page(browser.get("/admin/admin/logentry/", headers={"accept-language": "de"}))
    assert "Einladung: \u2068jo@example.com\u2069" in shown.text_content()
    assert [cell.text_content() for cell in shown.xpath("//td[contains(@class, 'field-what')]")][1:] == [
        "\u2068Kurzname, Eingeschaltet, Testphase endet und Verbleibende Antworten geändert.\u2069",
        "\u2068Zielgruppe für Teaser „Hi“ geändert.\u2069",
        "\u2068An old sentence {}.\u2069",
        "\u2068Schlüssel „\u2068{} Added. %s مفتاح\u2069“ erstellt.\u2069",
    ]
