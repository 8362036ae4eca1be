"""The counts beside the navigation's entries: what is open, for those who see the entry."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from desk.access.rights import visible
from desk.teaching.questions import open_questions
from docbot.models import Document
from webchat.models import Alarm, Handover, Turn
from webchat.notifications import alarms

MOST_COUNTED = 100  # questions: counting stops there, to stay quick


@dataclass(frozen=True)
class Badge:
    number: int
    words: str

    @property
    def text(self) -> str:
        return f"{intcomma(self.number)}{'+' if self.number == MOST_COUNTED else ''}"


def open_requests(user: Any) -> int:
    return visible(user, Handover.objects.open()).count()


def questions_to_teach(user: Any) -> int:
    """Count what the page *Teach* lists; of the newest twice as many, as small talk is left out."""
    return len(open_questions(visible(user, Turn.objects.all()), most=2 * MOST_COUNTED)[:MOST_COUNTED])


def current_alarms(user: Any) -> dict[tuple[int, str], list[Alarm]]:
    """Return what is wrong now: by bot and cause the alarms about it, the newest first. Two statements."""
    raised: dict[tuple[int, str], list[Alarm]] = {}
    for alarm in alarms.current(visible(user, Alarm.objects.all())):
        raised.setdefault((alarm.bot_id, alarm.cause), []).append(alarm)
    return raised


def unread_documents(user: Any) -> int:
    return visible(user, Document.objects.exclude(problem="")).count()


# By the name of a model or a page: how it is counted, and what a screen reader says after the number.
COUNTED: dict[str, tuple[Callable[[Any], int], str]] = {
    "Handover": (open_requests, pgettext_lazy("a number", "open")),
    "teach": (questions_to_teach, pgettext_lazy("a number", "open")),
    "Alarm": (lambda user: len(current_alarms(user)), pgettext_lazy("a number", "open")),
    "Bot": (unread_documents, _("of their documents could not be read")),
}


def badge_of(user: Any, entry: str, known: dict[str, int]) -> Badge | None:
    """Return the badge of an entry; None if nothing is open. `known`: what has been counted already."""
    if entry not in COUNTED:
        return None
    count, words = COUNTED[entry]
    number = known[entry] if entry in known else count(user)
    return Badge(number, words) if number else None
