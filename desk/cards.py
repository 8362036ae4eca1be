"""The cards of the overview and of a bot's page: a few items, each with links to where it can be fixed."""

import datetime
from dataclasses import dataclass, field

from django.contrib.humanize.templatetags.humanize import intcomma
from django.http import HttpRequest
from django.urls import reverse


@dataclass(frozen=True)
class Link:
    label: str
    url: str


@dataclass(frozen=True)
class Item:
    """A sentence, a detail, and the links to where it can be fixed. `level`: "bad", "warn" or ""."""

    text: str
    more: str = ""
    links: list[Link] = field(default_factory=list)
    level: str = ""
    since: datetime.datetime | None = None  # since when somebody has been waiting
    share: int | None = None  # drawn as a meter, in per cent


@dataclass(frozen=True)
class Card:
    """`name` is its id on the page. `is_to_do`: somebody should do something about it."""

    name: str
    title: str
    items: list[Item]
    links: list[Link] = field(default_factory=list)
    is_to_do: bool = True


def link(request: HttpRequest, permission: str, label: str, page: str, *args: object, more: str = "") -> list[Link]:
    """Return the link to a page of the desk; none if the account may not open it. `more` is appended to the URL."""
    if not request.user.has_perm(permission):
        return []
    return [Link(label, reverse(f"admin:{page}", args=args) + more)]


def counted(sentence: str, number: int, **words: object) -> str:
    """Fill in a sentence's `%(number)s`, with thousands separators."""
    return sentence % {"number": intcomma(number), **words}
