"""The admin for documents, with the forms that add more."""

from functools import partial
from typing import Any

from django.contrib import admin
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from docbot.dashboard.pages import BotListMixin, filtered_bot, translated
from docbot.dashboard.training import forms_of
from docbot.models import Document, Passage, count
from docbot.models.documents import language_name
from docbot.training.launching import rebuild_index

MOST_PASSAGES = 500


class ProblemFilter(admin.SimpleListFilter):
    title = _("problem")
    parameter_name = "problem"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:
        return [("yes", _("Could not be read")), ("no", _("None"))]

    def queryset(self, request: HttpRequest, documents: QuerySet[Document]) -> QuerySet[Document]:
        chosen = {"yes": documents.exclude(problem=""), "no": documents.filter(problem="")}
        return chosen.get(self.value(), documents)


@admin.register(Document)
class DocumentAdmin(BotListMixin, admin.ModelAdmin):
    list_display = ("name", "kind", "passage_count", "in_language", "trained_at")
    list_filter = ("trained_bot", "kind", ProblemFilter)
    list_select_related = ("trained_bot",)
    list_per_page = 50
    search_fields = ("title", "location")
    search_help_text = _("Title or location")
    fields = ("title",)  # the page shows more than fields
    change_list_template = "docbot/admin/documents.html"
    change_form_template = "docbot/admin/document.html"
    tab = "documents"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Document]:
        return super().get_queryset(request).annotate(passage_count=count(Passage.objects.all(), "document"))

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        bot = filtered_bot(request)
        return super().changelist_view(request, forms_of(bot) if bot else None)

    def shown(self, document: Document) -> dict[str, Any]:
        return {"language": self.in_language(document), "passages": document.passages.all()[:MOST_PASSAGES]}

    @admin.display(description=_("document"), ordering="title")
    def name(self, document: Document) -> SafeString:
        file = document.location.rpartition("/")[2]
        where = file if document.kind == Document.Kind.UPLOAD else document.url or document.location
        return format_html(
            '<span class="name">{}</span><span class="where">{}</span><span class="problem">{}</span>',
            document.title or file or where,
            where,
            capfirst(translated(document.problem)),
        )

    @admin.display(description=_("passages"), ordering="passage_count")
    def passage_count(self, document: Document) -> str:
        return f"{document.passage_count:,}"

    @admin.display(description=_("language"), ordering="language")
    def in_language(self, document: Document) -> str:
        return language_name(document.language) or "–"

    def delete_model(self, request: HttpRequest, obj: Document) -> None:
        self._forget(request, [obj])

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Document]) -> None:
        self._forget(request, list(queryset.select_related("trained_bot")))

    def _forget(self, request: HttpRequest, documents: list[Document]) -> None:
        for document in documents:
            document.forget()
        for bot in {document.trained_bot for document in documents}:
            transaction.on_commit(partial(rebuild_index, bot))
        if any(document.kind != Document.Kind.UPLOAD for document in documents):
            self.message_user(
                request,
                _("Documents that are still in their folder or on their website come back with the next training."),
            )
