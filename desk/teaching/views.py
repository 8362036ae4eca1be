"""The list of what to teach, a question with the form for its answer, and taking an answer back."""

from collections.abc import Iterable
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from desk import trained_bots
from desk.access import audit
from desk.access.rights import MAY_EXPORT
from desk.exports import spreadsheets
from desk.models import TaughtTurn
from desk.statistics.counting import normalize
from desk.teaching import questions, trying
from desk.teaching.clusters import Cluster, clusters
from desk.teaching.forms import TeachForm
from desk.teaching.rights import bots_for, may_teach
from docbot.answering.answers import Answer
from docbot.endpoint import exchanges
from docbot.endpoint.errors import BotUnavailable
from docbot.models import Exchange, TaughtAnswer, TrainedBot
from docbot.retrieval.index import IndexMissing
from docbot.training.launching import rebuild_index
from webchat.conversation.responses import private
from webchat.models import Bot, Turn

MOST_SHOWN = 50  # clusters, and taught answers
MOST_REPLIES = 5
MOST_FOUND = 3
HEAD = ("cluster", "times", "question", "asked", "reason", "conversation")


@require_safe
def show_list(request: HttpRequest) -> HttpResponse:
    bots = list(bots_for(request).order_by("name", "pk"))
    bot = next((bot for bot in bots if bot.slug == request.GET.get("bot")), bots[0] if bots else None)
    found = clusters(questions.to_teach(bot)) if bot else []
    trained_bot = trained_bots.answering_for(bot) if bot else None
    taught = trained_bot.taught_answers.select_related("document")[:MOST_SHOWN] if trained_bot else []
    return _page(
        request,
        "desk/teaching/list.html",
        _("To teach"),
        bots=bots,
        bot=bot,
        clusters=found[:MOST_SHOWN],
        more=len(found) - MOST_SHOWN,
        trained_bot=trained_bot,
        taught=taught,
        is_training=trained_bot is not None and any(run.is_running for run in trained_bot.runs.all()[:1]),
        may_export=request.user.has_perm(MAY_EXPORT),
    )


@require_safe
def questions_as_csv(request: HttpRequest) -> StreamingHttpResponse:
    bot = get_object_or_404(bots_for(request), slug=request.GET.get("bot", ""))
    if not request.user.has_perm(MAY_EXPORT):
        raise PermissionDenied
    audit.record(request.user, bot, "Exported the questions to teach.")
    rows = (
        (number, cluster.size, one.text, one.asked_at.isoformat(timespec="minutes"), str(one.reason), one.conversation)
        for number, cluster in enumerate(clusters(questions.to_teach(bot)), start=1)
        for one in cluster.questions
    )
    return spreadsheets.csv_response(f"to-teach-{bot.slug}.csv", HEAD, rows)


@require_http_methods(["GET", "HEAD", "POST"])
def question(request: HttpRequest, turn: int) -> HttpResponse:
    """Show the cluster that a question is in; try an answer, or save it."""
    bot, cluster = _cluster(request, turn)
    trained_bot = trained_bots.answering_for(bot)
    if trained_bot is None or not may_teach(request, trained_bot):
        if request.method == "POST":
            raise PermissionDenied
        return _question_page(request, bot, cluster, trained_bot)
    if request.method != "POST" or "draft" in request.POST or "reply" in request.POST:
        text, sentence = _proposal(request, cluster, trained_bot) if request.method == "POST" else ("", "")
        form = TeachForm.proposed(trained_bot, cluster.wordings, text)
        return _question_page(request, bot, cluster, trained_bot, form=form, sentence=sentence)
    form = TeachForm(trained_bot, request.POST)
    if not form.is_valid():
        return _question_page(request, bot, cluster, trained_bot, 422, form=form)
    if "save" in request.POST and form.was_tried:
        return _save(request, bot, cluster, form)
    return _try(request, bot, cluster, form)


@require_POST
def done(request: HttpRequest, turn: int) -> HttpResponse:
    """Take the questions of a cluster off the list: there is nothing to teach."""
    bot, cluster = _cluster(request, turn)
    trained_bot = trained_bots.answering_for(bot)
    if trained_bot and not may_teach(request, trained_bot):
        raise PermissionDenied
    _mark(cluster.turns, None, trained_bot)
    audit.record(request.user, bot, "Took questions off the list of what to teach.")
    messages.success(request, _("Taken off the list."))
    return _to_list(bot)


@require_POST
def take_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Forget a taught answer; its questions are open again."""
    taught = get_object_or_404(TaughtAnswer.objects.select_related("trained_bot"), pk=pk)
    bot = bots_for(request).filter(slug=request.POST.get("bot", "")).first()
    if bot is None or trained_bots.answering_for(bot) != taught.trained_bot:
        raise Http404
    if not may_teach(request, taught.trained_bot):
        raise PermissionDenied
    audit.record(request.user, taught.trained_bot, "Took a taught answer back.")
    turns = set(TaughtTurn.objects.filter(taught_answer=taught).values_list("turn", flat=True))
    questions.keep_docbots_list(taught.trained_bot, turns, is_done=False)
    taught.delete()
    transaction.on_commit(lambda: rebuild_index(taught.trained_bot))
    messages.success(request, _("Taken back. The bot will soon answer as before."))
    return _to_list(bot)


def _cluster(request: HttpRequest, turn: int) -> tuple[Bot, Cluster]:
    """Return the cluster, if the account may read its bots: every look-up starts here. Raises Http404."""
    asked = get_object_or_404(Turn.objects.select_related("conversation"), pk=turn)
    bot = get_object_or_404(bots_for(request), pk=asked.conversation.bot_id)
    for cluster in clusters(questions.to_teach(bot)):
        if turn in cluster.turns:
            return bot, cluster
    raise Http404


def _proposal(request: HttpRequest, cluster: Cluster, trained_bot: TrainedBot) -> tuple[str, str]:
    """Return a text for the answer, and a sentence if there is none: a person's reply, or the model's draft."""
    if "reply" in request.POST:
        texts = {str(entry.pk): text for entry, text in questions.replies_of_people(cluster.turns)}
        return texts.get(request.POST["reply"], ""), ""
    try:
        said = exchanges.compose_reply(trained_bot, cluster.wordings[0], [])
    except BotUnavailable:
        return "", _("The model gave no draft.")
    is_draft = said.via == Exchange.Via.MODEL and said.answer.certainty != "unknown"
    return (said.answer.text, "") if is_draft else ("", _("The model found nothing to draft from."))


def _try(request: HttpRequest, bot: Bot, cluster: Cluster, form: TeachForm) -> HttpResponse:
    asked = dict.fromkeys([*form.instance.phrasings, *cluster.wordings])
    others = questions.others(bot, cluster.turns | _open_turns(bot, asked))
    try:
        result = trying.run(form.instance, asked, others)
    except IndexMissing:
        sentence = _("This bot is not trained yet: train it first.")
        return _question_page(request, bot, cluster, form.instance.trained_bot, 409, form=form, sentence=sentence)
    form.data = form.data.copy()
    form.data["tried"] = form.proof
    return _question_page(request, bot, cluster, form.instance.trained_bot, form=form, result=result)


def _save(request: HttpRequest, bot: Bot, cluster: Cluster, form: TeachForm) -> HttpResponse:
    trained_bot = form.instance.trained_bot
    form.instance.author = (request.user.get_full_name() or request.user.get_username())[:150]
    with transaction.atomic():
        taught = form.save()
        _mark(cluster.turns | _open_turns(bot, taught.phrasings), taught, trained_bot)
        audit.record(request.user, trained_bot, "Taught an answer.")
    transaction.on_commit(lambda: rebuild_index(trained_bot))
    messages.success(request, _("Saved. The bot is being trained, and will soon answer with it."))
    return _to_list(bot)


def _open_turns(bot: Bot, wordings: Iterable[str]) -> set[int]:
    """Return the turns with one of these wordings that are to be taught, in whatever cluster."""
    asked = set(map(normalize, wordings))
    return {one.turn for one in questions.to_teach(bot) if normalize(one.text) in asked}


def _mark(turns: set[int], taught: TaughtAnswer | None, trained_bot: TrainedBot | None) -> None:
    rows = [TaughtTurn(turn_id=turn, taught_answer=taught) for turn in sorted(turns)]
    TaughtTurn.objects.bulk_create(rows, ignore_conflicts=True)
    if trained_bot:
        questions.keep_docbots_list(trained_bot, turns, is_done=True)


def _found(trained_bot: TrainedBot | None, cluster: Cluster) -> Answer | None:
    try:
        return exchanges.quote(trained_bot, cluster.wordings[0], []) if trained_bot else None
    except BotUnavailable:
        return None


def _question_page(
    request: HttpRequest, bot: Bot, cluster: Cluster, trained_bot: TrainedBot | None, status: int = 200, **more: Any
) -> HttpResponse:
    found = _found(trained_bot, cluster)
    replies = list(questions.replies_of_people(cluster.turns))[:MOST_REPLIES]
    context = {
        "bot": bot,
        "cluster": cluster,
        "trained_bot": trained_bot,
        "found": found,
        "hits": found.hits[:MOST_FOUND] if found else (),
        "said": Turn.objects.get(pk=cluster.newest.turn).reply,
        "replies": replies,
        "may_draft": trained_bot is not None and exchanges.model_of(trained_bot) is not None,
    }
    return _page(request, "desk/teaching/question.html", cluster.wordings[0][:80], status, **context | more)


def _page(request: HttpRequest, template: str, title: str, status: int = 200, **context: object) -> HttpResponse:
    may = may_teach(request, context.get("trained_bot"))
    everywhere = admin.site.each_context(request) | {"title": title, "may_teach": may}
    return private(TemplateResponse(request, template, everywhere | context, status=status))


def _to_list(bot: Bot) -> HttpResponse:
    return HttpResponseRedirect(f"{reverse('admin:teach')}?bot={bot.slug}", status=303)
