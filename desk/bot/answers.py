"""The tab "Answers": what a bot answers from. Shows the pages of docbot's trained bot inside the bot's own."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from desk import trained_bots
from desk.access import audit, rights
from desk.access.guard import is_id
from desk.bot.pages import ANSWERS as PAGE
from desk.bot.pages import bot_context, bot_for, bot_page
from docbot.dashboard import pages
from docbot.dashboard.bots import TrainedBotAdmin
from docbot.dashboard.forms import TryForm
from docbot.dashboard.training import forms_of
from docbot.endpoint import exchanges
from docbot.models import TrainedBot
from webchat.models import Bot
from webchat.models.team import MAY_ANSWER

NEW = "new"  # value of `trained`: a trained bot that is made for this bot
LAST = "desk_bot"  # in the session: the bot viewed last, as a trained bot may answer for several
NEEDED = ("docbot.change_trainedbot", "webchat.change_bot")


def answers(request: HttpRequest, pk: int) -> HttpResponse:
    """Show what the bot answers from (GET), or let a trained bot answer for it (POST)."""
    bot = bot_for(request, pk)
    if request.method == "POST":
        return _link(request, bot)
    if request.session.get(LAST) != bot.pk:
        request.session[LAST] = bot.pk
    trained = trained_bots.answering_for(bot) if request.user.has_perm("docbot.view_trainedbot") else None
    if trained and not rights.is_visible(request.user, trained):
        trained = None
    return bot_page(
        request,
        bot,
        "desk/answers.html",
        f"{_('Answers')} · {bot}",
        tab=PAGE,
        may_link=request.user.has_perms(NEEDED) and trained_bots.is_possible(),
        may_make=request.user.has_perm("docbot.add_trainedbot"),
        others=[other for other in rights.visible(request.user, trained_bots.available()) if other != trained],
        **(_of(request, bot, trained) if trained else {"trained": None}),
    )


def _of(request: HttpRequest, bot: Bot, trained: TrainedBot) -> dict[str, Any]:
    trained = TrainedBot.objects.with_counts().get(pk=trained.pk)
    return {
        **forms_of(trained),
        "trained": trained,
        "trained_tabs": pages.tabs(trained, _elsewhere(request, bot)),
        "may_change": request.user.has_perm("docbot.change_trainedbot"),
        "may_teach": request.user.has_perm(MAY_ANSWER),
        "try_form": TryForm(),
        "problem_count": trained.documents.exclude(problem="").count(),
        "model": exchanges.model_of(trained),
        "taught_count": trained.taught_answers.count(),
    }


def _elsewhere(request: HttpRequest, bot: Bot) -> pages.Tabs:
    """Return the pages that list what was said to the bot, in place of docbot's own list of the same messages."""
    shown = {}
    if request.user.has_perm(rights.MAY_READ):
        conversations = f"{reverse('admin:webchat_conversation_changelist')}?bot={bot.slug}"
        shown["chats"] = {"name": "chats", "title": _("Conversations"), "url": conversations}
    if request.user.has_perm(MAY_ANSWER):
        shown["teach"] = {"name": "teach", "title": _("Teach"), "url": f"{reverse('admin:teach')}?bot={bot.slug}"}
    return shown


def _link(request: HttpRequest, bot: Bot) -> HttpResponse:
    """Let the chosen trained bot answer for the bot, with a key that nobody sees."""
    given = request.POST.get("trained", "")
    may = [*NEEDED, "docbot.add_trainedbot"] if given == NEW else NEEDED
    if not request.user.has_perms(may) or not trained_bots.is_possible():
        raise PermissionDenied
    with transaction.atomic():
        if given == NEW:
            trained = trained_bots.make_for(bot)
        else:
            choosable = rights.visible(request.user, trained_bots.available())
            trained = get_object_or_404(choosable, pk=given if is_id(given) else None)
        trained_bots.link(bot, trained)
        bot.save(update_fields=["base_url", "sealed_key"])
    audit.record(request.user, bot, gettext_noop("Answered by the trained bot “{}” from now on."), trained)
    messages.success(request, _("“%(bot)s” now uses the trained bot “%(trained)s”.") % {"trained": trained, "bot": bot})
    return HttpResponseRedirect(reverse(f"admin:{PAGE}", args=[bot.pk]))


admin.site.unregister(TrainedBot)


@admin.register(TrainedBot)
class JoinedTrainedBotAdmin(TrainedBotAdmin):
    """docbot's pages of a trained bot, below the head of the bot that it answers for."""

    change_list_template = "desk/trained_bots.html"

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        """Add a column with the bots that each answers for; with none, only the owner's programs use it."""
        bots = list(rights.bots_of(request.user).filter(base_url="").order_by("name", "pk"))
        answered = trained_bots.answering(bots)

        @admin.display(description=_("used by"))
        def answers_for(trained: TrainedBot) -> str:
            return ", ".join(bot.name for bot in bots if answered.get(bot.pk) == trained.pk)

        name, *others = super().get_list_display(request)
        return [name, answers_for, *others]

    def render_delete_form(self, request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
        bots = list(Bot.objects.filter(base_url="").order_by("name", "pk"))
        answered = trained_bots.answering(bots)
        if names := [bot.name for bot in bots if answered.get(bot.pk) == context["object"].pk]:
            context["note"] = _("Without it, these bots can’t answer: %(bots)s.") % {"bots": ", ".join(names)}
        return super().render_delete_form(request, context)

    def frame(self, request: HttpRequest, trained: TrainedBot) -> dict[str, Any]:
        last = request.session.get(LAST)
        bot = trained_bots.answered_by(trained, last) if request.user.has_perm("webchat.view_bot") else None
        if bot is None:
            return {}
        answers_page = reverse(f"admin:{PAGE}", args=[bot.pk])
        return {
            "frame": "desk/_bot_title.html",
            "in_frame": bot_context(request, bot) | {"tab": PAGE, "here": answers_page},
            "elsewhere": _elsewhere(request, bot),
        }
