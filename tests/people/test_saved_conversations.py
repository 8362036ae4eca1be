"""Saved conversations and requests contain what the team wrote, and who wrote it."""

import datetime
import json
import uuid

import pytest
from django.utils import timezone

from desk.privacy.retention import delete_expired
from tests.attachments.files import PDF, upload
from tests.people.conftest import join, make_member
from webchat.attachments import content, storing
from webchat.models import Attachment, Bot, Channel, Conversation, Delivery, Entry, Handover, TeamMember, Turn
from webchat.notifications import payloads


@pytest.fixture
def kept(visitor, upstream, grace: TeamMember, settings, tmp_path) -> Conversation:
    """A conversation with the bot, with Grace, who sends a file, and with the bot again."""
    settings.MEDIA_ROOT = tmp_path
    Bot.objects.update(takes_files=True)
    visitor.send("Where is my order?")
    join(visitor)
    conversation = Conversation.objects.get()
    conversation.claim(grace)
    conversation.write_message(grace, uuid.uuid4(), "It is on its **way**.")
    conversation.write_note(grace, uuid.uuid4(), "A difficult customer")
    visitor.send("Thank you")
    storing.store_from_person(conversation, grace, uuid.uuid4(), "Your bill:", content.check(upload(PDF, "bill.pdf")))
    conversation.hand_over_to(grace, make_member("Bea"))
    conversation.hand_back(TeamMember.objects.get(name="Bea"))
    return conversation


def download(visitor, kind: str) -> str:
    return visitor.client.get(f"/chat/help/transcript.{kind}").content.decode()


SAID = (
    *("Where is my order?", "You said: Where is my order?", "You have asked for a person.", "Grace has joined."),
    *("Grace", "on its", "Thank you", "Grace", "Your bill:", "Grace sent a file: bill.pdf"),
    *("Bea has taken over.", "Bea has handed you back to Ada."),
)


def test_everything_is_in_its_place_with_its_author(visitor, kept):
    for text in (download(visitor, "txt"), download(visitor, "html")):
        place = -1
        for words in SAID:
            place = text.index(words, place + 1)
        assert "difficult" not in text
    data = json.loads(download(visitor, "json"))
    assert [turn["message"] for turn in data["turns"]] == ["Where is my order?", "Thank you"]
    told = [
        (each["after_turns"], each["kind"], each["team_member"], each["message"], each["file"]) for each in data["team"]
    ]
    assert told == [
        (1, "queued", None, None, None),
        (1, "joined", "Grace", None, None),
        (1, "message", "Grace", "It is on its **way**.", None),
        (2, "message", "Grace", "Your bill:", "bill.pdf"),
        (2, "handed_over", "Bea", None, None),
        (2, "handed_back", "Bea", None, None),
    ]


def test_a_conversation_without_a_message_of_the_visitor_can_be_saved(visitor, grace):
    join(visitor)
    conversation = Conversation.objects.get()
    conversation.claim(grace)
    conversation.write_message(grace, uuid.uuid4(), "Hello?")
    assert "Hello?" in download(visitor, "txt")


def test_a_request_with_the_conversation_contains_what_the_team_had_written_until_then(kept, grace):
    where = {"surface": "chat", "visitor": kept.visitor, "conversation": kept, "last_turn": kept.turns.last()}
    request = Handover.objects.create(bot=kept.bot, email="jo@example.com", message="Please call me.", **where)
    kept.claim(grace)
    kept.write_message(grace, uuid.uuid4(), "Said later")
    delivery = Delivery.objects.create(handover=request, channel=Channel.WEBHOOK)
    text = json.loads(payloads.body(delivery))["transcript"]
    assert "The visitor has asked for a person" in text  # said to somebody else
    assert "Grace sent a file: bill.pdf" in text
    assert "Said later" not in text
    assert "difficult" not in text


def test_a_conversation_is_kept_while_the_teams_last_message_is_recent(visitor, kept):
    long_ago = timezone.now() - datetime.timedelta(days=40)
    Bot.objects.update(retention_days=30)
    Conversation.objects.update(started_at=long_ago)
    Turn.objects.update(created_at=long_ago)
    delete_expired()
    assert Conversation.objects.exists()
    Entry.objects.update(created_at=long_ago)
    delete_expired()
    assert not Conversation.objects.exists()
    assert not Attachment.objects.exists()
