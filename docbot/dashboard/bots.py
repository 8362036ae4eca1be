"""The admin for trained bots: list, settings, and the URLs of their other pages."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import DateTimeField, Field, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from docbot.dashboard import keys, training, trying
from docbot.dashboard.pages import context, documents_url, get_bot
from docbot.models import TrainedBot
from docbot.models.documents import language_name
from docbot.retrieval.stopwords import STOP_WORDS

# Chosen in one field, of the browser's own, instead of the admin's two.
CHOOSE_TIME = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")


@admin.register(TrainedBot)
class TrainedBotAdmin(admin.ModelAdmin):
    add_title = _("Add a trained bot")
    list_display = ("name", "state", "documents", "trained_at")
    search_fields = ("name", "slug")
    prepopulated_fields = {"slug": ("name",)}
    fieldsets = (
        (None, {"fields": (("name", "slug"), "language", "enabled")}),
        (_("Trial and limit"), {"fields": (("trial_ends_at", "credits"),)}),
    )
    formfield_overrides = {DateTimeField: {"form_class": forms.DateTimeField, "widget": CHOOSE_TIME}}
    change_form_template = "docbot/admin/bot.html"
    change_list_template = "docbot/admin/bots.html"

    def frame(self, request: HttpRequest, bot: TrainedBot) -> dict[str, Any]:
        """Return what stands above the bot's pages instead of its name: a template as `frame`, and its `in_frame`.

        `elsewhere` names the site's own pages in place of some tabs', as `pages.tabs` takes them.
        """
        return {}

    def formfield_for_dbfield(self, db_field: Field, request: HttpRequest, **options: Any) -> forms.Field | None:
        if db_field.name != "language":
            return super().formfield_for_dbfield(db_field, request, **options)
        known = sorted(((code, language_name(code)) for code in STOP_WORDS), key=lambda each: each[1].casefold())
        choices = [("", _("Found in the documents")), *known]
        return forms.ChoiceField(label=capfirst(db_field.verbose_name), choices=choices, required=False)

    def get_queryset(self, request: HttpRequest) -> QuerySet[TrainedBot]:
        return super().get_queryset(request).with_counts()

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return super().changelist_view(request, {"title": _("Trained bots")} | (extra_context or {}))

    def get_urls(self) -> list[URLPattern]:
        def page(route: str, name: str, view: Callable[..., HttpResponse], *methods: str) -> URLPattern:
            def of_bot(request: HttpRequest, pk: int, **more: int) -> HttpResponse:
                to_change = request.method == "POST" and view is not trying.try_out
                return view(self, request, get_bot(self, request, pk, to_change=to_change), **more)

            shown = self.admin_site.admin_view(require_http_methods(methods or ["POST"])(of_bot))
            return path(f"<int:pk>/{route}", shown, name=f"docbot_{name}")

        form_page = ("GET", "HEAD", "POST")
        return [
            page("try/", "try", trying.try_out, *form_page),
            page("upload/", "upload", training.upload),
            page("website/", "website", training.add_website),
            page("train/", "train", training.train_again),
            page("again/", "again", training.choose_reading_again),
            page("forget/", "forget_origin", training.forget_origin),
            page("stop/", "stop", training.stop),
            page("training/", "training", training.progress, "GET"),
            page("keys/", "keys", keys.list_keys, *form_page),
            page("keys/<int:key_pk>/revoke/", "revoke_key", keys.revoke),
            *super().get_urls(),
        ]

    @admin.display(description=_("state"))
    def state(self, bot: TrainedBot) -> SafeString:
        return format_html('<span class="state" data-state="{}">{}</span>', bot.state.value, bot.state.label)

    @admin.display(description=_("documents"), ordering="document_count")
    def documents(self, bot: TrainedBot) -> SafeString:
        return format_html('<a href="{}">{}</a>', documents_url(bot), f"{bot.document_count:,}")

    @admin.display(description=_("trained"), ordering="trained_at")
    def trained_at(self, bot: TrainedBot) -> Any:
        return bot.trained_at

    def render_change_form(
        self, request: HttpRequest, shown: dict[str, Any], obj: TrainedBot | None = None, **more: Any
    ):
        if obj is not None:
            bot = TrainedBot.objects.with_counts().get(pk=obj.pk)
            shown |= context(self, request, bot, "settings", has_key=bot.api_keys.valid().exists())
        return super().render_change_form(request, shown, obj=obj, **more)

    def response_add(self, request: HttpRequest, obj: TrainedBot, post_url_continue: str | None = None) -> HttpResponse:
        if "_addanother" in request.POST or "_popup" in request.POST:
            return super().response_add(request, obj, post_url_continue)
        messages.success(request, _("%(bot)s was created. Now add documents for it to answer from.") % {"bot": obj})
        return redirect(documents_url(obj))
