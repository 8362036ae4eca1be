"""Saves, takes back and deletes taught answers, and records who did it."""

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from desk.access import audit
from desk.models import TaughtChange, TaughtTurn
from desk.teaching.forms import TeachForm
from docbot.models import TaughtAnswer
from docbot.training.launching import rebuild_index

Kind = TaughtChange.Kind
RECORDED = {
    Kind.TAUGHT: gettext_noop("Taught an answer."),
    Kind.CHANGED: gettext_noop("Changed a taught answer."),
    Kind.TAKEN_BACK: gettext_noop("Took a taught answer back."),
    Kind.AGAIN: gettext_noop("Taught an answer again."),
}


def save(user: AbstractUser, form: TeachForm, turns: set[int]) -> None:
    """Teach the form's answer; the questions of these turns are done with it."""
    taught = form.instance
    if form.changes_what_visitors_read:
        taught.author, taught.taught_at = _name_of(user), timezone.now()
    taught.is_draft = False
    with transaction.atomic():
        form.save()
        turns = turns | turns_of(taught)
        mark_done(turns, taught)
        _record_change(user, taught, form.kind)
    transaction.on_commit(lambda: rebuild_index(taught.trained_bot))


def take_back(user: AbstractUser, taught: TaughtAnswer) -> None:
    """Keep the answer as a draft, which the bot doesn't give; its questions are open again."""
    with transaction.atomic():
        TaughtAnswer.objects.filter(pk=taught.pk).update(is_draft=True)
        _record_change(user, taught, Kind.TAKEN_BACK)
    transaction.on_commit(lambda: rebuild_index(taught.trained_bot))


def delete(user: AbstractUser, draft: TaughtAnswer) -> None:
    audit.record(user, draft.trained_bot, gettext_noop("Deleted a draft of an answer."), deleted=True)
    draft.delete()


def mark_done(turns: set[int], taught: TaughtAnswer | None) -> None:
    """Take the questions of these turns off the list: `taught` answers them, or there is nothing to teach."""
    rows = [TaughtTurn(turn_id=turn, taught_answer=taught) for turn in sorted(turns)]
    TaughtTurn.objects.bulk_create(rows, update_conflicts=True, unique_fields=["turn"], update_fields=["taught_answer"])


def _record_change(user: AbstractUser, taught: TaughtAnswer, kind: Kind) -> None:
    TaughtChange.objects.create(taught_answer=taught, kind=kind, author=_name_of(user))
    audit.record(user, taught.trained_bot, RECORDED[kind])


def turns_of(taught: TaughtAnswer) -> set[int]:
    """Return the turns whose questions it was taught to."""
    return set(TaughtTurn.objects.filter(taught_answer=taught).values_list("turn", flat=True))


def _name_of(user: AbstractUser) -> str:
    return (user.get_full_name() or user.get_username())[:150]
