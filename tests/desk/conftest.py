"""Fixtures for the desk: a bot, messages to it, and staff with different rights."""

import datetime
import secrets
from collections.abc import Callable

import pytest
from django.contrib.auth.models import Permission, User
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from lxml import html

from docbot.endpoint import keys
from docbot.models import TrainedBot
from docbot.training.training import train
from webchat.models import Bot, Conversation, TeamMember, Turn

PASSWORD = "four words without sense"


def page(response: HttpResponse) -> html.HtmlElement:
    assert response.status_code == 200
    return html.fromstring(response.content.decode())


def words(response: HttpResponse) -> str:
    """Return a page's text, whatever its status."""
    return " ".join(html.fromstring(response.content.decode()).text_content().split())


@pytest.fixture
def owner(db: None) -> User:
    return User.objects.create_superuser("olivia", "olivia@example.com", PASSWORD)


@pytest.fixture
def browser(owner: User) -> Client:
    """The owner's browser, signed in."""
    client = Client()
    client.force_login(owner)
    return client


@pytest.fixture
def bot(db: None) -> Bot:
    return Bot.objects.create(slug="help", name="Ada", greeting="Hello!", contact="owner@example.com")


@pytest.fixture
def fields(bot) -> dict[str, object]:
    """The required fields of the tabs' forms, with their current values."""
    return {
        "name": bot.name,
        "slug": bot.slug,
        "greeting": bot.greeting,
        "switched_on": "on",
        "answers_when_closed": "on",
        "launcher_icon": "chat",
        "launcher_position": "end",
        "widget_theme": "auto",
        "teaser_after": 10,
        "queue_minutes": 5,
        "teaser_rules-TOTAL_FORMS": 0,
        "teaser_rules-INITIAL_FORMS": 0,
    }


Said = Callable[..., Turn]


@pytest.fixture
def said(bot: Bot) -> Said:
    """Store a finished turn: `said("Hello?")`, `said("Hello?", code="NO_ANSWER", days_ago=3, surface="embed")`."""

    def turn(
        message: str = "When are you open?",
        reply: str = "We open at **nine**.",
        *,
        code: str = "",
        days_ago: float = 0,
        seconds: float = 2,
        conversation: Conversation | None = None,
        feedback: int | None = None,
        outcome: str = "",
        **of_conversation: object,
    ) -> Turn:
        at = timezone.now() - datetime.timedelta(days=days_ago)
        new = {"bot": bot, "visitor": secrets.token_hex(32), "started_at": at, "last_at": at}
        ended = {"code": code, "outcome": outcome, "ended_at": at + datetime.timedelta(seconds=seconds)}
        return Turn.objects.create(
            conversation=conversation or Conversation.objects.create(**new | of_conversation),
            message=message,
            reply="" if code else reply,
            state=Turn.State.FAILED if code else Turn.State.ANSWERED,
            created_at=at,
            asked_at=at,
            feedback=feedback,
            feedback_at=at if feedback else None,
            **ended,
        )

    return turn


@pytest.fixture
def staff(db: None) -> Callable[..., Client]:
    """Sign in staff with these permissions only: `staff("webchat.view_bot")`."""

    def log_in(*permissions: str) -> Client:
        user = User.objects.create(username="-".join(["reader", *permissions])[:150], is_staff=True)
        for name in permissions:
            app, codename = name.split(".")
            user.user_permissions.add(Permission.objects.get(content_type__app_label=app, codename=codename))
        TeamMember.objects.create(user=user, name=user.username[:80])
        client = Client()
        client.force_login(user)
        return client

    return log_in


Colleague = Callable[..., tuple[Client, TeamMember]]


@pytest.fixture
def colleague(db: None) -> Colleague:
    """Make a team member with a browser: `colleague("Ann")`, or `colleague("Bea", bot)` for one bot only."""

    def log_in(name: str, *bots: Bot) -> tuple[Client, TeamMember]:
        user = User.objects.create(username=name.lower(), is_staff=True)
        user.user_permissions.add(Permission.objects.get(codename="answer_conversation"))
        now, all_bots = timezone.now(), not bots
        member = TeamMember.objects.create(user=user, name=name, is_available=True, seen_at=now, all_bots=all_bots)
        member.bots.set(bots)
        client = Client()
        client.force_login(user)
        return client, member

    return log_in


@pytest.fixture
def waiting(said) -> Conversation:
    """A conversation whose visitor has asked for a person."""
    conversation = said("Is my parcel lost?", "I don’t know.").conversation
    conversation.join_queue()
    return conversation


@pytest.fixture
def client_of_ann(colleague, waiting) -> Client:
    """The browser of Ann, who has answered the waiting visitor."""
    client, ann = colleague("Ann")
    waiting.claim(ann)
    return client


@pytest.fixture
def trained(bot, settings, tmp_path) -> TrainedBot:
    """The trained bot that answers for the bot."""
    settings.DATA_DIR, settings.MEDIA_ROOT = tmp_path / "var", tmp_path / "var" / "media"
    docs = tmp_path / "docs"
    docs.mkdir()
    hours = "## Opening hours\n\nWe are open from nine to six, Monday to Friday.\n\n"
    (docs / "shop.md").write_text(f"# The shop\n\n{hours}## Repairs\n\nA repair of a bicycle takes three days.\n")
    settings.CHAT_BASE_URL = settings.IN_PROCESS_URL
    trained = TrainedBot.objects.create(slug="shop", name="Shop")
    settings.IN_PROCESS_KEY = keys.issue(trained, "here")[1]
    train(trained, [docs])
    return trained


@pytest.fixture
def not_known(said: Said) -> Said:
    """Store a question that the bot could not answer: `not_known("Do you …?")`."""

    def turn(message: str = "Do you sell gift vouchers?", **more: object) -> Turn:
        return said(message, "I don’t know.", outcome="not_known", **more)

    return turn
