"""Conversations: what was said, read as the visitor saw it."""

from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from webchat.models import Conversation, Turn


class ReadOnly:
    """What was said is read here, not written."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


class TurnInline(ReadOnly, admin.TabularInline):
    model = Turn
    fields = ("created_at", "message", "reply", "state", "code")
    can_delete = False
    show_change_link = False


@admin.register(Conversation)
class ConversationAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ("started_at", "bot", "surface", "turn_count", "ended_at")
    list_filter = ("bot", "surface", "started_at")
    search_fields = ("turns__message", "turns__reply")
    date_hierarchy = "started_at"
    ordering = ("-started_at",)
    fields = ("bot", "surface", "started_at", "ended_at")
    inlines = (TurnInline,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Conversation]:
        return super().get_queryset(request).select_related("bot").annotate(turn_count=Count("turns"))

    @admin.display(description=_("turns"), ordering="turn_count")
    def turn_count(self, conversation: Conversation) -> int:
        return conversation.turn_count
