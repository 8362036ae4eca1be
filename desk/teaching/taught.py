"""The list of taught answers and drafts, one of them to change, and taking it back."""

from collections.abc import Iterator

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from desk import trained_bots
from desk.statistics.counting import normalize
from desk.teaching import changing
from desk.teaching.forms import TeachForm
from desk.teaching.pages import open_turns, page, redirect_to_list, try_answer
from desk.teaching.rights import bots_for, chosen_bot, may_teach
from docbot.models import TaughtAnswer, TrainedBot
from docbot.training.taught import fingerprint_of
from webchat.models import Bot

ON_A_PAGE = 50


@require_safe
def show_list(request: HttpRequest) -> HttpResponse:
    bots, bot = chosen_bot(request)
    if bot is None:
        raise Http404
    trained_bot = trained_bots.answering_for(bot)
    if trained_bot is None:
        return redirect_to_list(bot)  # another bot was chosen, which another service trains
    sought = request.GET.get("q", "").strip()
    found = [answer for answer in _answers_of(trained_bot) if _has(answer, sought)]
    shown = Paginator(found, ON_A_PAGE).get_page(request.GET.get("page"))
    return page(
        request,
        "desk/teaching/taught.html",
        _("Taught"),
        bots=bots,
        bot=bot,
        trained_bot=trained_bot,
        tab="taught",
        sought=sought,
        shown=shown,
    )


@require_http_methods(["GET", "HEAD", "POST"])
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a taught answer or a draft; try another text, or teach it."""
    bot, taught = _taught(request, pk)
    may = may_teach(request, taught.trained_bot)
    if request.method != "POST":
        return _answer_page(request, bot, taught, form=TeachForm(taught.trained_bot, instance=taught) if may else None)
    if not may:
        raise PermissionDenied
    before = taught.phrasings
    form = TeachForm(taught.trained_bot, request.POST, instance=taught)
    if not form.is_valid():
        return _answer_page(request, bot, taught, 422, form=form)
    if "save" in request.POST and form.was_tried:
        changing.save(request.user, form, open_turns(bot, form.done))
        messages.success(request, _("Saved. The bot is being trained, and will soon answer with it."))
        return redirect_to_list(bot, "teach_taught")
    status, shown = try_answer(bot, form, before, changing.turns_of(taught))
    return _answer_page(request, bot, taught, status, **shown)


@require_POST
def take_back(request: HttpRequest, pk: int) -> HttpResponse:
    bot, taught = _taught(request, pk, to_change=True)
    if not taught.is_draft:
        changing.take_back(request.user, taught)
    messages.success(request, _("Taken back, and kept as a draft. The bot will soon answer as before."))
    return redirect_to_list(bot, "teach_taught")


@require_POST
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    bot, draft = _taught(request, pk, to_change=True)
    if not draft.is_draft:
        raise Http404
    changing.delete(request.user, draft)
    messages.success(request, _("Deleted."))
    return redirect_to_list(bot, "teach_taught")


def _taught(request: HttpRequest, pk: int, *, to_change: bool = False) -> tuple[Bot, TaughtAnswer]:
    """Return the answer with a bot that gives it, if the account may read that. Raises Http404, PermissionDenied."""
    taught = get_object_or_404(TaughtAnswer.objects.select_related("trained_bot"), pk=pk)
    bots = list(bots_for(request).order_by("name", "pk"))
    giving = trained_bots.answering(bots)
    bot = next((bot for bot in bots if giving.get(bot.pk) == taught.trained_bot_id), None)
    if bot is None:
        raise Http404
    if to_change and not may_teach(request, taught.trained_bot):
        raise PermissionDenied
    return bot, taught


def _answers_of(trained_bot: TrainedBot) -> Iterator[TaughtAnswer]:
    """Yield the answers, the latest first, each with its state."""
    latest = trained_bot.runs.first()
    is_training = latest is not None and latest.is_running
    for one in trained_bot.taught_answers.select_related("document"):
        one.state = _state_of(one, is_training=is_training)
        yield one


def _state_of(taught: TaughtAnswer, *, is_training: bool = False) -> str:
    """Return what stands beside an answer that the bot doesn't give, or not for good."""
    if taught.is_draft:
        return _("draft")
    day = date_format(taught.valid_until, "DATE_FORMAT") if taught.valid_until else ""
    if taught.has_ended:
        return _("ended on %(date)s") % {"date": day}
    is_trained = hasattr(taught, "document") and taught.document.fingerprint == fingerprint_of(taught)
    if is_training or not is_trained:
        return _("being trained")
    return _("until %(date)s") % {"date": day} if day else ""


def _has(taught: TaughtAnswer, sought: str) -> bool:
    """Return whether it contains all the words. Not in SQL: SQLite ignores the case of English letters only."""
    text = normalize(" ".join([*taught.phrasings, taught.text, taught.author]))
    return all(word in text for word in normalize(sought).split())


def _answer_page(
    request: HttpRequest, bot: Bot, taught: TaughtAnswer, status: int = 200, **more: object
) -> HttpResponse:
    stored = TaughtAnswer.objects.select_related("trained_bot", "document").get(pk=taught.pk)
    context = {
        "bot": bot,
        "trained_bot": taught.trained_bot,
        "taught": stored,
        "state": _state_of(stored),
        "changes": stored.changes.all(),
    }
    return page(request, "desk/teaching/answer.html", stored.question[:80], status, **context | more)
