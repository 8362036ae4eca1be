"""Shared by the pages of one bot: permissions, tabs, the context of their templates, and lists filtered by bot."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.contrib.admin import ModelAdmin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from docbot.models import TrainedBot

BY_BOT = "trained_bot__id__exact"  # the parameter of a list filtered by bot

Tabs = dict[str, dict[str, str]]  # by name: name, title and url


def get_bot(admin: ModelAdmin, request: HttpRequest, pk: int, *, to_change: bool = False) -> TrainedBot:
    """Return the bot if the user may view it (or change it). Raises Http404 or PermissionDenied."""
    bot = get_object_or_404(TrainedBot.objects.with_counts(), pk=pk)
    allowed = admin.has_change_permission(request, bot) if to_change else admin.has_view_permission(request, bot)
    if not allowed:
        raise PermissionDenied
    return bot


def log(admin: ModelAdmin, request: HttpRequest, bot: TrainedBot, sentence: str, *names: str) -> None:
    """Record in the audit trail what was done. Isolated names stay as they are when the sentence is translated."""
    admin.log_change(request, bot, sentence.format(*(f"\u2068{name}\u2069" for name in names)))


def translated(problem: str) -> str:
    """Return why a document can't be read in the reader's language; details in parentheses stay as they are."""
    reason, bracket, details = problem.partition(" (")
    return _(reason) + bracket + details


def tabs(bot: TrainedBot, elsewhere: Tabs | None = None) -> list[dict[str, str]]:
    """Return the bot's tabs. `elsewhere`: pages of the site, in place of the tab of the same name or after the tabs."""
    own = {
        "settings": (_("Settings"), reverse("admin:docbot_trainedbot_change", args=[bot.pk])),
        "documents": (_("Documents"), documents_url(bot)),
        "try": (_("Try it"), reverse("admin:docbot_try", args=[bot.pk])),
        "keys": (_("Keys"), reverse("admin:docbot_keys", args=[bot.pk])),
        "chats": (_("Chat history"), f"{reverse('admin:docbot_chat_changelist')}?{BY_BOT}={bot.pk}"),
    }
    shown = {name: {"name": name, "title": title, "url": url} for name, (title, url) in own.items()} | (elsewhere or {})
    return list(shown.values())


def context(admin: ModelAdmin, request: HttpRequest, bot: TrainedBot, tab: str, **more: Any) -> dict[str, Any]:
    frame = admin.frame(request, bot)
    return {
        **admin.admin_site.each_context(request),
        "opts": TrainedBot._meta,
        "title": bot.name,
        "bot": bot,
        "tabs": tabs(bot, frame.get("elsewhere")),
        "tab": "keys" if tab in frame.get("elsewhere", ()) else tab,  # its page leads there
        "may_change": admin.has_change_permission(request, bot),
        **frame,
        **more,
    }


def documents_url(bot: TrainedBot) -> str:
    return f"{reverse('admin:docbot_document_changelist')}?{BY_BOT}={bot.pk}"


def filtered_bot(request: HttpRequest) -> TrainedBot | None:
    pk = request.GET.get(BY_BOT, "")
    bots = admin.site.get_model_admin(TrainedBot).get_queryset(request)  # those that the account may see
    return bots.filter(pk=pk).first() if pk.isdecimal() and len(pk) < 19 else None


class BotListMixin:
    """Admin mixin: a read-only list that, filtered by bot, appears among that bot's pages, as do the pages of its rows.

    `shown` returns what the page of a row shows.
    """

    tab: str
    shown: Callable[[Any], dict[str, Any]]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # training adds documents, and visitors add chats

    def has_change_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return False

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        bot = filtered_bot(request)
        page = {"title": capfirst(self.model._meta.verbose_name_plural)} if bot is None else self.page(request, bot)
        return super().changelist_view(request, page | (extra_context or {}))

    def get_list_display(self, request: HttpRequest) -> list[str]:
        """Leave out the bot's column if the list is filtered by bot."""
        return [name for name in self.list_display if name != "trained_bot" or BY_BOT not in request.GET]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        row = self.get_object(request, object_id)
        if row is not None:
            bot = TrainedBot.objects.with_counts().get(pk=row.trained_bot_id)
            extra_context = self.page(request, bot, **self.shown(row))
        return super().change_view(request, object_id, form_url, extra_context)

    def page(self, request: HttpRequest, bot: TrainedBot, **more: Any) -> dict[str, Any]:
        bots_admin = self.admin_site.get_model_admin(TrainedBot)
        return context(bots_admin, request, bot, self.tab, **more) | {"opts": self.model._meta}
