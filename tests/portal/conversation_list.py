"""A customer's list of conversations, and the queries that it takes."""

import datetime
import re

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.portal.conftest import PAGE, customer
from tests.webchat.visitor import Page, Visitor
from webchat.models import Bot, Conversation, Turn


def listed(customer: Visitor, query: str = "") -> list[str]:
    """Return the titles on the list."""
    return titles(Page(customer.client.get(f"/portal/{query}")))


def titles(page: Page) -> list[str]:
    return [link.text_content() for link in page.all("li[@data-conversation]//div/a")]


def url_of(conversation: Conversation) -> str:
    return f"{PAGE}{conversation.public_id}/"


def make_conversations(name: str, count: int, bot: Bot, **fields: object) -> list[Conversation]:
    """Store this many conversations, the last one the newest, each with a message and its reply."""
    who, now = customer(name), timezone.now()
    conversations = Conversation.objects.bulk_create(
        Conversation(
            visitor=who.visitor,
            customer=who,
            bot=bot,
            surface="portal",
            is_present=False,
            last_at=now - datetime.timedelta(minutes=count - number),
            **fields,
        )
        for number in range(count)
    )
    Turn.objects.bulk_create(
        Turn(conversation=each, message=f"Question {number}", reply=f"Answer {number}", state="answered", ended_at=now)
        for number, each in enumerate(conversations)
    )
    return conversations


def queries(customer: Visitor, path: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert customer.client.get(path).status_code == 200
    return len([each for each in captured if not re.match("BEGIN|COMMIT|SAVEPOINT|RELEASE", each["sql"])])
