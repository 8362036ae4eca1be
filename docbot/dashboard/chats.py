"""The admin for the chat history and for unanswered questions."""

from datetime import datetime
from typing import Any

from django.contrib import admin
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator, capfirst
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop, pgettext

from docbot.dashboard.pages import context, filtered_bot
from docbot.models import Chat, Exchange, TrainedBot, UnknownQuestion

MOST_EXCHANGES = 500


class BotListMixin:
    """Admin mixin: a read-only list that, filtered by bot, appears among that bot's pages."""

    bot_parameter: str
    bot_column: str
    tab: str

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # training adds documents, and visitors add chats

    def has_change_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return False

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        bot = filtered_bot(request, self.bot_parameter)
        page = {"title": capfirst(self.model._meta.verbose_name_plural)} if bot is None else self.page(request, bot)
        return super().changelist_view(request, page | (extra_context or {}))

    def get_list_display(self, request: HttpRequest) -> list[str]:
        """Leave out the bot's column if the list is filtered by bot."""
        return [name for name in self.list_display if name != self.bot_column or self.bot_parameter not in request.GET]

    def page(self, request: HttpRequest, bot: TrainedBot, **more: Any) -> dict[str, Any]:
        bots_admin = self.admin_site.get_model_admin(TrainedBot)
        return context(bots_admin, request, bot, self.tab, **more) | {"opts": self.model._meta}


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
    bot_parameter = "trained_bot__id__exact"
    bot_column = "trained_bot"
    tab = "chats"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Chat]:
        exchanges = Exchange.objects.filter(chat=OuterRef("pk")).order_by("pk")
        count = exchanges.order_by().values("chat").annotate(number=Count("pk")).values("number")
        chats = super().get_queryset(request)
        return chats.annotate(first=Subquery(exchanges.values("message")[:1]), exchange_count=Subquery(count))

    @admin.display(description=_("first message"))
    def first_message(self, chat: Chat) -> str:
        return Truncator(chat.first or "–").chars(90)

    @admin.display(description=_("messages"), ordering="exchange_count")
    def message_count(self, chat: Chat) -> int:
        return chat.exchange_count or 0

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        chat = self.get_object(request, object_id)
        if chat is not None:
            bot = TrainedBot.objects.with_counts().get(pk=chat.trained_bot_id)
            exchanges = list(chat.exchanges.order_by("-pk")[:MOST_EXCHANGES])
            extra_context = self.page(request, bot, exchanges=exchanges[::-1])
        return super().change_view(request, object_id, form_url, extra_context)


class OpenFilter(admin.SimpleListFilter):
    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:
        return [("done", pgettext("unanswered questions", "Done")), ("all", _("All"))]

    def choices(self, changelist: Any) -> Any:
        first, *rest = super().choices(changelist)
        return [first | {"display": pgettext("unanswered questions", "Open")}, *rest]

    def queryset(self, request: HttpRequest, questions: QuerySet[UnknownQuestion]) -> QuerySet[UnknownQuestion]:
        chosen = {"done": questions.filter(done_at__isnull=False), "all": questions}
        return chosen.get(self.value(), questions.filter(done_at__isnull=True))


@admin.register(UnknownQuestion)
class UnknownQuestionAdmin(BotListMixin, admin.ModelAdmin):
    list_display = ("question", "bot", "created_at", "done_at", "more")
    list_display_links = None
    list_filter = (OpenFilter, "chat__trained_bot", "created_at")
    list_select_related = ("chat__trained_bot",)
    list_per_page = 50
    ordering = ("-pk",)
    search_fields = ("message",)
    actions = ("mark_done", "open_again")
    change_list_template = "docbot/admin/unanswered.html"
    bot_parameter = "chat__trained_bot__id__exact"
    bot_column = "bot"
    tab = "unanswered"

    def get_queryset(self, request: HttpRequest) -> QuerySet[UnknownQuestion]:
        return super().get_queryset(request).filter(certainty=Exchange.Certainty.UNKNOWN)

    def has_delete_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return False  # a part of a chat: the whole chat can be deleted

    def has_mark_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("docbot.change_unknownquestion")

    @admin.display(description=_("question"), ordering="message")
    def question(self, question: UnknownQuestion) -> SafeString:
        return format_html('<span class="question">{}</span>', Truncator(question.message).chars(300))

    @admin.display(description=_("bot"), ordering="chat__trained_bot")
    def bot(self, question: UnknownQuestion) -> TrainedBot:
        return question.chat.trained_bot

    @admin.display(description=_("more"))
    def more(self, question: UnknownQuestion) -> SafeString:
        chat = reverse("admin:docbot_chat_change", args=[question.chat_id])
        trial = reverse("admin:docbot_try", args=[question.chat.trained_bot_id], query={"question": question.pk})
        return format_html('<a href="{}">{}</a> · <a href="{}">{}</a>', chat, _("Chat"), trial, _("Try it"))

    @admin.action(description=_("Mark as done"), permissions=["mark"])
    def mark_done(self, request: HttpRequest, questions: QuerySet[UnknownQuestion]) -> None:
        self._mark(request, questions.filter(done_at=None), timezone.now(), gettext_noop("Marked as done."))

    @admin.action(description=_("Open again"), permissions=["mark"])
    def open_again(self, request: HttpRequest, questions: QuerySet[UnknownQuestion]) -> None:
        self._mark(request, questions.exclude(done_at=None), None, gettext_noop("Opened again."))

    def _mark(
        self, request: HttpRequest, questions: QuerySet[UnknownQuestion], done_at: datetime | None, sentence: str
    ) -> None:
        for question in questions:
            self.log_change(request, question, sentence)
        questions.update(done_at=done_at)
