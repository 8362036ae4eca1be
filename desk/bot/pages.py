"""Context shared by the pages of one bot: tabs, state, embed code, previews and the summary of errors."""

import json
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from desk import trained_bots
from desk.bot.tabs import OVERVIEW, SETTINGS, WITH_FIELDS, Tab
from desk.pages import page, problems_of
from docbot.models import State, TrainedBot
from webchat import site
from webchat.models import Bot, BotWords, Surface, TeaserRule

ANSWERS = "desk_bot_answers"  # the page of docbot's trained bot, which has no fields of the bot


def state_of(bot: Bot, trained: TrainedBot | None) -> tuple[str, Any]:
    """Return the bot's state and how it is shown; `trained` is the trained bot that answers for it, if one does."""
    if not bot.switched_on:
        return "off", _("Switched off")
    if trained and trained.state != State.ONLINE:
        return trained.state.value, trained.state.label
    return ("online", _("Online")) if bot.is_open else ("closed", _("Closed now"))


def tab_of(request: HttpRequest) -> Tab:
    """Return the tab whose form is on the page; the overview's for pages without one."""
    return WITH_FIELDS.get(request.resolver_match.url_name, OVERVIEW)


def tab_context(request: HttpRequest, bot: Bot | None, form: ModelForm) -> dict[str, Any]:
    """Return the context of a tab's page. `errors` is Django's own message, which the summary replaces."""
    tab = tab_of(request)
    context = {"tab_title": tab.title, "problems": problems_of(form), "errors": [], "tab": tab.page}
    context["open_section"] = tab.section_of(tab.first_of(form.changed_data)) if form.is_bound else 0
    if bot is None:
        return context | {"title": tab.title}
    url = reverse("admin:desk_preview", args=[bot.pk, "surface"]).removesuffix("surface/")
    asks = f"?tab={tab.page}&words={request.GET['words']}" if request.GET.get("words") else f"?tab={tab.page}"
    context["previews"] = [
        {"label": capfirst(Surface(surface).label), "url": f"{url}{surface}/{asks}"} for surface in tab.surfaces
    ]
    context["urls_of_fields"] = json.dumps(urls_of_fields(bot, request.GET.get("words", "")))
    context["languages"] = languages_of(bot, tab)
    if tab.page == "desk_bot_places" and request.user.has_perm("kiosk.view_device"):
        context["kiosks"] = bot.kiosks.all()
    return context | bot_context(request, bot) | {"title": f"{tab.title} · {bot}"}


def urls_of_fields(bot: Bot, language: str) -> dict[str, str]:
    """Return the URL of each field of the bot's tabs, of its words in that language if it is one of the bot's."""
    words = f"?words={language}" if language in bot.more_languages else ""
    return {
        field: f"{tab.url(bot)}{words if field in tab.words else ''}#id_{field}"
        for tab in (OVERVIEW, *SETTINGS)
        for field in tab.model_fields
    }


def languages_of(bot: Bot, tab: Tab, here: str = "") -> list[dict[str, Any]]:
    """Return the links to the tab's words in each language, with what is missing; none for a bot with one language."""
    if not bot.more_languages or not tab.words:
        return []
    names = dict(settings.LANGUAGES)
    default = {"code": bot.language, "name": names.get(bot.language, _("Default")), "is_default": True}
    links = [default | {"url": tab.url(bot), "is_here": not here, "missing": 0}]
    for words in further_words(bot):
        code = words.language
        link = {"code": code, "name": names[code], "url": f"{tab.url(bot)}?words={code}", "is_here": code == here}
        links.append(link | {"missing": len(missing_on(tab, words))})
    return links


def further_words(bot: Bot) -> list[BotWords]:
    """Return the bot's words in each of its further languages, whether any are written or not."""
    written = {each.language: each for each in bot.translations.all()}
    return [written.get(code) or BotWords(bot=bot, language=code) for code in bot.more_languages]


def missing_on(tab: Tab, words: BotWords) -> list[str]:
    """Return the fields of the tab that aren't written in that language, with those of further teasers."""
    rules = words.bot.teaser_rules.all() if tab.page == "desk_bot_places" else ()
    return words.missing(tab.words) + [teaser_field(rule) for rule in rules if not rule.texts.get(words.language)]


def teaser_field(rule: TeaserRule) -> str:
    return f"teaser-{rule.pk}"


def bot_for(request: HttpRequest, pk: int, *, to_change: bool = False) -> Bot:
    """Return the bot, if the account may see it, or change it. Raises Http404, PermissionDenied."""
    bot, bots_admin = get_object_or_404(Bot, pk=pk), admin.site.get_model_admin(Bot)
    is_allowed = bots_admin.has_change_permission if to_change else bots_admin.has_view_permission
    if not is_allowed(request, bot):
        raise PermissionDenied
    return bot


def bot_page(
    request: HttpRequest, bot: Bot, template: str, title: str, status: int = 200, **context: object
) -> HttpResponse:
    """Show a page outside Django's admin, below the bot's name and tabs."""
    return page(request, template, title, status, **bot_context(request, bot) | context)


def bot_context(request: HttpRequest, bot: Bot) -> dict[str, Any]:
    """Return what the head of a bot's pages shows, and what its owner can copy."""
    here = site.url_for(request)
    state, label = state_of(bot, trained_bots.answering_for(bot))
    return {
        "bot": bot,
        "state": state,
        "state_label": label,
        "tabs": tabs(request, bot),
        "is_local": site.is_local(here),
        "page_url": here + bot.get_absolute_url(),
        "snippet": f'<script src="{here}{reverse("embed-script")}" data-bot="{bot.slug}" async></script>',
    }


def tabs(request: HttpRequest, bot: Bot) -> list[dict[str, str]]:
    """Return the tabs of the bot that this user may see."""
    may = request.user.has_perm
    shown = []
    if may("webchat.view_bot"):
        shown = [(tab.page, tab.title, tab.url(bot)) for tab in (OVERVIEW, *SETTINGS)]
        shown.insert(1, (ANSWERS, _("Answers"), reverse(f"admin:{ANSWERS}", args=[bot.pk])))
    if may("desk.view_tally"):
        shown.append(("insights", _("Insights"), f"{reverse('admin:insights')}?bot={bot.slug}"))
    return [{"name": name, "title": title, "url": url} for name, title, url in shown]
