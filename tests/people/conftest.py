"""Fixtures for conversations with people: a bot that they answer for, and a team member who is there."""

import re
import uuid
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.utils import timezone

from tests.webchat.upstream_server import UpstreamServer
from tests.webchat.visitor import Page, Visitor
from webchat.models import Bot, Conversation, TeamMember

LIVE = {"headers": {"HX-Request": "true"}}


@pytest.fixture
def bot(db: None) -> Bot:
    return Bot.objects.create(slug="help", name="Ada", people_answer=True, handover=True, in_portal=True)


def make_member(name: str) -> TeamMember:
    user = User.objects.create_user(name.lower(), is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="answer_conversation"))
    return TeamMember.objects.create(user=user, name=name, is_available=True, seen_at=timezone.now())


@pytest.fixture
def grace(db: None) -> TeamMember:
    return make_member("Grace")


@pytest.fixture
def visitor(bot: Bot, upstream: UpstreamServer) -> Visitor:
    return Visitor()


def join(visitor: Visitor, draft: str = "", **fields: str) -> Page:
    """Press "Talk to a person" at the top, without JavaScript."""
    if visitor.page is None:
        visitor.open()
    return visitor.press_other_button("person/join", draft, **fields)


def updates_url(page: Page) -> str:
    return page.one("*[@id='leader']").get("data-updates")


def ask_for_updates(visitor: Visitor, page: Page, query: str = "") -> Any:
    """Send the request that the page's script sends every two seconds."""
    return visitor.client.get(updates_url(page) + query, **LIVE)


def events(page: Page) -> list[str]:
    return [" ".join(each.text_content().split()) for each in page.all("*[@data-entry]")]


def the_conversation() -> Conversation:
    return Conversation.objects.get()


def say(conversation: Conversation, member: TeamMember, text: str) -> None:
    conversation.write_message(member, uuid.uuid4(), text)


def leader(page: Page) -> str:
    return re.sub(r"\s+", " ", page.one("*[@id='leader']").text_content()).strip()
