"""Finds, exports and erases all data stored about one visitor."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import Any

from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Q, QuerySet

from desk.exports import downloads
from webchat.conversation.erasure import erase_conversations
from webchat.conversation.visitor_session import VISITOR, visitor_behind
from webchat.models import Allowance, Bot, Conversation, Detail, Handover, Person, Turn


@dataclass
class VisitorData:
    """The data of one visitor; `names` are the values of `Conversation.visitor`."""

    names: set[str] = field(default_factory=set)
    emails: set[str] = field(default_factory=set)
    people: list[Person] = field(default_factory=list)

    @property
    def conversations(self) -> QuerySet[Conversation]:
        return Conversation.objects.filter(Q(visitor__in=self.names) | Q(person__in=self.people))

    @property
    def requests(self) -> QuerySet[Handover]:
        return Handover.objects.filter(self._given_as("email") | Q(visitor__in=self.names))

    @property
    def details(self) -> QuerySet[Detail]:
        """Return what was told about a visitor in any conversation in which one of the addresses was given.

        What came with a request for a person is part of that request.
        """
        by_email = Q(conversation__details__kind=Detail.Kind.EMAIL) & self._given_as("conversation__details__text")
        return Detail.objects.filter(by_email | Q(conversation__in=self.conversations)).distinct()

    @property
    def with_reply_email(self) -> QuerySet[Conversation]:
        """Return anybody's conversations in which one of the addresses was left for a person's reply."""
        return Conversation.objects.filter(self._given_as("reply_email"))

    def _given_as(self, field: str) -> Q:
        return reduce(or_, (Q(**{f"{field}__iexact": email}) for email in self.emails), Q(pk__in=()))

    @property
    def is_empty(self) -> bool:
        rows = (self.conversations, self.requests, self.details, self.with_reply_email)
        return not self.people and not any(each.exists() for each in rows)

    @property
    def counts(self) -> tuple[int, ...]:
        """Count conversations, messages, requests for a person, details, addresses for a reply, and people."""
        messages = Turn.objects.filter(conversation__in=self.conversations)
        rows = (self.conversations, messages, self.requests, self.details, self.with_reply_email)
        return (*(each.count() for each in rows), len(self.people))


def find(who: str, bot: Bot | None = None) -> VisitorData:
    """Find a visitor by the reference of a conversation, message or request, by e-mail, or by a customer's `sub`.

    An e-mail address in a request, among the details or for a reply proves nothing: anybody can enter it. It leads to
    these, which name their conversation, but not to the conversation itself.
    """
    data = VisitorData()
    if reference := _as_reference(who):
        conversations = Q(public_id=reference) | Q(turns__key=reference) | Q(handovers__key=reference)
        known = Conversation.objects.filter(conversations).distinct().values_list("visitor", "person")
        data.names = {visitor for visitor, _ in known}
        data.names |= set(Handover.objects.filter(key=reference).values_list("visitor", flat=True))
        data.people = list(Person.objects.filter(pk__in=[person for _, person in known if person]))
    elif "@" in who and (people := list(Person.objects.known_by_email(who))):
        data.people, data.emails = people, {who}
    elif "@" in who:
        data.emails = {who}
    else:
        of_bot = {"bot": bot} if bot else {}
        data.people = list(Person.objects.filter(subject=who, **of_bot).exclude(subject=""))
    data.names |= {person.visitor for person in data.people}
    data.emails |= {person.contact_email for person in data.people if person.contact_email}
    return data


def as_json(data: VisitorData) -> Iterable[str]:
    """Yield one JSON document in pieces."""
    yield '{"people": '
    yield downloads.to_json([_person(person) for person in data.people])
    yield ',\n"requests": '
    yield downloads.to_json([_request(request) for request in data.requests.select_related("bot", "conversation")])
    yield ',\n"details": '
    yield downloads.to_json([_detail(detail) for detail in data.details.select_related("conversation")])
    yield ',\n"reply_emails": '
    yield downloads.to_json([_reply_email(conversation) for conversation in data.with_reply_email])
    yield ',\n"conversations": '
    yield from downloads.json_lines(data.conversations)
    yield "}\n"


def erase(data: VisitorData) -> None:
    """Erase everything, requests first because they refer to conversations. Staff accounts stay."""
    data.requests.delete()
    Detail.objects.filter(pk__in=list(data.details.values_list("pk", flat=True))).delete()
    data.with_reply_email.update(reply_email="")
    erase_conversations(data.conversations)
    with transaction.atomic():
        Allowance.objects.filter(name__in=[f"messages:{name}" for name in data.names]).delete()
        for person in data.people:
            if person.user and not person.user.is_staff:
                person.user.delete()  # and the person with it
            else:
                person.delete()
    _end_sessions(data.names)


def _end_sessions(names: set[str]) -> None:
    """Delete the visitors' sessions; a name is stored in the session or is the hash of its key."""
    ended = [
        session.pk
        for session in Session.objects.iterator()
        if (session.get_decoded().get(VISITOR) or visitor_behind(session.pk)) in names
    ]
    Session.objects.filter(pk__in=ended).delete()


def _as_reference(who: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(who)
    except ValueError:
        return None


def _person(person: Person) -> dict[str, Any]:
    account = person.user and {"username": person.user.get_username(), "joined": person.user.date_joined.isoformat()}
    return {"name": str(person), "email": person.contact_email, "subject": person.subject, "account": account}


def _request(request: Handover) -> dict[str, Any]:
    return {
        "request": str(request.key),
        "bot": request.bot.slug,
        "conversation": str(request.conversation.public_id) if request.conversation else None,
        "email": request.email,
        "message": request.message,
        "details": [{"question": each.label, "answer": each.text} for each in request.details.all()],
        "sent": request.created_at.isoformat(timespec="seconds"),
    }


def _detail(detail: Detail) -> dict[str, Any]:
    conversation = str(detail.conversation.public_id)
    return {"conversation": conversation, "question": detail.label, "answer": detail.text}


def _reply_email(conversation: Conversation) -> dict[str, Any]:
    return {"conversation": str(conversation.public_id), "email": conversation.reply_email}
