"""Finds, exports and erases all data stored about one visitor."""

import re
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import or_
from typing import Any, Self

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_noop

from desk.access import audit
from desk.exports import downloads
from webchat.conversation.erasure import erase_conversations, erase_customer
from webchat.conversation.visitor_session import VISITOR, visitor_behind
from webchat.models import Allowance, Attachment, Conversation, Customer, Detail, Handover, Turn

EXPORTED = gettext_noop(
    "Exported a visitor’s data. Conversations: {}, messages: {}, requests for a person: {}, details about them: {}, "
    "addresses for a reply: {}, people: {}."
)
ERASED = gettext_noop(
    "Deleted a visitor’s data. Conversations: {}, messages: {}, requests for a person: {}, details about them: {}, "
    "addresses for a reply: {}, people: {}."
)
REFERENCE = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)


@dataclass(frozen=True)
class VisitorData:
    """The data of one visitor: what has this `Conversation.visitor`, and what was entered with these addresses."""

    visitor: str = ""
    customer: Customer | None = None
    emails: frozenset[str] = frozenset()

    @classmethod
    def of(cls, customer: Customer) -> Self:
        names = {customer.contact_email, customer.subject, customer.user.get_username() if customer.user else ""}
        return cls(customer.visitor, customer, frozenset(name for name in names if "@" in name))

    @property
    def conversations(self) -> QuerySet[Conversation]:
        return Conversation.objects.filter(self._is_own(""))

    @property
    def messages(self) -> QuerySet[Turn]:
        return Turn.objects.filter(conversation__in=self.conversations)

    @property
    def files(self) -> QuerySet[Attachment]:
        return Attachment.objects.filter(conversation__in=self.conversations)

    @property
    def requests(self) -> QuerySet[Handover]:
        theirs = Q(visitor__in=self._namesakes) | Q(conversation__visitor__in=self._namesakes)
        with_email = self._has_email("email") & ~theirs
        return Handover.objects.filter(self._is_own("") | self._is_own("conversation__") | with_email)

    @property
    def details(self) -> QuerySet[Detail]:
        """Return what was told about a visitor in any conversation in which one of the addresses was given.

        What came with a request for a person is part of that request.
        """
        with_email = self._of_others(self._has_email("details__text"), details__kind=Detail.Kind.EMAIL)
        return Detail.objects.filter(self._is_own("conversation__") | Q(conversation__in=with_email))

    @property
    def with_reply_email(self) -> QuerySet[Conversation]:
        """Return the conversations in which one of the addresses was left for a person's reply."""
        return self._of_others(self._has_email("reply_email"))

    @property
    def elsewhere(self) -> QuerySet[Conversation]:
        """Return other conversations in which one of the addresses was entered: they may be somebody else's."""
        entered = Q(handovers__in=self.requests) | Q(details__in=self.details) | Q(pk__in=self.with_reply_email)
        return Conversation.objects.filter(entered).exclude(self._is_own("")).distinct()

    @cached_property
    def _namesakes(self) -> list[str]:
        """Return the other customers with one of the addresses: what they entered is theirs."""
        others = Customer.objects.filter(self._has_email("email") | self._has_email("user__email"))
        return list(others.exclude(visitor=self.visitor).values_list("visitor", flat=True))

    def _is_own(self, to_visitor: str) -> Q:
        return Q(**{f"{to_visitor}visitor": self.visitor}) if self.visitor else Q(pk__in=())

    def _has_email(self, field: str) -> Q:
        return reduce(or_, (Q(**{f"{field}__iexact": email}) for email in self.emails), Q(pk__in=()))

    def _of_others(self, condition: Q, **more: object) -> QuerySet[Conversation]:
        return Conversation.objects.filter(condition, **more).exclude(visitor__in=self._namesakes)

    @property
    def is_empty(self) -> bool:
        return not any(self.counts)

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """Count conversations, messages, requests for a person, details, addresses for a reply, and customers."""
        rows = (self.conversations, self.messages, self.requests, self.details, self.with_reply_email)
        return (*(each.count() for each in rows), int(self.customer is not None))


def find(who: str) -> list[VisitorData]:
    """Find a visitor by the reference of a conversation, message or request, also in a URL; else customers by e-mail
    address, ID at your website or user name; else what was entered with an e-mail address.

    Several only if several customers fit: nobody's data is mixed with another's. An e-mail address in a request, among
    the details or for a reply proves nothing: anybody can enter it. It leads to these, but not to their conversation.
    """
    if found := by_reference(who):
        return found
    customers = Customer.objects.known_by_email(who) | Customer.objects.filter(Q(subject=who) | Q(user__username=who))
    if found := [VisitorData.of(customer) for customer in customers.order_by("pk")] if who else []:
        return found
    entered = VisitorData(emails=frozenset({who} if "@" in who else ()))
    return [] if entered.is_empty else [entered]


def by_reference(text: str) -> list[VisitorData]:
    """Look for a conversation first: the site makes its reference, but visitors' browsers make the others.

    A conversation may have been handed to somebody else since a request was sent.
    """
    if not (found := REFERENCE.search(text)):
        return []
    reference = uuid.UUID(found[0])
    rows = (
        Conversation.objects.filter(public_id=reference),
        Conversation.objects.filter(turns__key=reference),
        Conversation.objects.filter(handovers__key=reference),
        Handover.objects.filter(key=reference),
    )
    visitor = next((visitor for each in rows for visitor in each.values_list("visitor", flat=True)), "")
    if customer := Customer.objects.behind(visitor):
        return [VisitorData.of(customer)]
    return [VisitorData(visitor)] if visitor else []


def export(data: VisitorData, by: AbstractBaseUser) -> Iterator[str]:
    """Record who exports, and return one JSON document in pieces."""
    audit.record(by, Conversation, EXPORTED, *data.counts)
    return _as_json(data)


def files_of(data: VisitorData) -> Iterator[tuple[str, Iterable[bytes]]]:
    """Yield each file's path as the export names it, and its content in pieces; without those that are lost."""
    for attachment in data.files.iterator():
        try:
            file = attachment.file.open("rb")
        except FileNotFoundError:
            continue
        with file:
            yield attachment.file.name, file.chunks()


def erase(data: VisitorData, by: AbstractBaseUser) -> None:
    """Erase everything, and record who did. The team's accounts stay.

    The sessions end first, so that nothing more comes from them; requests before conversations, to which they refer.
    """
    counts = data.counts
    if data.visitor:
        _end_sessions(data.visitor)
    data.requests.delete()
    data.details.delete()
    data.with_reply_email.update(reply_email="")
    erase_conversations(data.conversations)
    Allowance.objects.filter(name=f"messages:{data.visitor}").delete()
    if data.customer:
        erase_customer(data.customer)
    audit.record(by, Conversation, ERASED, *counts, deleted=True)


def _end_sessions(visitor: str) -> None:
    """Delete the visitor's sessions, except one in which a team member who tried the chat is logged in at the desk.

    The visitor's name is stored in the session or is the hash of its key.
    """
    staff = {str(pk) for pk in User.objects.filter(is_staff=True).values_list("pk", flat=True)}
    ended = [
        session.pk
        for session in Session.objects.iterator()
        if (stored := session.get_decoded()).get(SESSION_KEY) not in staff
        and (stored.get(VISITOR) or visitor_behind(session.pk)) == visitor
    ]
    Session.objects.filter(pk__in=ended).delete()


def _as_json(data: VisitorData) -> Iterator[str]:
    requests = data.requests.select_related("bot", "conversation").prefetch_related("details")
    details = data.details.select_related("conversation")
    yield '{"people": '
    yield from downloads.json_array(_customer(customer) for customer in [data.customer] if customer)
    yield ',\n"requests": '
    yield from downloads.json_array(map(_request, requests.iterator(downloads.CHUNK)))
    yield ',\n"details": '
    yield from downloads.json_array(map(_detail, details.iterator()))
    yield ',\n"reply_emails": '
    yield from downloads.json_array(map(_reply_email, data.with_reply_email.iterator()))
    yield ',\n"conversations": '
    yield from downloads.json_lines(data.conversations)
    yield "}\n"


def _customer(customer: Customer) -> dict[str, Any]:
    account = customer.user and {
        "username": customer.user.get_username(),
        "joined": customer.user.date_joined.isoformat(),
    }
    return {"name": str(customer), "email": customer.contact_email, "subject": customer.subject, "account": account}


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
