"""The desk speaks its reader's language, and all of its text is in the catalogs."""

import re
import string
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from lxml import html

from desk import trained_bots
from desk.access import audit
from desk.statistics import counting
from desk.team import membership
from docbot.models import ApiKey, Document, TrainedBot
from kiosk.models import Device
from tests import messages
from tests.desk.conftest import page
from webchat.models import Alarm, Bot, CannedReply, Conversation, Handover, TeamMember, Turn

SECURITY = "/admin/security/"


def language_of(response) -> tuple[str, str]:
    shown = page(response)
    return shown.get("lang"), shown.get("dir")


def test_the_desk_speaks_the_browsers_language_until_one_is_chosen(admin_client, bot):
    assert language_of(Client().get("/admin/login/", HTTP_ACCEPT_LANGUAGE="ar")) == ("ar", "rtl")
    assert language_of(admin_client.get("/admin/")) == ("en-gb", "ltr")
    assert language_of(admin_client.get("/admin/", HTTP_ACCEPT_LANGUAGE="ar")) == ("ar", "rtl")
    assert language_of(admin_client.get("/admin/", HTTP_ACCEPT_LANGUAGE="el")) == ("en-gb", "ltr")
    choice = page(admin_client.get(SECURITY)).xpath("//select[@name='lang']")[0]
    assert [option.get("value") for option in choice.xpath("option")][:2] == ["en", "de"]
    assert choice.xpath("option[@selected]/@value") == ["en"]
    admin_client.get(SECURITY, {"lang": "de"})
    assert language_of(admin_client.get("/admin/", HTTP_ACCEPT_LANGUAGE="ar")) == ("de", "ltr")
    assert page(admin_client.get(SECURITY)).xpath("//select[@name='lang']/option[@selected]/@value") == ["de"]


WIDE = str.maketrans({letter: chr(ord(letter) + 0xFEE0) for letter in string.ascii_letters})
KEPT = re.compile(r"(%\(\w+\)[sd]|%[sd]|\{\w*\}|</?[^>]+>|&\w+;)")
LATIN = re.compile(r"[A-Za-z]{2,}")
# Names, addresses and codes.
NAMES = re.compile(
    "|".join(
        [
            *(name for _code, name in settings.LANGUAGES),
            "docbot",
            "HS256|RS256|ES256|EdDSA|UTC",
            r"https?:\S+|\S+@\S+|/chat/\S*",
            "NO_ANSWER",
            "help",
        ]
    )
)
SPOKEN = ("aria-label", "title", "alt", "placeholder", "label")
SILENT = "ancestor-or-self::*[self::script or self::style or self::code or self::textarea or self::pre]"


def widen(sentence: str) -> str:
    """Write the letters in full width, so that translated text can be told from text that isn't."""
    return "".join(part if KEPT.fullmatch(part) else part.translate(WIDE) for part in KEPT.split(sentence))


@pytest.fixture
def in_wide_letters(settings, tmp_path: Path) -> None:
    """Translate all strings of ours into full-width letters; Django's own stay Arabic."""
    catalog = messages.read("ar")
    for message in catalog:
        if message.id and message.pluralizable:
            message.string = tuple(widen(message.id[1]) for _form in message.string)
        elif message.id:
            message.string = widen(message.id)
    compiled = tmp_path / "ar" / "LC_MESSAGES" / "django.mo"
    compiled.parent.mkdir(parents=True)
    compiled.write_bytes(messages.compile_catalog(catalog))
    settings.LOCALE_PATHS = [tmp_path]


def latin_text(shown: html.HtmlElement) -> set[str]:
    """Return a page's text that is in Latin letters."""
    said = list(shown.xpath(f"//body//text()[not({SILENT})]"))
    said += [value for name in SPOKEN for value in shown.xpath(f"//body//@{name}")]
    said += shown.xpath("//title/text() | //input[@type='submit' or @type='button']/@value")
    return {" ".join(text.split()) for text in said if LATIN.search(NAMES.sub("", text))}


def pages_of_bot(bot: Bot, trained: TrainedBot) -> list[str]:
    tabs = ("change", "look", "look/?words=de", "places", "people", "limits", "service", "answers", "test", "model")
    return [
        "/admin/webchat/bot/add/",
        *(f"/admin/webchat/bot/{bot.pk}/{tab}{'' if '?' in tab else '/'}" for tab in tabs),
        *(reverse(f"admin:docbot_{name}", args=[trained.pk]) for name in ("trainedbot_change", "keys", "try")),
        f"/admin/webchat/bot/{bot.slug}/website/?page=https://www.example.com",
    ]


@pytest.fixture
def full_desk(bot: Bot, said, waiting: Conversation, admin_user: User, settings) -> list[str]:
    """Fill the desk with something of everything, named in Cyrillic letters, and return the URLs of its pages."""
    settings.CHAT_BASE_URL = settings.IN_PROCESS_URL
    Bot.objects.update(name="Ада", greeting="Привет", languages="de", people_answer=True, daily_budget=9)
    User.objects.filter(pk=admin_user.pk).update(username="ольга")
    member = TeamMember.of(User.objects.get(pk=admin_user.pk))
    TeamMember.objects.filter(pk=member.pk).update(name="Ольга")
    Turn.objects.update(message="Где?", reply="Здесь.")
    disliked = said("Где?", "Здесь.", feedback=-1)
    failed = said("Когда?", code="NO_ANSWER").conversation
    trained = TrainedBot.objects.create(slug="help", name="Ада")
    bot.refresh_from_db()
    trained_bots.link(bot, trained)
    bot.save()
    ApiKey.objects.update(name="Ключ")
    document = Document.objects.create(trained_bot=trained, kind="upload", location="/х", title="Книга")
    Alarm.objects.create(bot=bot, cause=Alarm.Cause.BOT_DISABLED, number=1, facts={"code": "NO_ANSWER"})
    handover = Handover.objects.create(bot=bot, email="jo@example.com", message="Привет")
    kiosk = Device.objects.create(bot=bot, name="Холл")
    customer = User.objects.create_user("борис")
    CannedReply.objects.create(shortcut="час", text="Девять")
    LogEntry.objects.update(object_repr="Ольга")
    audit.record(admin_user, Conversation, "Exported conversations as {}: {}.", "Книга", 1)
    _invitation, _token = membership.invite(User.objects.get(pk=admin_user.pk), "", "owner", True, [])
    counting.count_changed_days()
    lists = [reverse(f"admin:{name}_changelist") for name in LISTS]
    return [
        *("/admin/", "/admin/insights/", f"/admin/insights/?bot={bot.slug}", "/admin/inbox/", "/admin/inbox/profile/"),
        *(f"/admin/inbox/{waiting.public_id}/", "/admin/inbox/canned-replies/", "/admin/inbox/canned-replies/new/"),
        *pages_of_bot(bot, trained),
        *lists,
        reverse("admin:docbot_document_change", args=[document.pk]),
        reverse("admin:webchat_conversation_change", args=[failed.pk]),
        f"/admin/webchat/conversation/?read={failed.pk}",
        reverse("admin:webchat_handover_change", args=[handover.pk]),
        *(f"/admin/visitor/?reference={failed.public_id}{more}" for more in ("", "&do=delete")),
        "/admin/visitor/?reference=none",
        reverse("admin:kiosk_device_change", args=[kiosk.pk]),
        reverse("admin:kiosk_device_add"),
        *(f"/admin/setup/{bot.slug}/{step}/" for step in ("answers", "look", "try", "place")),
        f"/admin/teach/{disliked.pk}/",
        "/admin/auth/user/add/",
        *(f"/admin/auth/user/{customer.pk}/{page}/" for page in ("change", "password")),
        *("/admin/teach/", "/admin/site/", "/admin/team/", "/admin/team/invite/", f"/admin/team/{member.pk}/"),
        *(SECURITY, "/admin/security/app/", "/admin/security/passkeys/", "/admin/security/sessions/"),
        "/embed/help/check?site=x",
    ]


LISTS = (
    *("webchat_bot", "webchat_conversation", "webchat_handover", "webchat_alarm", "kiosk_device"),
    *("docbot_trainedbot", "docbot_document", "docbot_chat", "auth_user", "admin_logentry"),
)


def untranslated(client: Client, urls: list[str]) -> dict[str, set[str]]:
    found = {}
    for url in urls:
        response = client.get(url, HTTP_ACCEPT_LANGUAGE="ar", follow=True)
        assert response.status_code == 200, url
        if words := latin_text(html.fromstring(response.content.decode())):
            found[url] = words
    return found


def test_no_page_of_the_desk_has_untranslated_text(in_wide_letters, admin_client, full_desk):
    assert untranslated(admin_client, full_desk) == {}


def test_an_empty_desk_has_no_untranslated_text(in_wide_letters, admin_client, bot):
    Bot.objects.update(name="Ада", greeting="")
    User.objects.update(username="ольга")
    urls = ["/admin/", "/admin/insights/", "/admin/inbox/", "/admin/inbox/canned-replies/", "/admin/teach/"]
    assert untranslated(admin_client, urls) == {}
