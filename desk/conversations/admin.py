"""The admin for conversations: search, read, export and delete; never edit."""

import uuid
from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import PAGE_VAR, ChangeList
from django.contrib.auth import get_permission_codename
from django.core.exceptions import PermissionDenied
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop, ngettext, pgettext_lazy
from django.views.decorators.http import require_POST, require_safe

from desk import trained_bots
from desk.access import audit
from desk.conversations.filters import BotFilter, CodeFilter, FeedbackFilter, OutcomeFilter
from desk.exports import downloads
from desk.language import moment
from desk.teaching.rights import may_teach
from desk.templatetags.desk import waited
from webchat.conversation.erasure import erase_conversations, erase_copies
from webchat.conversation.forms import MessageForm
from webchat.conversation.responses import private
from webchat.models import Conversation, Entry, Feedback, Turn
from webchat.models.conversations import word_search

MOST_TURNS = 500  # on one page; exports are complete
PAGES_AHEAD = 2  # that are counted and linked to; older conversations are found by filters
LAST_PAGE = 100
KINDS = {
    "failed": Q(state=Turn.State.FAILED),
    "person": Q(state=Turn.State.PERSON),
    "unknown": Q(outcome=Turn.Outcome.NOT_KNOWN),
    "unsure": Q(outcome=Turn.Outcome.NOT_SURE),
    "up": Q(feedback=Feedback.UP),
    "down": Q(feedback=Feedback.DOWN),
}
WRITERS = {"csv": downloads.as_csv, "json": downloads.as_json}


class CappedChangeList(ChangeList):
    """Read no further than the pages that are linked to, and count only the messages of this page's rows."""

    def get_results(self, request: HttpRequest) -> None:
        most = most_listed(request, self.list_per_page)
        found = list(self.queryset.values_list("pk", flat=True)[: most + 1])
        self.has_more = len(found) > most
        ordering = self.queryset.query.order_by
        self.queryset = with_first(Conversation.objects.filter(pk__in=found[:most])).order_by(*ordering)
        super().get_results(request)
        self.page_range = self.paginator.get_elided_page_range(self.page_num)
        self.result_list = with_counts(self.result_list)


def most_listed(request: HttpRequest, per_page: int) -> int:
    page = request.GET.get(PAGE_VAR, "")
    return per_page * (min(int(page) if page.isdecimal() else 1, LAST_PAGE) + PAGES_AHEAD)


def with_first(conversations: QuerySet[Conversation]) -> QuerySet[Conversation]:
    turns = Turn.objects.filter(conversation=OuterRef("pk")).order_by("pk")
    return conversations.select_related("bot").annotate(first=Subquery(turns.values("message")[:1]))


def with_counts(conversations: Iterable[Conversation]) -> list[Conversation]:
    """Set `counts`: how many messages of each kind.

    In one statement for all of them. Path not taken: a subquery for each, in which SQLite reads all failed messages.
    """
    rows = list(conversations)
    turns = Turn.objects.filter(conversation__in=rows).order_by().values("conversation")
    kinds = {name: Count("pk", filter=condition) for name, condition in KINDS.items()}
    counts = {row["conversation"]: row for row in turns.annotate(all=Count("pk"), **kinds)}
    for row in rows:
        row.counts = counts.get(row.pk, {})
    return rows


@admin.register(Conversation)
class ConversationAdmin(admin.ModelAdmin):
    change_list_template = "desk/conversations.html"
    change_form_template = "desk/conversation.html"
    list_display = ("first_message", "of_bot", "surface", "messages", "outcome", "feedback", "started")
    list_display_links = ("first_message",)
    list_filter = (BotFilter, "surface", OutcomeFilter, CodeFilter, FeedbackFilter, "started_at")
    list_select_related = ("bot",)
    list_per_page = 50
    show_full_result_count = False
    search_fields = ("turns__message",)  # only enables the search box, see get_search_results
    search_help_text = _("Finds words by their beginning in messages and replies, and a conversation’s reference")
    ordering = ("-started_at",)
    sortable_by = ("started",)
    fields = ("bot", "surface", "started_at", "ended_at")
    actions = ("export_csv", "export_json")

    def heading_of(self, conversation: Conversation) -> str:
        return Truncator(conversation.first or _("Conversation")).chars(80)

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_export_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(f"webchat.{get_permission_codename('export', self.opts)}")

    def get_urls(self) -> list[URLPattern]:
        export, seen = require_POST(self.export), require_safe(self.seen)
        return [
            path("export/<slug:kind>/", self.admin_site.admin_view(export), name="desk_export"),
            path("<int:pk>/seen/", self.admin_site.admin_view(seen), name="desk_seen"),
            *super().get_urls(),
        ]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Conversation], search_term: str
    ) -> tuple[QuerySet[Conversation], bool]:
        """Find conversations in which one turn or one message of a team member holds all the words, without a join."""
        words = search_term.split()
        if not words:
            return queryset, False
        if request.method == "GET":
            wanted = most_listed(request, self.list_per_page) + 1
            found = word_search.holding_in_first(search_term, queryset, wanted)
        else:  # an export or an action, which is for all of them
            found = word_search.holding(search_term)
        found |= word_search.in_one_of(Entry.objects.for_visitors(), search_term)
        return queryset.filter(found | by_reference(words[0]) if len(words) == 1 else found), False

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Conversation | None:
        conversation = super().get_object(request, object_id, from_field)
        return conversation and with_first(Conversation.objects.filter(pk=conversation.pk)).get()

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return CappedChangeList

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        may_export = self.has_export_permission(request)
        return super().changelist_view(request, {"may_export": may_export} | (extra_context or {}))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        conversation = self.get_object(request, object_id)
        context = extra_context or {}
        if conversation is not None:
            turns = list(conversation.turns.order_by("-pk")[: MOST_TURNS + 1])[::-1]
            trained_bot = trained_bots.answering_for(conversation.bot)
            context |= {"turns": turns[-MOST_TURNS:], "is_cut": len(turns) > MOST_TURNS}
            context["may_teach"] = may_teach(request, trained_bot)
        response = super().change_view(request, object_id, form_url, context)
        request.webchat.policy = {"frame-src": "'self'"}
        return response

    def delete_model(self, request: HttpRequest, obj: Conversation) -> None:
        erase_copies([obj.pk])
        super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Conversation]) -> None:
        erase_conversations(Conversation.objects.filter(pk__in=list(queryset.values_list("pk", flat=True))))

    def seen(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show the transcript in the visitors' templates, for a frame on the desk."""
        conversation = get_object_or_404(Conversation.objects.select_related("bot"), pk=pk)
        if not self.has_view_permission(request, conversation):
            raise PermissionDenied
        turns = list(conversation.turns.order_by("-pk")[:MOST_TURNS])[::-1]
        for turn in turns:
            turn.conversation = conversation
        context = {
            "bot": conversation.bot,
            "turns": turns,
            "entries": list(conversation.entries.for_visitors()),
            "form": MessageForm(),
            "surface": conversation.surface,
            "file_template": "desk/_file.html",
        }
        response = TemplateResponse(request, "desk/seen.html", context)
        request.webchat.frame_ancestors = ["'self'"]
        response.xframe_options_exempt = True
        return private(response)

    def export(self, request: HttpRequest, kind: str) -> HttpResponseBase:
        """Export all conversations that match the list's filters, taken from the URL."""
        if not self.has_export_permission(request):
            raise PermissionDenied
        if kind not in WRITERS:
            raise Http404
        listed = self.get_changelist_instance(request)
        return _export(request, listed.get_queryset(request), kind)

    @admin.display(description=_("first message"))
    def first_message(self, conversation: Conversation) -> SafeString:
        return format_html('<span dir="auto">{}</span>', Truncator(conversation.first or "–").chars(80))

    @admin.display(description=_("bot"))
    def of_bot(self, conversation: Conversation) -> str:
        return str(conversation.bot)

    @admin.display(description=_("messages"))
    def messages(self, conversation: Conversation) -> int:
        return conversation.counts.get("all", 0)

    @admin.display(description=_("outcome"))
    def outcome(self, conversation: Conversation) -> SafeString | str:
        """Return the most notable outcome: the first of these that occurs."""
        if failed := conversation.counts.get("failed"):
            return format_html(
                '<span class="bad">{}</span>',
                ngettext("%(number)d failed", "%(number)d failed", failed) % {"number": failed},
            )
        if conversation.counts.get("person"):
            return _("person")
        if conversation.counts.get("unknown"):
            return _("didn’t know")
        return _("not sure") if conversation.counts.get("unsure") else pgettext_lazy("a conversation", "answered")

    @admin.display(description=_("started"), ordering="started_at")
    def started(self, conversation: Conversation) -> SafeString:
        ago = _("%(time)s ago") % {"time": waited(conversation.started_at)}
        return format_html('<span title="{}">{}</span>', moment(conversation.started_at), ago)

    @admin.display(description=_("feedback"))
    def feedback(self, conversation: Conversation) -> str:
        up, down = conversation.counts.get("up"), conversation.counts.get("down")
        said = [
            (up, ngettext("%(number)d helpful", "%(number)d helpful", up or 0)),
            (down, ngettext("%(number)d not helpful", "%(number)d not helpful", down or 0)),
        ]
        return " · ".join(sentence % {"number": number} for number, sentence in said if number) or "–"

    @admin.action(description=_("Export as CSV"), permissions=["export"])
    def export_csv(self, request: HttpRequest, conversations: QuerySet[Conversation]) -> HttpResponseBase:
        return _export(request, conversations, "csv")

    @admin.action(description=_("Export as JSON"), permissions=["export"])
    def export_json(self, request: HttpRequest, conversations: QuerySet[Conversation]) -> HttpResponseBase:
        return _export(request, conversations, "json")


def by_reference(word: str) -> Q:
    """Match a conversation by its reference or by the key of one of its messages."""
    try:
        reference = uuid.UUID(word)
    except ValueError:
        return Q(pk__in=())
    return Q(public_id=reference) | Q(pk__in=Turn.objects.filter(key=reference).values("conversation"))


def _export(request: HttpRequest, conversations: QuerySet[Conversation], kind: str) -> HttpResponseBase:
    sentence = gettext_noop("Exported conversations as {}: {}.")
    audit.record(request.user, Conversation, sentence, kind.upper(), conversations.count())
    return WRITERS[kind](conversations)
