"""The list of what to teach, and a question with the form for its answer."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from desk import trained_bots
from desk.access import audit
from desk.access.rights import MAY_EXPORT
from desk.exports import spreadsheets
from desk.models import TaughtTurn
from desk.teaching import changing, questions
from desk.teaching.clusters import Cluster, clusters
from desk.teaching.forms import TeachForm
from desk.teaching.pages import open_turns, page, redirect_to_list, try_answer
from desk.teaching.rights import bots_for, chosen_bot, may_teach
from docbot.answering.answers import Answer
from docbot.endpoint import exchanges
from docbot.endpoint.errors import ChatError
from docbot.models import Exchange, TaughtAnswer, TrainedBot
from webchat.models import Bot, Turn

MOST_SHOWN = 50  # clusters
MOST_REPLIES = 5
MOST_FOUND = 3
HEAD = ("cluster", "times", "question", "asked", "reason", "conversation")


@require_safe
def show_list(request: HttpRequest) -> HttpResponse:
    bots, bot = chosen_bot(request)
    found = clusters(questions.as_questions(bot.open_questions)) if bot else []
    trained_bot = trained_bots.answering_for(bot) if bot else None
    return page(
        request,
        "desk/teaching/list.html",
        _("Teach"),
        bots=bots,
        bot=bot,
        clusters=found[:MOST_SHOWN],
        count=sum(cluster.size for cluster in found),
        more=len(found) - MOST_SHOWN,
        trained_bot=trained_bot,
        tab="open",
        may_export=request.user.has_perm(MAY_EXPORT),
    )


@require_safe
def questions_as_csv(request: HttpRequest) -> StreamingHttpResponse:
    bot = get_object_or_404(bots_for(request), slug=request.GET.get("bot", ""))
    if not request.user.has_perm(MAY_EXPORT):
        raise PermissionDenied
    audit.record(request.user, bot, gettext_noop("Exported the open questions."))
    rows = (
        (number, cluster.size, one.text, one.asked_at.isoformat(timespec="minutes"), one.reason, one.conversation)
        for number, cluster in enumerate(clusters(questions.to_teach(questions.turns_of(bot))), start=1)
        for one in cluster.questions
    )
    return spreadsheets.csv_response(f"to-teach-{bot.slug}.csv", HEAD, rows)


@require_http_methods(["GET", "HEAD", "POST"])
def question(request: HttpRequest, turn: int) -> HttpResponse:
    """Show the cluster that a question is in; try an answer, or save it. One that is taught leads to its answer."""
    bot, cluster = _cluster(request, turn)
    taught = TaughtTurn.objects.filter(turn=turn, taught_answer__is_draft=False).first()
    if taught:
        return redirect("admin:teach_answer", taught.taught_answer_id)
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
    status, shown = try_answer(bot, form, cluster.wordings, cluster.turns)
    return _question_page(request, bot, cluster, trained_bot, status, **shown)


@require_POST
def done(request: HttpRequest, turn: int) -> HttpResponse:
    """Take the questions of a cluster off the list: there is nothing to teach."""
    bot, cluster = _cluster(request, turn)
    if not cluster.is_open:
        raise Http404
    trained_bot = trained_bots.answering_for(bot)
    if trained_bot and not may_teach(request, trained_bot):
        raise PermissionDenied
    changing.mark_done(cluster.turns, None)
    audit.record(request.user, bot, gettext_noop("Took questions off the list of open questions."))
    messages.success(request, _("Taken off the list."))
    return redirect_to_list(bot)


def _cluster(request: HttpRequest, turn: int) -> tuple[Bot, Cluster]:
    """Return the cluster, if the account may read its bots: every look-up starts here. Raises Http404.

    What was answered is a cluster of its own: the reply may be wrong, though it isn't on the list.
    """
    asked = get_object_or_404(Turn.objects.select_related("conversation"), pk=turn)
    bot = get_object_or_404(bots_for(request), pk=asked.conversation.bot_id)
    for cluster in clusters(questions.to_teach(questions.turns_of(bot))):
        if turn in cluster.turns:
            return bot, cluster
    if asked.state != Turn.State.ANSWERED:
        raise Http404
    return bot, Cluster(questions.as_questions([(asked, "answered")]), is_open=False)


def _proposal(request: HttpRequest, cluster: Cluster, trained_bot: TrainedBot) -> tuple[str, str]:
    """Return a text for the answer, and a sentence if there is none: a person's reply, or the model's draft."""
    if "reply" in request.POST:
        texts = {str(entry.pk): text for entry, text in questions.replies_of_people(cluster.turns)}
        return texts.get(request.POST["reply"], ""), ""
    try:
        said = exchanges.compose_reply(trained_bot, cluster.wordings[0], [])
    except ChatError:
        return "", _("The model gave no draft.")
    is_draft = said.via == Exchange.Via.MODEL and said.answer.certainty != "unknown"
    return (said.answer.text, "") if is_draft else ("", _("The model found nothing to draft from."))


def _save(request: HttpRequest, bot: Bot, cluster: Cluster, form: TeachForm) -> HttpResponse:
    changing.save(request.user, form, cluster.turns | open_turns(bot, form.done))
    messages.success(request, _("Saved. The bot is being trained, and will soon answer with it."))
    return redirect_to_list(bot)


def _taught_before(cluster: Cluster) -> QuerySet:
    """Return the keys of the answers that were taught to these questions and taken back."""
    return TaughtTurn.objects.filter(turn__in=cluster.turns).values("taught_answer")


def _found(trained_bot: TrainedBot | None, cluster: Cluster) -> Answer | None:
    try:
        return exchanges.quote(trained_bot, cluster.wordings[0], []) if trained_bot else None
    except ChatError:
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
        "drafts": TaughtAnswer.objects.filter(is_draft=True, pk__in=_taught_before(cluster)),
        "may_draft": trained_bot is not None and exchanges.model_of(trained_bot) is not None,
    }
    return page(request, "desk/teaching/question.html", cluster.wordings[0][:80], status, **context | more)
