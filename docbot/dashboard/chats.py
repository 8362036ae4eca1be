"""The admin for the chat history."""

from typing import Any

from django.contrib import admin
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from docbot.dashboard.pages import BotListMixin
from docbot.models import Chat, Exchange, count

MOST_EXCHANGES = 500


@admin.register(Chat)
class ChatAdmin(BotListMixin, admin.ModelAdmin):
    list_display = ("first_message", "trained_bot", "message_count", "last_used_at")
    list_filter = ("trained_bot", "last_used_at", "exchanges__certainty")
    list_select_related = ("trained_bot",)
    search_fields = ("exchanges__message", "exchanges__reply", "chat_id")
    search_help_text = _("Words of a message or a reply")
    fields = ("chat_id",)  # the page shows a transcript
    change_list_template = "docbot/admin/chats.html"
    change_form_template = "docbot/admin/chat.html"
    tab = "chats"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Chat]:
        messages = Exchange.objects.filter(chat=OuterRef("pk")).order_by("pk").values("message")
        chats = super().get_queryset(request)
        return chats.annotate(first=Subquery(messages[:1]), exchange_count=count(Exchange.objects.all(), "chat"))

    @admin.display(description=_("first message"))
    def first_message(self, chat: Chat) -> str:
        return Truncator(chat.first or "–").chars(90)

    @admin.display(description=_("messages"), ordering="exchange_count")
    def message_count(self, chat: Chat) -> int:
        return chat.exchange_count

    def shown(self, chat: Chat) -> dict[str, Any]:
        return {"exchanges": reversed(chat.exchanges.order_by("-pk")[:MOST_EXCHANGES])}
