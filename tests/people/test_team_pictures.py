"""The picture of a team member, beside what they have written."""

import uuid
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile

from tests.people.conftest import join, make_member, say, the_conversation
from tests.webchat.visitor import Visitor
from webchat.models import TeamMember


@pytest.fixture
def grace(settings: Any, tmp_path: Path, grace: TeamMember) -> TeamMember:
    settings.MEDIA_ROOT = tmp_path
    grace.picture.save("grace.webp", ContentFile(b"RIFF"))
    return grace


def answers_for_no_bot(member: TeamMember) -> None:
    member.all_bots = False
    member.save()


def is_served(visitor: Visitor, url: str) -> bool:
    response = visitor.client.get(url)
    if response.streaming:
        assert response.getvalue() == b"RIFF"
    return response.status_code == 200


def test_beside_a_persons_messages_is_their_picture_also_when_they_no_longer_answer(visitor, grace):
    join(visitor)
    conversation = the_conversation()
    conversation.claim(grace)
    say(conversation, grace, "Hello")
    conversation.hand_over_to(grace, make_member("Bea"))
    answers_for_no_bot(grace)
    (url,) = visitor.open().one("*[@data-kind='message']").xpath(".//h3/img/@src")
    assert is_served(visitor, url)
    grace.picture.delete()
    assert visitor.open().one("*[@data-kind='message']").xpath(".//h3/span")[0].text == "G"


def test_the_picture_of_somebody_who_has_written_notes_at_most_is_not_served(visitor, grace):
    join(visitor)
    url = f"/chat/help/person/{grace.pk}.webp"
    assert is_served(visitor, url)
    answers_for_no_bot(grace)
    assert not is_served(visitor, url)
    the_conversation().write_note(grace, uuid.uuid4(), "Only for the team")
    assert not is_served(visitor, url)
