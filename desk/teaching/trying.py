"""Asks questions as the bot answers now and as it would with a new answer, and says what changes."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from docbot.answering.answers import Answer
from docbot.models import TaughtAnswer
from docbot.training.trial import Ask, trial
from outbound.deadline import Deadline

SECONDS = 20
SHOWN = 300  # characters of a reply


@dataclass(frozen=True)
class Change:
    """One question with the replies to it."""

    question: str
    before: Answer
    after: Answer

    @property
    def is_change(self) -> bool:
        """Return whether the reply changes: not if the bot only asks back about other headings."""
        is_answer = "sure" in (self.before.certainty, self.after.certainty)
        return self.before.text != self.after.text and (is_answer or self.before.certainty != self.after.certainty)

    @property
    def is_taught(self) -> bool:
        return self.after.is_taught and self.is_change


@dataclass
class Result:
    """What became of the cluster's questions, and which of the others would change."""

    asked: list[Change] = field(default_factory=list)
    changed: list[Change] = field(default_factory=list)
    others: int = 0  # how many of them were asked
    others_in_all: int = 0

    @property
    def is_whole(self) -> bool:
        return self.others == self.others_in_all

    @property
    def answered(self) -> int:
        """Return how many of the cluster's questions get the new answer."""
        return sum(change.after.is_taught for change in self.asked)


def run(taught: TaughtAnswer, questions: Iterable[str], others: list[str]) -> Result:
    """Ask all of them, as far as time allows. Raises IndexMissing."""
    deadline = Deadline(SECONDS)
    result = Result(others_in_all=len(others))
    with trial(taught) as (before, after):
        for question in questions:
            if not deadline.seconds_left():
                return result
            result.asked.append(_ask(question, before, after))
        for question in others:
            if not deadline.seconds_left():
                return result
            change = _ask(question, before, after)
            result.others += 1
            if change.is_change:
                result.changed.append(change)
    return result


def _ask(question: str, before: Ask, after: Ask) -> Change:
    return Change(question, before(question), after(question))
