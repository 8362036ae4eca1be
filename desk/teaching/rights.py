"""Who may see which questions, and who may teach."""

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest

from desk.access.rights import bots_of, is_visible, visible
from desk.teaching.questions import open_questions
from docbot.models import TrainedBot
from webchat.models import Bot, Turn
from webchat.models.team import MAY_ANSWER

MAY_TEACH = "docbot.change_trainedbot"


def bots_for(request: HttpRequest) -> QuerySet[Bot]:
    """Return the bots whose questions the account may read, as in the inbox. Raises PermissionDenied."""
    if not request.user.has_perm(MAY_ANSWER):
        raise PermissionDenied
    return bots_of(request.user)


def chosen_bot(request: HttpRequest) -> tuple[list[Bot], Bot | None]:
    """Return these bots, each with its open questions, and the one that the address names.

    If it names none, the bot of the newest open question.
    """
    bots = list(bots_for(request).order_by("name", "pk"))
    found = open_questions(visible(request.user, Turn.objects.all()))
    for bot in bots:
        bot.open_questions = [one for one in found if one[0].conversation.bot_id == bot.pk]
    slug = request.GET.get("bot")
    newest = found[0][0].conversation.bot_id if found else None
    named = [bot for bot in bots if (bot.slug == slug if slug else bot.pk == newest)]
    return bots, next(iter([*named, *bots]), None)


def may_teach(request: HttpRequest, trained_bot: TrainedBot | None) -> bool:
    """Return whether the account may teach it: only if it sees all bots that the trained bot answers for."""
    return request.user.has_perm(MAY_TEACH) and trained_bot is not None and is_visible(request.user, trained_bot)
