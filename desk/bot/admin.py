"""The admin for bots: their list, and a form for each tab of one."""

from functools import cache
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import URLField
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from desk import trained_bots
from desk.access import guard, rights
from desk.bot import answers, language_model, previews, tabs, testing, words
from desk.bot.form import BotForm, ServiceForm
from desk.bot.pages import state_of, tab_context, tab_of
from desk.bot.summaries import folded, summaries_of
from desk.bot.teaser_rules import TeaserRuleInline
from desk.pages import problems_of
from desk.privacy import deleting
from webchat.models import Bot


@admin.register(Bot)
class BotAdmin(admin.ModelAdmin):
    add_title = _("Add a bot")
    change_form_template = "desk/bot.html"
    change_list_template = "desk/bots.html"
    list_display = ("name", "page", "upstream", "daily_budget")
    search_fields = ("name", "slug")
    readonly_fields = (tabs.SHADES,)
    actions = None  # bots are deleted one by one
    formfield_overrides = {
        URLField: {"widget": forms.URLInput(attrs={"class": "vURLField"})},
    }

    def get_urls(self) -> list[URLPattern]:
        def page(route: str, name: str, view: Any) -> URLPattern:
            allowed = require_http_methods(["GET", "HEAD", "POST"])(view)
            return path(route, self.admin_site.admin_view(allowed), name=name)

        return [
            *(page(f"<int:pk>/{tab.name}/", tab.page, self.tab_view) for tab in tabs.SETTINGS),
            page("<int:pk>/preview/<slug:surface>/", "desk_preview", previews.preview),
            page("<int:pk>/answers/", answers.PAGE, answers.answers),
            page("<int:pk>/model/", language_model.PAGE, language_model.language_model),
            page("shades/", "desk_shades", previews.shades),
            page("<int:pk>/test/", "desk_test", testing.test),
            *super().get_urls(),
        ]

    def tab_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        if language := request.GET.get("words"):
            return words.words(self, request, pk, language)
        return self.change_view(request, str(pk))

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        """Add each bot's state, for which those that answer for the bots are looked up once."""
        trained = cache(lambda: trained_bots.with_counts(rights.bots_of(request.user)))

        @admin.display(description=_("state"))
        def state(bot: Bot) -> SafeString:
            return format_html('<span class="state" data-state="{}">{}</span>', *state_of(bot, trained().get(bot.pk)))

        name, page, *others = super().get_list_display(request)
        return [name, page, state, *others]

    def get_fieldsets(self, request: HttpRequest, obj: Bot | None = None) -> Any:
        """Make the sections collapsible if there are several; Django expands those with an error."""
        sections = tab_of(request).fieldsets
        return [folded(obj, *section) for section in sections] if obj and len(sections) > 1 else sections

    def get_form(
        self, request: HttpRequest, obj: Bot | None = None, change: bool = False, **kwargs: Any
    ) -> type[BotForm]:
        if "answered_by" not in tab_of(request).fields:
            form = super().get_form(request, obj, change, form=BotForm, **kwargs)
            form.may_check_websites = request.user.has_perms(("docbot.add_trainedbot", "webchat.change_bot"))
            if obj and "suggestions" in tab_of(request).fields:
                trained = trained_bots.answering_for(obj)
                form.trained = trained if trained and rights.is_visible(request.user, trained) else None
                form.suggests = request.method == "GET" and "suggest" in request.GET
            return form
        form = super().get_form(request, obj, change, form=ServiceForm, **kwargs)
        form.owner = str(request.user.pk)
        form.choosable = rights.visible(request.user, trained_bots.available())
        form.may_make = trained_bots.is_possible() and request.user.has_perm("docbot.add_trainedbot")
        form.password_url = "" if guard.has_entered_password(request) else guard.password_url(request)
        return form

    def get_inlines(self, request: HttpRequest, obj: Bot | None) -> list[Any]:
        return [TeaserRuleInline] if obj and tab_of(request).page == "desk_bot_places" else []

    def get_prepopulated_fields(self, request: HttpRequest, obj: Bot | None = None) -> dict[str, Any]:
        return {} if obj else {"slug": ("name",)}

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], obj: Bot | None = None, **more: Any
    ) -> HttpResponse:
        form = context["adminform"].form
        context |= tab_context(request, obj, form)
        if form.suggests:
            none = _("The documents have no other headings that would be questions.")
            messages.info(request, _("Not saved yet.") if form.new_questions else none)
        for rules in context["inline_admin_formsets"]:
            context["problems"] += [problem for form in rules.forms for problem in problems_of(form)]
        if obj and tab_of(request) is tabs.OVERVIEW:
            context["summaries"] = summaries_of(request, obj)
        response = super().render_change_form(request, context, obj=obj, **more)
        request.webchat.policy = {"frame-src": "'self'"}  # the preview
        return response

    def save_related(self, request: HttpRequest, form: BotForm, formsets: list[Any], change: bool) -> None:
        super().save_related(request, form, formsets, change)
        first = tab_of(request).first_of(form.changed_data)
        changed = [f"#id_{first}"] if first else [f"#{each.prefix}-0" for each in formsets if each.has_changed()]
        form.instance.changed_at = next(iter(changed), "")  # response_change gets no form

    def response_change(self, request: HttpRequest, obj: Bot) -> HttpResponse:
        """Stay on the tab and scroll to the first change: a browser expands the section that the anchor is in."""
        self.message_user(request, _("Saved. Visitors see it at once."), messages.SUCCESS)
        return HttpResponseRedirect(request.path + obj.changed_at)

    def response_add(self, request: HttpRequest, obj: Bot, post_url_continue: str | None = None) -> HttpResponse:
        """Redirect to the upload of documents if the bot has none yet."""
        self.message_user(request, _("“%(bot)s” has been created. Its tabs say what is still missing.") % {"bot": obj})
        trained = trained_bots.answering_for(obj)
        is_empty = trained is not None and not trained.documents.exists()
        return HttpResponseRedirect(
            reverse(f"admin:{answers.PAGE}", args=[obj.pk]) if is_empty else tabs.OVERVIEW.url(obj)
        )

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        return deleting.count_deletions(self, request, objs)

    def render_delete_form(self, request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
        if trained := trained_bots.answering_for(context["object"]):
            sentence = _("The trained bot “%(bot)s” and its documents stay. Delete them under “All trained bots”.")
            context["note"] = sentence % {"bot": trained}
        return super().render_delete_form(request, context)

    def delete_model(self, request: HttpRequest, obj: Bot) -> None:
        obj.begin_deletion()

    @admin.display(description=_("shades derived from it"))
    def shades(self, bot: Bot) -> SafeString:
        """Show the colours derived from the accent and whether they were changed for contrast."""
        url = reverse("admin:desk_shades")
        return render_to_string("desk/_shades_box.html", {"url": url} | previews.shades_of(bot.accent))

    @admin.display(description=_("page"))
    def page(self, bot: Bot) -> SafeString:
        return format_html('<a href="{}">/chat/{}/</a>', bot.get_absolute_url(), bot.slug)

    @admin.display(description=_("service"))
    def upstream(self, bot: Bot) -> str:
        return bot.base_url or _("the site’s own")
