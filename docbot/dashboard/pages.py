"""Shared by the pages of one bot: permissions, tabs and the state badge."""

from typing import Any

from django.contrib import admin
from django.contrib.admin import ModelAdmin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from docbot.models import TrainedBot


def get_bot(admin: ModelAdmin, request: HttpRequest, pk: int, *, to_change: bool = False) -> TrainedBot:
    """Return the bot if the user may view it (or change it). Raises Http404 or PermissionDenied."""
    bot = TrainedBot.objects.with_counts().filter(pk=pk).first()
    if bot is None:
        raise Http404
    allowed = admin.has_change_permission(request, bot) if to_change else admin.has_view_permission(request, bot)
    if not allowed:
        raise PermissionDenied
    return bot


def log(admin: ModelAdmin, request: HttpRequest, bot: TrainedBot, sentence: str, *names: str) -> None:
    """Record in the audit trail what was done. Isolated names stay as they are when the sentence is translated."""
    admin.log_change(request, bot, sentence.format(*(f"\u2068{name}\u2069" for name in names)))


def filtered_bot(request: HttpRequest, parameter: str) -> TrainedBot | None:
    """Return the bot that a list is filtered by, if any."""
    pk = request.GET.get(parameter, "")
    bots = admin.site.get_model_admin(TrainedBot).get_queryset(request)  # those that the account may see
    return bots.filter(pk=pk).first() if pk.isdecimal() and len(pk) < 19 else None


def tabs(bot: TrainedBot, elsewhere: dict[str, dict[str, str]] | None = None) -> list[dict[str, str]]:
    """Return the bot's tabs. `elsewhere`: by name, the title and URL of the site's own page in place of a tab's."""

    def listed(model: str, parameter: str = "trained_bot__id__exact") -> str:
        return f"{reverse(f'admin:docbot_{model}_changelist')}?{parameter}={bot.pk}"

    shown = (
        ("settings", _("Settings"), reverse("admin:docbot_trainedbot_change", args=[bot.pk])),
        ("documents", _("Documents"), listed("document")),
        ("try", _("Try it"), reverse("admin:docbot_try", args=[bot.pk])),
        ("keys", _("Keys"), reverse("admin:docbot_keys", args=[bot.pk])),
        ("chats", _("Chat history"), listed("chat")),
        ("unanswered", _("Unanswered"), listed("unknownquestion", "chat__trained_bot__id__exact")),
    )
    own = [{"name": name, "title": title, "url": url} for name, title, url in shown]
    return [{**tab, **(elsewhere or {}).get(tab["name"], {})} for tab in own]


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


def state_badge(bot: TrainedBot) -> SafeString:
    state = bot.state
    return format_html('<span class="state" data-state="{}">{}</span>', state.value, state.label)


def documents_url(bot: TrainedBot) -> str:
    return next(tab["url"] for tab in tabs(bot) if tab["name"] == "documents")
