"""Who may see which questions, and who may teach."""

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest

from desk.inbox.rights import bots_of
from webchat.models import Bot, TeamMember
from webchat.models.team import MAY_ANSWER

MAY_TEACH = "docbot.change_trainedbot"


def bots_for(request: HttpRequest) -> QuerySet[Bot]:
    """Return the bots whose questions the account may read, as in the inbox. Raises PermissionDenied."""
    if not request.user.has_perm(MAY_ANSWER):
        raise PermissionDenied
    member = TeamMember.objects.filter(user=request.user).first()
    return bots_of(member) if member else Bot.objects.all()


def may_teach(request: HttpRequest) -> bool:
    return request.user.has_perm(MAY_TEACH)
