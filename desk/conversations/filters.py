"""Filters of the conversation list. None of them joins, so that it stays fast with a million turns."""

from django.contrib import admin
from django.contrib.admin import ModelAdmin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from desk import failures
from desk.access import rights
from desk.models import Tally
from webchat.models import Conversation, Entry, Feedback, Turn

Choices = list[tuple[str, str]]
NOT_ANSWERED = (Turn.State.FAILED, Turn.State.PENDING, Turn.State.ASKING)
UNSURE = (Turn.Outcome.NOT_KNOWN, Turn.Outcome.NOT_SURE)


class BotFilter(admin.SimpleListFilter):
    title = _("bot")
    parameter_name = "bot"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> Choices:
        return list(rights.bots_of(request.user).order_by("name").values_list("slug", "name"))

    def queryset(self, request: HttpRequest, conversations: QuerySet[Conversation]) -> QuerySet[Conversation]:
        return conversations.filter(bot__slug=self.value()) if self.value() else conversations


class TurnFilter(admin.SimpleListFilter):
    """Base class: conversations with at least one matching turn, or entry."""

    def turns(self, value: str) -> QuerySet[Turn] | QuerySet[Entry]:
        raise NotImplementedError

    def queryset(self, request: HttpRequest, conversations: QuerySet[Conversation]) -> QuerySet[Conversation]:
        if not self.value():
            return conversations
        return conversations.filter(pk__in=self.turns(self.value()).order_by().values("conversation"))


class OutcomeFilter(TurnFilter):
    """Each outcome is read from an index alone: `turns_by_outcome`, `unsure_turns`."""

    title = _("outcome")
    parameter_name = "outcome"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> Choices:
        return [
            ("answered", _("All answered")),
            ("not_sure", _("Not sure")),
            ("not_known", _("Didn’t know")),
            ("failed", _("Failed")),
            # Translators: a person answered or was asked for
            ("person", _("Person")),
            ("waiting", _("No outcome yet")),
        ]

    def queryset(self, request: HttpRequest, conversations: QuerySet[Conversation]) -> QuerySet[Conversation]:
        if self.value() == "answered":
            turns = Turn.objects.order_by().values("conversation")
            with_a_person = Entry.objects.with_a_person().values("conversation")
            others = [turns.filter(state__in=NOT_ANSWERED), *(turns.filter(outcome=outcome) for outcome in UNSURE)]
            for each in (with_a_person, *others):  # one by one: SQLite finds no index for `outcome IN (…)`
                conversations = conversations.exclude(pk__in=each)
            return conversations
        return super().queryset(request, conversations)

    def turns(self, value: str) -> QuerySet[Turn] | QuerySet[Entry]:
        match value:
            case "not_sure" | "not_known":
                return Turn.objects.filter(outcome=value)
            case "person":
                return Entry.objects.with_a_person()
            case "waiting":
                return Turn.objects.filter(state__in=(Turn.State.PENDING, Turn.State.ASKING))
        return Turn.objects.filter(state=Turn.State.FAILED)


class CodeFilter(TurnFilter):
    title = _("cause")
    parameter_name = "code"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> Choices:
        tallies = rights.visible(request.user, Tally.objects.all())
        counted = tallies.filter(measure=Tally.Measure.FAILED).order_by("name").values_list("name", flat=True)
        return [(code, failures.describe(code)) for code in counted.distinct() if code]

    def turns(self, value: str) -> QuerySet[Turn]:
        return Turn.objects.filter(state=Turn.State.FAILED, code=value)


class FeedbackFilter(TurnFilter):
    title = _("feedback")
    parameter_name = "feedback"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> Choices:
        return [("up", _("Helpful")), ("down", _("Not helpful"))]

    def turns(self, value: str) -> QuerySet[Turn]:
        thumb = Feedback.UP if value == "up" else Feedback.DOWN
        return Turn.objects.filter(feedback_at__isnull=False, feedback=thumb)
