"""Personal data: every field is named in the manual, and a visitor's data can be exported and erased."""

import datetime
import io
import json
import re

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.admin.models import DELETION, LogEntry
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import models
from django.utils import timezone

from docbot.models import Chat, Exchange, TrainedBot
from tests.desk.conftest import words
from webchat.conversation.visitor_session import SessionStore, visitor_behind
from webchat.models import Bot, Conversation, Customer, Handover, TeamMember, Turn

MANUAL = settings.BASE_DIR / "docs" / "privacy.md"

# Fields that could hold personal data by their type, but don't by their purpose.
OF_THE_OWNERS = {
    *("webchat.Bot", "webchat.BotWords", "webchat.TeaserRule", "webchat.IdentityKey", "webchat.PushKey"),
    *("webchat.PeriodicTask", "webchat.Circuit", "webchat.CannedReply", "webchat.SiteSettings"),
    *("docbot.TrainedBot", "docbot.ApiKey", "docbot.Document", "docbot.Passage", "docbot.TrainingRun"),
    *("kiosk.Device", "desk.Watermark", "desk.Tally"),
    *("socialaccount.SocialApp", "auth.Group", "auth.Permission", "contenttypes.ContentType"),
}
NOT_PERSONAL = {
    *("webchat.Turn.code", "webchat.Turn.state", "webchat.Conversation.surface", "webchat.Handover.surface"),
    *("webchat.Handover.language", "webchat.Delivery.channel", "webchat.Delivery.state", "webchat.Alarm.cause"),
    *("webchat.Alarm.facts", "docbot.Exchange.certainty", "docbot.Exchange.via"),
    *("desk.AskedQuestion.surface", "desk.AskedQuestion.fingerprint"),
    "webchat.Conversation.language",
    *("webchat.Detail.kind", "webchat.Detail.question"),
    *("webchat.Conversation.led_by", "webchat.Turn.outcome", "webchat.Entry.kind"),
    *("webchat.TeamMember.role", "desk.Invitation.role", "desk.TaughtChange.kind"),
    *("mfa.Authenticator.type", "usersessions.UserSession.data"),
}
COULD_HOLD_WORDS = (
    models.CharField,
    models.TextField,
    models.JSONField,
    models.GenericIPAddressField,
    models.FileField,
)


def text_fields() -> set[str]:
    return {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        if not model._meta.proxy and model._meta.label not in OF_THE_OWNERS
        for field in model._meta.concrete_fields
        if isinstance(field, COULD_HOLD_WORDS)
    }


def documented_fields() -> set[str]:
    return set(re.findall(r"`([a-z]+\.[A-Z]\w+\.\w+)`", MANUAL.read_text()))


def test_every_field_that_can_hold_personal_data_is_named_in_the_manual_and_no_other():
    """Name a new field in docs/privacy.md, or in NOT_PERSONAL above if it holds no personal data."""
    assert text_fields() - documented_fields() - NOT_PERSONAL == set()
    assert documented_fields() - text_fields() == set()


@pytest.fixture
def visitor(said) -> Turn:
    """A visitor with two conversations, a request for a person and a session; and a stranger's conversation."""
    session = SessionStore()
    session["seen"] = "today"
    session.save()
    name = visitor_behind(session.session_key)
    turn = said("My secret question", visitor=name)
    said("Another of mine", visitor=name, surface="embed")
    asked = {"email": "me@example.com", "message": "Please call", "surface": "chat"}
    conversation = turn.conversation
    Handover.objects.create(bot=conversation.bot, visitor=name, conversation=conversation, **asked)
    said("A stranger’s question")
    return turn


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command("visitor", *arguments, stdout=out)
    return out.getvalue()


def test_a_visitor_is_exported_by_a_reference_to_a_file_that_only_its_owner_can_read(visitor, tmp_path):
    file = tmp_path / "visitor.json"
    for reference in (visitor.key, visitor.conversation.public_id, Handover.objects.get().key):
        assert "2 conversations" in run("export", str(reference), "--output", str(file))
        assert file.stat().st_mode & 0o077 == 0
        told = json.loads(file.read_text())
        said = sorted(turn["message"] for one in told["conversations"] for turn in one["turns"])
        assert said == ["Another of mine", "My secret question"]
        assert [request["message"] for request in told["requests"]] == ["Please call"]
        assert "stranger" not in json.dumps(told)


@pytest.fixture
def namesakes(bot, said) -> list[Customer]:
    """Customers of two websites with the same id and e-mail address; each has asked for a person with it."""
    websites = (bot, Bot.objects.create(slug="other", name="Other"))
    same = {"subject": "customer-17", "email": "ada@example.com"}
    people = [Customer.objects.create(bot=website, name=f"Ada of {website}", **same) for website in websites]
    for customer in people:
        turn = said(
            f"I am {customer.name}", bot=customer.bot, visitor=customer.visitor, customer=customer, surface="embed"
        )
        of_request = {"visitor": customer.visitor, "conversation": turn.conversation, "email": "ADA@example.com"}
        Handover.objects.create(bot=customer.bot, surface="embed", message=customer.name, **of_request)
    return people


@pytest.mark.parametrize("who", ["customer-17", "Ada@Example.com"])
def test_of_two_customers_whom_a_name_fits_one_is_chosen_and_the_other_keeps_everything(who, namesakes):
    chosen, other = namesakes
    with pytest.raises(
        CommandError, match=f"--customer .*\n{chosen.pk}: {chosen.name}, .*\n{other.pk}: {other.name}, "
    ):
        run("erase", who, "--yes")
    told = json.loads(run("export", who, "--customer", str(chosen.pk)))
    assert [len(told[each]) for each in ("people", "requests", "conversations")] == [1, 1, 1]
    assert other.name not in json.dumps(told)
    run("erase", who, "--yes", "--customer", str(chosen.pk))
    assert [customer.name for customer in Customer.objects.all()] == [other.name]
    assert [request.message for request in Handover.objects.all()] == [other.name]
    assert [turn.message for turn in Turn.objects.all()] == [f"I am {other.name}"]


def test_two_visitors_who_entered_the_same_email_address_are_not_mixed(visitor, said):
    told = json.loads(run("export", "me@example.com"))
    assert told["conversations"] == []
    assert told["requests"][0]["conversation"] == str(visitor.conversation.public_id)
    other = said("I am somebody else").conversation
    Handover.objects.create(bot=other.bot, visitor=other.visitor, conversation=other, email="me@example.com")
    other.join_queue()
    other.notify_pages(reply_email="Me@example.com")
    told = json.loads(run("export", "me@example.com"))
    assert told["reply_emails"] == [{"conversation": str(other.public_id), "email": "Me@example.com"}]
    assert told["conversations"] == []
    told = json.loads(run("export", str(visitor.key)))
    assert (len(told["requests"]), len(told["conversations"])) == (1, 2)
    run("erase", str(visitor.key), "--yes")
    assert Handover.objects.get().conversation == other
    assert "1 addresses for a reply" in run("erase", "me@example.com", "--yes")
    assert not Handover.objects.exists()
    other.refresh_from_db()
    assert (other.reply_email, other.led_by) == ("", "queue")


def test_a_customer_whose_id_is_a_uuid_is_found_and_so_is_a_conversation_by_its_address(bot, visitor):
    Customer.objects.create(bot=bot, subject="0f8e3046-6959-4fd0-b551-3680e4cb5d06", name="Ada")
    assert json.loads(run("export", "0f8e3046-6959-4fd0-b551-3680e4cb5d06"))["people"][0]["name"] == "Ada"
    url = f"https://chat.example.com/portal/help/{visitor.conversation.public_id}/"
    assert len(json.loads(run("export", url))["conversations"]) == 2
    visitor.conversation.give_to(Customer.objects.create(user=User.objects.create(username="customer")))
    told = json.loads(run("export", "customer"))
    assert [request["message"] for request in told["requests"]] == ["Please call"], "it goes with the conversation"


def test_one_visitor_is_erased_and_nobody_else_and_the_trail_says_so_in_the_language_of_the_desk(visitor, admin_client):
    _own, shared, older = (copy_to_docbot(visitor) for _ in range(3))
    older.exchanges.update(created_at=visitor.ended_at - datetime.timedelta(days=3))
    Exchange.objects.create(chat=shared, message="Something else", reply="Yes.", certainty="sure")
    assert "2 conversations, 2 messages, 1 requests" in run("erase", str(visitor.key), "--yes")
    assert [turn.message for turn in Turn.objects.all()] == ["A stranger’s question"]
    assert not Handover.objects.exists()
    assert Session.objects.count() == 1  # the owner's
    # Of docbot's copies one contains a message that isn't this visitor's, the other the same text of another day.
    assert set(Chat.objects.all()) == {shared, older}
    entry = LogEntry.objects.get(user__username="command-line")
    assert not entry.user.is_active
    assert "secret" not in entry.change_message
    said = words(admin_client.get("/admin/admin/logentry/", headers={"accept-language": "de"}))
    assert "Daten eines Besuchers gelöscht. Unterhaltungen: 2, Nachrichten: 2" in re.sub("[\u2068\u2069]", "", said)
    Conversation.objects.update(visitor=visitor_behind(admin_client.session.session_key))
    run("erase", str(Turn.objects.get().key), "--yes")
    assert admin_client.get("/admin/").status_code == 200, "whoever tried the chat stays logged in at the desk"


def test_erasing_asks_for_confirmation_and_finds_nobody_else(visitor, monkeypatch):
    for who in ("nobody@example.com", "nobody", "0f8e3046-6959-4fd0-b551-3680e4cb5d06", "", "%", "'; drop table"):
        for command in (("export", who), ("erase", who, "--yes")):
            with pytest.raises(CommandError, match="Nothing is stored"):
                run(*command)
    with pytest.raises(CommandError, match="--yes"):
        run("erase", str(visitor.key))
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("builtins.input", lambda _question: "no")
    with pytest.raises(CommandError, match="Nothing was erased"):
        run("erase", str(visitor.key))
    assert Turn.objects.count() == 3


def test_the_account_of_a_customer_is_deleted_and_those_of_the_team_are_kept(bot):
    """With the account of a former team member would go what the audit trail says that they did."""
    for name in ("customer", "owner", "former"):
        user = User.objects.create(username=name, email=f"{name}@example.com", is_staff=name == "owner")
        Customer.objects.create(user=user)
        if name == "former":
            TeamMember.objects.create(user=user, name=name)
        run("erase", f"{name}@example.com", "--yes")
    assert not Customer.objects.exists()
    assert set(User.objects.values_list("username", flat=True)) == {"owner", "former", "command-line"}


def copy_to_docbot(turn: Turn) -> Chat:
    """Store docbot's copy of this turn and return its chat."""
    trained, _ = TrainedBot.objects.get_or_create(slug="help", name="Help")
    chat = Chat.objects.create(trained_bot=trained)
    said = {"message": turn.message, "reply": turn.reply, "created_at": turn.ended_at, "certainty": "sure"}
    Exchange.objects.create(chat=chat, **said)
    return chat


@pytest.mark.parametrize(
    "outcome",
    [
        {"state": "person", "reply": "", "late_reply": "We open at **nine**.", "ended_at": None},
        {"state": "failed", "reply": "", "code": "WORKER_LOST"},
        {"attempt": 2, "created_at": timezone.now() - datetime.timedelta(minutes=1)},  # an earlier reply was lost
    ],
    ids=["late", "lost", "asked again"],
)
def test_docbots_copy_of_a_reply_that_did_not_arrive_is_deleted_too(visitor, outcome):
    chat = copy_to_docbot(visitor)
    if "attempt" in outcome:
        lost = {"message": visitor.message, "reply": "Lost", "created_at": timezone.now(), "certainty": "sure"}
        Exchange.objects.create(chat=chat, **lost)
    Turn.objects.filter(pk=visitor.pk).update(**outcome)
    run("erase", str(visitor.key), "--yes")
    assert not Chat.objects.exists()


def test_what_is_deleted_at_the_desk_leaves_no_copy_and_no_name_in_the_trail(admin_client, said):
    for page in ("auth/user", "webchat/customer", "webchat/conversation"):
        customer = Customer.objects.create(user=User.objects.create(username=f"Hedy of {page}"))
        turn = said("Mine", visitor=customer.visitor, customer=customer, surface="portal")
        copy_to_docbot(turn)
        row = {"auth/user": customer.user, "webchat/customer": customer}.get(page, turn.conversation)
        admin_client.post(f"/admin/{page}/{row.pk}/delete/", {"post": "yes"})
        assert not Conversation.objects.exists()
        assert Customer.objects.exists() == (page == "webchat/conversation")
        assert not Chat.objects.exists()
    trail = LogEntry.objects.filter(action_flag=DELETION).order_by("pk").values_list("object_repr", flat=True)
    assert "Hedy" not in "".join(trail)
    assert list(trail)[:2] == ["…", "…"]
