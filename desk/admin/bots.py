"""The admin for bots: list, form with a preview, and links to each bot's other pages."""

from functools import partial
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import URLPattern, path
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from desk import access
from desk.admin import previews, testing
from desk.admin.bot_form import BotForm
from desk.admin.bot_pages import bot_context, shades_of, state_of
from webchat.models import Bot


@admin.register(Bot)
class BotAdmin(admin.ModelAdmin):
    form = BotForm
    change_form_template = "desk/bot.html"
    list_display = ("name", "page", "state", "upstream", "key", "daily_budget", "retention_days")
    search_fields = ("name", "slug")
    prepopulated_fields = {"slug": ("name",)}
    readonly_fields = ("shades",)
    save_on_top = False
    fieldsets = (
        (None, {"fields": ("name", "slug", "language", "switched_on")}),
        (_("Words"), {"fields": ("greeting", "suggestions", "contact", "privacy_note", "consent")}),
        (_("Looks"), {"fields": ("accent", "shades", "face", "logo")}),
        (
            _("On other websites"),
            {
                "fields": (
                    *("origins", "launcher_icon", "launcher_label", "launcher_position"),
                    *("teaser", "teaser_after"),
                )
            },
        ),
        (_("The bot’s service"), {"fields": ("answered_by", "base_url", "new_key", "forget_key")}),
        (_("Limits"), {"fields": ("daily_budget", "asks_for_proof", "retention_days")}),
        (
            _("Hours"),
            {"fields": ("hours", "time_zone", "closed", "closed_notice", "answers_when_closed")},
        ),
        (
            _("People"),
            {
                "fields": (
                    *("people_answer", "takes_files", "queue_minutes", "offers_person_when_not_known"),
                    *("offers_person_after_thumbs_down", "offers_person_after_failures"),
                    "offers_person_when_asked_for",
                )
            },
        ),
        (
            _("Reaching people"),
            {
                "fields": (
                    *("in_portal", "handover", "handover_email", "handover_next"),
                    *("webhook_url", "new_webhook_secret", "forget_webhook_secret", "alarm_email"),
                )
            },
        ),
    )

    def get_urls(self) -> list[URLPattern]:
        def page(address: str, name: str, view: Any) -> URLPattern:
            allowed = require_http_methods(["GET", "HEAD", "POST"])(partial(view, self))
            return path(address, self.admin_site.admin_view(allowed), name=f"desk_{name}")

        return [
            page("add/preview/<slug:surface>/", "preview_new", previews.preview),
            page("<int:pk>/preview/<slug:surface>/", "preview", previews.preview),
            page("<int:pk>/test/", "test", testing.test),
            *super().get_urls(),
        ]

    def get_form(
        self, request: HttpRequest, obj: Bot | None = None, change: bool = False, **kwargs: Any
    ) -> type[BotForm]:
        form = super().get_form(request, obj, change, **kwargs)
        form.password_url = "" if access.has_entered_password(request) else access.password_url(request)
        return form

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], obj: Bot | None = None, **more: Any
    ) -> HttpResponse:
        response = super().render_change_form(request, context | bot_context(request, obj), obj=obj, **more)
        request.webchat.policy = {"frame-src": "'self'"}  # the preview
        return response

    @admin.display(description=_("shades made of it"))
    def shades(self, bot: Bot) -> SafeString:
        """Show the colours derived from the accent and whether they were changed for contrast."""
        return render_to_string("desk/_shades.html", {"shades": shades_of(bot.accent)})

    @admin.display(description=_("page"))
    def page(self, bot: Bot) -> SafeString:
        return format_html('<a href="{}">/chat/{}/</a>', bot.get_absolute_url(), bot.slug)

    @admin.display(description=_("state"))
    def state(self, bot: Bot) -> SafeString:
        state, label = state_of(bot)
        return format_html('<span class="state" data-state="{}">{}</span>', state, label)

    @admin.display(description=_("service"))
    def upstream(self, bot: Bot) -> str:
        return bot.base_url or _("the site’s own")

    @admin.display(description=_("key"))
    def key(self, bot: Bot) -> str:
        return _("its own") if bot.sealed_key else _("the site’s own")
