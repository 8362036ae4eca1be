"""The admin for conversations: search, read, export and delete; never edit."""

import uuid
from http import HTTPStatus
from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop, ngettext, pgettext_lazy
from django.views.decorators.http import require_POST, require_safe

from desk.access import audit
from desk.access.rights import MAY_EXPORT
from desk.conversations import reading
from desk.conversations.filters import BotFilter, CodeFilter, FeedbackFilter, OutcomeFilter
from desk.conversations.listing import CappedChangeList, most_listed, with_first
from desk.exports import downloads
from desk.language import moment
from desk.templatetags.desk import waited
from webchat.conversation.erasure import erase_conversations, erase_copies
from webchat.conversation.forms import MessageForm
from webchat.conversation.responses import allow_frames, private
from webchat.models import Conversation, Entry, Turn
from webchat.models.conversations import word_search

FRAMES = {"frame-src": "'self'"}  # the transcript, as its visitor saw it
WRITERS = {"csv": downloads.as_csv, "json": downloads.as_json}


@admin.register(Conversation)
class ConversationAdmin(admin.ModelAdmin):
    change_list_template = "desk/conversations.html"
    change_form_template = "desk/conversation.html"
    list_display = ("first_message", "of_bot", "surface", "messages", "outcome", "feedback", "started")
    list_display_links = None
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
        if not hasattr(conversation, "first"):  # chosen in the list, to be deleted
            conversation = with_first(Conversation.objects.filter(pk=conversation.pk)).get()
        return Truncator(conversation.first or _("Conversation")).chars(80)

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_export_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(MAY_EXPORT)

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
        """Show the list, and beside it the conversation that the URL names; to htmx only that conversation."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        named = reading.taken_from(request)
        conversation = reading.find(self, request, named)
        context = (extra_context or {}) | reading.context_of(request, conversation)
        context |= {"is_named": bool(named), "may_export": self.has_export_permission(request)}
        if conversation is not None:
            context["heading"] = self.heading_of(conversation)
            context["may_delete"] = self.has_delete_permission(request, conversation)
        if request.htmx:
            context |= {"opts": self.opts, "preserved_filters": self.get_preserved_filters(request)}
            context["site_title"] = self.admin_site.site_title
            response = TemplateResponse(request, "desk/_reading.html", context)
        else:
            response = super().changelist_view(request, context)
            if conversation is not None and request.method == "POST" and not reading.find(self, request, named):
                return HttpResponseRedirect(f"{request.path}?{request.GET.urlencode()}")  # an action has deleted it
        if isinstance(response, TemplateResponse):
            if listed := response.context_data.get("cl"):
                reading.mark_rows(listed, request, conversation)
            if named and conversation is None and request.method != "POST":
                response.status_code = HTTPStatus.NOT_FOUND
        request.webchat.policy = FRAMES
        return response

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        conversation = self.get_object(request, object_id)
        context = extra_context or {}
        if conversation is not None:
            context |= reading.context_of(request, conversation)
        response = super().change_view(request, object_id, form_url, context)
        request.webchat.policy = FRAMES
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
        turns = list(conversation.turns.order_by("-pk")[: reading.MOST_TURNS])[::-1]
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
        response = private(TemplateResponse(request, "desk/seen.html", context))
        return allow_frames(request, response, ["'self'"])

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
        """Link to the conversation beside the list: `hx-boost` puts only that in place of the one read before."""
        return format_html(
            '<a id="row-{}" href="{}" hx-boost="true" dir="auto"{}>{}</a>',
            conversation.pk,
            conversation.reading_url,
            format_html(' aria-current="{}"', "true") if conversation.is_read else "",
            Truncator(conversation.first or "–").chars(80),
        )

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
        if conversation.has_person:
            return _("person")
        if conversation.counts.get("unknown"):
            return _("didn’t know")
        return _("not sure") if conversation.counts.get("unsure") else pgettext_lazy("a conversation", "answered")

    @admin.display(description=_("started"), ordering="started_at")
    def started(self, conversation: Conversation) -> SafeString:
        ago = _("%(time)s ago") % {"time": waited(conversation.started_at)}
        return format_html('<span title="{}">{}</span>', moment(conversation.started_at), ago)

    @admin.display(description=_("feedback"))
    def feedback(self, conversation: Conversation) -> SafeString | str:
        up, down = conversation.counts.get("up"), conversation.counts.get("down")
        said = [
            (up, ngettext("%(number)d helpful", "%(number)d helpful", up or 0)),
            (down, ngettext("%(number)d not helpful", "%(number)d not helpful", down or 0)),
        ]
        given = " · ".join(sentence % {"number": number} for number, sentence in said if number)
        return format_html("<span>{}</span>", given) if given else "–"

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
