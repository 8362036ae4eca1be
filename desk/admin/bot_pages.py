"""Context shared by the pages of one bot: tabs, state, embed code and previews."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from desk import trained_bots
from desk.admin import previews
from docbot.dashboard.pages import documents_url
from webchat.appearance.color_palette import READABLE, palettes
from webchat.models import Bot


def state_of(bot: Bot) -> tuple[str, str]:
    if not bot.switched_on:
        return "off", _("Switched off")
    return ("online", _("Open")) if bot.is_open else ("closed", _("Closed now"))


def shades_of(accent: str) -> dict[str, Any] | None:
    """Return the accent as entered and as shown on light and dark backgrounds; None without an accent."""
    if not accent:
        return None
    light, dark = palettes(accent)
    shown = [
        {"ground": _("on light ground"), "colour": light.accent, "change": _("darkened")},
        {"ground": _("on dark ground"), "colour": dark.accent, "change": _("lightened")},
    ]
    changed = [shade for shade in shown if shade["colour"] != accent.lower()]
    return {"accent": accent.lower(), "shown": shown, "changed": changed, "contrast": READABLE}


def bot_context(request: HttpRequest, bot: Bot | None) -> dict[str, Any]:
    name, arguments = ("admin:desk_preview", [bot.pk]) if bot else ("admin:desk_preview_new", [])
    context: dict[str, Any] = {
        "previews": [
            {"name": surface, "label": label, "address": reverse(name, args=[*arguments, surface])}
            for surface, label in previews.LABELS.items()
        ]
    }
    if bot:
        here = settings.SITE_URL or f"{request.scheme}://{request.get_host()}"
        state, label = state_of(bot)
        context |= {
            "bot": bot,
            "state": state,
            "state_label": label,
            "tabs": tabs(request, bot),
            "page_address": here + bot.get_absolute_url(),
            "snippet": f'<script src="{here}{reverse("embed-script")}" data-bot="{bot.slug}" async></script>',
        }
    return context


def tabs(request: HttpRequest, bot: Bot) -> list[dict[str, str]]:
    """Return the bot's pages that this user may see."""
    may = request.user.has_perm
    trained = trained_bots.answering_for(bot)
    answers = [("docbot.view_document", "answers", _("Answers"), documents_url(trained))] if trained else []
    pages = (
        ("webchat.view_bot", "settings", _("Settings"), reverse("admin:webchat_bot_change", args=[bot.pk])),
        *answers,
        (
            "webchat.view_conversation",
            "conversations",
            _("Conversations"),
            f"{reverse('admin:webchat_conversation_changelist')}?bot={bot.slug}",
        ),
        ("desk.view_tally", "insights", _("Insights"), f"{reverse('admin:insights')}?bot={bot.slug}"),
        ("webchat.change_bot", "test", _("Test this bot"), reverse("admin:desk_test", args=[bot.pk])),
    )
    return [{"name": name, "title": title, "address": address} for needs, name, title, address in pages if may(needs)]
