"""Filters of the conversation list. None of them joins, so that it stays fast with a million turns."""

from django.contrib import admin
from django.contrib.admin import ModelAdmin
from django.db.models import QuerySet
from django.http import HttpRequest

from desk import rights
from desk.models import Tally
from webchat.models import Conversation, Feedback, Turn

Choices = list[tuple[str, str]]


class BotFilter(admin.SimpleListFilter):
    title = "bot"
    parameter_name = "bot"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> Choices:
        return list(rights.bots_of(request.user).order_by("name").values_list("slug", "name"))

    def queryset(self, request: HttpRequest, conversations: QuerySet[Conversation]) -> QuerySet[Conversation]:
        return conversations.filter(bot__slug=self.value()) if self.value() else conversations


class TurnFilter(admin.SimpleListFilter):
    """Base class: conversations with at least one matching turn."""

    def turns(self, value: str) -> QuerySet[Turn]:
        raise NotImplementedError

    def queryset(self, request: HttpRequest, conversations: QuerySet[Conversation]) -> QuerySet[Conversation]:
        if not self.value():
            return conversations
        return conversations.filter(pk__in=self.turns(self.value()).order_by().values("conversation"))


class StateFilter(TurnFilter):
    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> Choices:
        return [
            ("failed", "With a failed message"),
            ("waiting", "With a message without outcome"),
            ("answered", "All answered"),
        ]

    def queryset(self, request: HttpRequest, conversations: QuerySet[Conversation]) -> QuerySet[Conversation]:
        if self.value() == "answered":
            unanswered = Turn.objects.exclude(state=Turn.State.ANSWERED).order_by()
            return conversations.exclude(pk__in=unanswered.values("conversation"))
        return super().queryset(request, conversations)

    def turns(self, value: str) -> QuerySet[Turn]:
        if value == "waiting":
            return Turn.objects.filter(state__in=(Turn.State.PENDING, Turn.State.ASKING))
        return Turn.objects.filter(state=Turn.State.FAILED)


class CodeFilter(TurnFilter):
    title = "code"
    parameter_name = "code"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> Choices:
        tallies = rights.visible(request.user, Tally.objects.all())
        counted = tallies.filter(measure=Tally.Measure.FAILED).order_by("name").values_list("name", flat=True)
        return [(code, code) for code in counted.distinct() if code]

    def turns(self, value: str) -> QuerySet[Turn]:
        return Turn.objects.filter(state=Turn.State.FAILED, code=value)


class FeedbackFilter(TurnFilter):
    title = "feedback"
    parameter_name = "feedback"

    def lookups(self, request: HttpRequest, model_admin: ModelAdmin) -> Choices:
        return [("up", "Helpful"), ("down", "Not helpful")]

    def turns(self, value: str) -> QuerySet[Turn]:
        thumb = Feedback.UP if value == "up" else Feedback.DOWN
        return Turn.objects.filter(feedback_at__isnull=False, feedback=thumb)
