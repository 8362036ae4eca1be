"""Every URL of the desk, tried by each role, with its own bot and with a foreign one.

A new URL fails here until it is in the table.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.core.files.base import ContentFile
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from accounts.sessions import SIGNED_IN_AT
from desk import trained_bots
from desk.access import audit
from desk.inbox import updates
from desk.team import membership
from docbot.endpoint import keys
from docbot.models import Chat, Document, Exchange, TaughtAnswer, TrainedBot
from kiosk.models import Device
from webchat.models import (
    Alarm,
    Attachment,
    Bot,
    CannedReply,
    Conversation,
    Customer,
    Handover,
    IdentityKey,
    TeamMember,
    Turn,
)
from webchat.models.team import Role

# Which roles may open a URL with their own bot: Owner, Editor, Answers people, Read only; each of one bot only.
# No role may open one with a foreign bot.
ALLOWED = {
    "OEAR": """
        admin:app_list admin:attachment admin:before_sending admin:index admin:jsi18n admin:webchat_handover_change
        admin:webchat_handover_changelist
        admin:view_on_site
    """,
    "OER": """
        admin:desk_bot_answers admin:desk_bot_limits admin:desk_bot_look admin:desk_bot_people admin:desk_bot_places
        admin:desk_bot_service admin:desk_preview admin:desk_seen admin:desk_shades admin:docbot_chat_change
        admin:docbot_chat_changelist admin:docbot_document_change admin:docbot_document_changelist admin:docbot_keys
        admin:docbot_trainedbot_change admin:docbot_trainedbot_changelist admin:docbot_training admin:docbot_try
        admin:insights admin:insights_csv admin:insights_people_csv admin:insights_picture admin:kiosk_device_change
        admin:kiosk_device_changelist admin:webchat_alarm_change admin:webchat_alarm_changelist
        admin:webchat_bot_change admin:webchat_bot_changelist admin:webchat_conversation_change
        admin:webchat_conversation_changelist
    """,
    "OEA": """
        admin:inbox admin:inbox_act admin:inbox_availability admin:inbox_canned_replies admin:inbox_canned_reply
        admin:inbox_conversation admin:inbox_new_canned_reply admin:inbox_profile admin:inbox_typing
        admin:inbox_updates admin:inbox_write admin:teach admin:teach_answer admin:teach_question admin:teach_taught
    """,
    "OE": """
        admin:desk_bot_model admin:desk_test admin:docbot_again admin:docbot_document_delete
        admin:docbot_forget_origin admin:docbot_revoke_key admin:docbot_stop admin:docbot_train admin:docbot_upload
        admin:docbot_website admin:kiosk_code admin:kiosk_device_add admin:kiosk_device_delete admin:kiosk_do
        admin:setup admin:setup_answers admin:setup_look admin:setup_place admin:setup_preview admin:setup_try
        admin:setup_website admin:teach_delete admin:teach_done admin:teach_take_back
    """,
    "O": """
        admin:desk_export admin:docbot_chat_delete admin:docbot_trainedbot_delete admin:teach_csv admin:team
        admin:team_invite admin:team_member admin:team_withdraw admin:webchat_alarm_delete admin:webchat_bot_delete
        admin:webchat_conversation_delete admin:webchat_handover_delete admin:webchat_identitykey_add
        admin:webchat_identitykey_change admin:webchat_identitykey_changelist admin:webchat_identitykey_delete
    """,
    # For staff of all bots, or for nobody: an invalid link, a missing picture.
    "": """
        admin:admin_logentry_add admin:admin_logentry_change admin:admin_logentry_changelist
        admin:admin_logentry_delete admin:auth_user_add admin:auth_user_change admin:auth_user_changelist
        admin:auth_user_delete admin:auth_user_password_change admin:autocomplete admin:docbot_chat_add
        admin:docbot_document_add admin:docbot_trainedbot_add admin:inbox_picture admin:send_selected
        admin:setup_login admin:site admin:team_join admin:visitor_data admin:webchat_alarm_add admin:webchat_bot_add
        admin:webchat_conversation_add admin:webchat_customer_add admin:webchat_customer_change
        admin:webchat_customer_changelist admin:webchat_customer_delete admin:webchat_handover_add
    """,
}
ROLES = {"O": Role.OWNER, "E": Role.EDITOR, "A": Role.ANSWERS, "R": Role.READS}
FOREIGN = "Zebra"  # in every text of the foreign bot
# Each user's own login; tests/accounts checks that nobody else can change it.
OWN_LOGIN = ("mfa_", "usersessions_", "end_session", "account_", "confirm_", "admin:log", "admin:password_")


def urls() -> Iterator[str]:
    def walk(patterns: list[Any], start: str, namespace: str) -> Iterator[tuple[str, str]]:
        for pattern in patterns:
            url = start + str(pattern.pattern)
            if isinstance(pattern, URLResolver):
                within = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
                yield from walk(pattern.url_patterns, url, within)
            elif isinstance(pattern, URLPattern) and pattern.name:
                yield url, namespace + pattern.name

    names = (name for url, name in walk(get_resolver().url_patterns, "", "") if url.startswith("admin/"))
    # Of history pages there are none, for nobody: tests/desk/test_trail.py.
    names = (name for name in names if not name.endswith("_history"))
    return (name for name in dict.fromkeys(names) if not name.startswith(OWN_LOGIN))


class Things:
    """A bot, and one of everything that belongs to it."""

    def __init__(self, word: str, owner: User) -> None:
        self.word = word
        self.bot = Bot.objects.create(slug=word.lower(), name=word, people_answer=True, daily_budget=5)
        self.trained = TrainedBot.objects.create(slug=word.lower(), name=word)
        trained_bots.link(self.bot, self.trained)
        self.bot.save()
        self.document = Document.objects.create(trained_bot=self.trained, kind="upload", title=word, problem=word)
        self.chat = Chat.objects.create(trained_bot=self.trained)
        Exchange.objects.create(chat=self.chat, message=word, reply=word, certainty="unknown")
        self.draft = TaughtAnswer.objects.create(
            trained_bot=self.trained, question=word, text=word, author=word, is_draft=True
        )
        self.taught = TaughtAnswer.objects.create(trained_bot=self.trained, question=word, text=word, author=word)
        self.key = keys.issue(self.trained, word)[0]
        self.conversation = Conversation.objects.create(bot=self.bot, visitor=word)
        said = {"message": f"Where is the {word}?", "reply": word, "state": "answered", "outcome": "not_known"}
        self.turn = Turn.objects.create(conversation=self.conversation, **said)
        Turn.objects.create(conversation=self.conversation, message=word, state="failed", code="NO_ANSWER")
        file = ContentFile(b"%PDF-1.4", f"{word}.pdf")
        is_pdf = {"content_type": "application/pdf", "size": 8, "file": file, "name": f"{word}.pdf"}
        self.attachment = Attachment.objects.create(conversation=self.conversation, turn=self.turn, **is_pdf)
        self.conversation.join_queue()
        asked = {"surface": "chat", "visitor": word, "email": f"{word}@example.com", "message": word}
        self.handover = Handover.objects.create(bot=self.bot, **asked)
        self.alarm = Alarm.objects.create(
            bot=self.bot, cause=Alarm.Cause.KEY_REFUSED, number=1, facts={"code": "INVALID_API_KEY"}
        )
        self.canned = CannedReply.objects.create(bot=self.bot, shortcut=word.lower(), text=word)
        self.device = Device.objects.create(bot=self.bot, name=word)
        self.identity = IdentityKey.objects.create(bot=self.bot, name=word)
        self.person = Customer.objects.create(bot=self.bot, subject=word, name=word)
        self.customer = User.objects.create_user(f"{word}-customer")
        user = User.objects.create_user(f"{word}-colleague", is_staff=True)
        self.member = TeamMember.objects.create(user=user, name=f"{word}-colleague", role=Role.READS, all_bots=False)
        self.member.bots.set([self.bot])
        self.invitation, self.token = membership.invite(owner, f"{word}@example.com", Role.READS, False, [self.bot])
        audit.record(owner, self.bot, word)
        self.entry = LogEntry.objects.filter(change_message=word).get()

    def arguments(self, name: str) -> list[object]:
        """Return the arguments that a URL takes."""
        name = name.removeprefix("admin:")
        rows = (self.bot, self.conversation, self.alarm, self.handover, self.identity, self.person, self.device)
        for row in (*rows, self.trained, self.chat, self.document, self.customer, self.entry):
            of_model = f"{row._meta.app_label}_{row._meta.model_name}"
            if name in (f"{of_model}_change", f"{of_model}_delete"):
                return [row.pk]
        if name.startswith("setup_") and name != "setup_login":
            return [self.bot.slug]
        if name.startswith("docbot_") and not name.endswith(("_changelist", "_add")):
            return [self.trained.pk, *([self.key.pk] if name == "docbot_revoke_key" else [])]
        return self._others().get(name, [])

    def _others(self) -> dict[str, list[object]]:
        public_id = self.conversation.public_id
        return {
            "inbox_updates": [updates.current(self.conversation.pk)._replace(changes=-1).token],
            "inbox_canned_reply": [self.canned.pk],
            "attachment": [self.attachment.key],
            **{key: [public_id] for key in ("inbox_conversation", "inbox_write", "inbox_typing")},
            "inbox_act": [public_id, "claim"],
            "setup_login": ["no-token"],
            **{key: [self.turn.pk] for key in ("teach_question", "teach_done")},
            **{key: [self.taught.pk] for key in ("teach_answer", "teach_take_back")},
            "teach_delete": [self.draft.pk],
            "team_member": [self.member.pk],
            "team_withdraw": [self.invitation.pk],
            "team_join": ["no-token"],
            **{key: ["messages"] for key in ("insights_picture", "insights_csv")},
            "view_on_site": [ContentType.objects.get_for_model(Bot).pk, self.bot.pk],
            **{
                f"desk_bot_{tab}": [self.bot.pk]
                for tab in ("answers", "limits", "look", "model", "people", "places", "service")
            },
            "desk_preview": [self.bot.pk, "chat"],
            "desk_test": [self.bot.pk],
            "desk_export": ["csv"],
            "desk_seen": [self.conversation.pk],
            **{key: [self.device.pk] for key in ("kiosk_code", "kiosk_do")},
            "auth_user_password_change": [self.customer.pk],
            "app_list": ["webchat"],
        }


@pytest.fixture
def owner(db: None) -> User:
    return User.objects.create_superuser("root")


@pytest.fixture
def things(owner: User, settings: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> dict[str, Things]:
    settings.CHAT_BASE_URL, settings.MEDIA_ROOT = settings.IN_PROCESS_URL, tmp_path
    for module in ("desk.setup.views", "docbot.dashboard.training"):
        monkeypatch.setattr(f"{module}.launch", lambda *args: None)
    return {"own": Things("Horse", owner), "foreign": Things(FOREIGN, owner)}


def client_with(role: Role, bot: Bot) -> Client:
    user = User.objects.create_user(f"of-{role}", is_staff=True)
    member = TeamMember.objects.create(user=user, name=role, role=role, all_bots=False)
    member.bots.set([bot])
    client = Client()
    client.force_login(user)
    return client


def visit(client: Client, name: str, things: Things) -> tuple[bool, bool]:
    """Open a URL, roll back its changes, and return whether there was a page, and whether it shows a foreign word."""
    url = reverse(name, args=things.arguments(name))
    with transaction.atomic():
        response = client.get(
            url, {"bot": things.bot.slug} if name in ("admin:teach_csv", "admin:teach_taught") else {}
        )
        if response.status_code == 405 or name in ("admin:inbox_act", "admin:inbox_write"):  # they show a page, too
            response = client.post(url, {"bot": things.bot.slug})
        shown = response.getvalue().decode(errors="replace").lower()
        transaction.set_rollback(True)
    # Django's admin redirects from objects that the user may not see.
    to = response["Location"] if response.status_code == 302 else ""
    is_away = to.startswith("/admin/login/") or (to == "/admin/" and name != "admin:app_list")
    # An inbox that showed a conversation, as its signed token says, is told why that is gone, and nothing else of it.
    is_told = name == "admin:inbox_updates" and "your account doesn’t have permission." in shown
    has = response.status_code not in (403, 404, 410) and not is_away and not is_told
    return has, FOREIGN.lower() in shown


def test_every_url_of_the_desk_is_in_the_table_once():
    assert sorted(urls()) == sorted(name for names in ALLOWED.values() for name in names.split())


# Keys, rights, exports, and the user's other sessions.
SENSITIVE = """
    admin:auth_user_add admin:auth_user_change admin:auth_user_delete admin:auth_user_password_change
    admin:desk_export admin:docbot_keys admin:docbot_revoke_key admin:kiosk_code admin:kiosk_device_add
    admin:teach_csv admin:team_invite admin:team_member admin:team_withdraw admin:visitor_data
    admin:webchat_identitykey_add admin:webchat_identitykey_delete usersessions_list
"""


def test_the_password_is_asked_for_again_before_sensitive_pages(things, owner):
    owner.set_password("a long pass phrase")
    owner.save()
    client = Client()
    client.force_login(owner)
    session = client.session
    session[SIGNED_IN_AT] -= 3600
    session.save()
    for name in SENSITIVE.split():
        url = reverse(name, args=things["own"].arguments(name))
        for response in (client.get(url), client.post(url)):
            assert response.headers["Location"].startswith("/admin/confirm/?next="), name


@pytest.mark.timeout(400)  # a few hundred pages
@pytest.mark.parametrize("letter", ROLES)
def test_a_role_gets_what_the_table_allows_for_its_own_bot_and_nothing_of_a_foreign_one(letter, things):
    client = client_with(ROLES[letter], things["own"].bot)
    request = client.get(reverse("admin:webchat_handover_change", args=[things["own"].handover.pk])).content.decode()
    own = things["own"].bot  # a request for a person leads only those to its bot who may see it
    assert (own.name in request, f"/admin/webchat/bot/{own.pk}/" in request) == (True, letter != "A")
    got, wrong = [], []
    for name in urls():
        has, leaks = visit(client, name, things["own"])
        got += [name] * has
        if things["own"].arguments(name) != things["foreign"].arguments(name):
            leaks = any([leaks, *visit(client, name, things["foreign"])])
        wrong += [name] * leaks
    assert wrong == []
    expected = [name for who, names in ALLOWED.items() if letter in who for name in names.split()]
    assert sorted(got) == sorted(expected)


FOR_ALL_STAFF = ["admin:app_list", "admin:before_sending", "admin:index", "admin:jsi18n", "admin:view_on_site"]


def test_nobody_else_may_open_anything(things):
    stranger, customer, staff = (Client() for _ in range(3))
    customer.force_login(User.objects.create_user("customer"))
    member = TeamMember.objects.create(user=User.objects.create_user("nobody", is_staff=True), name="nobody")
    staff.force_login(member.user)  # without a right
    for_the_team = sorted(name for letters, names in ALLOWED.items() if letters for name in names.split())
    for client, gets in ((stranger, []), (customer, []), (staff, FOR_ALL_STAFF)):
        assert [name for name in for_the_team if visit(client, name, things["own"])[0]] == gets
