"""What the team member whose inbox is open may see and answer, by `desk.access.rights`."""

import datetime

from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from desk.access.rights import bots_of, visible
from webchat.models import Bot, CannedReply, Conversation, TeamMember
from webchat.models.team import MAY_ANSWER

SEEN_EVERY = datetime.timedelta(seconds=10)


def member_of(request: HttpRequest) -> TeamMember:
    """Return the team member whose inbox is open, and record that it is. Raises PermissionDenied."""
    if not request.user.has_perm(MAY_ANSWER):
        raise PermissionDenied
    member = TeamMember.of(request.user)
    member.user = request.user
    if member.seen_at is None or timezone.now() - member.seen_at > SEEN_EVERY:
        member.mark_online()
    return member


def conversations_of(member: TeamMember) -> QuerySet[Conversation]:
    """Return all conversations that the member may read and answer: those of their bots, or of all bots."""
    return visible(member.user, Conversation.objects.all())


def may_still_answer(member: TeamMember, conversations: QuerySet[Conversation]) -> QuerySet[Conversation]:
    """Return those of the conversations that the member may answer, whatever they could when they claimed them."""
    user = member.user
    return visible(user, conversations) if user.is_staff and user.has_perm(MAY_ANSWER) else conversations.none()


def canned_replies_of(member: TeamMember) -> QuerySet[CannedReply]:
    """Return those that the member may use: of their bots, and those of all bots."""
    return CannedReply.objects.filter(Q(bot=None) | Q(bot__in=bots_of(member.user))).select_related("bot")


def may_change(member: TeamMember, reply: CannedReply) -> bool:
    """Return whether the member may change it: what all bots share is for members who answer for all bots."""
    return reply.bot_id is not None or member.all_bots


def colleagues_for(member: TeamMember, bot: Bot) -> list[TeamMember]:
    """Return the others who may answer for the bot, those who are present first."""
    others = TeamMember.objects.who_may_answer(bot).exclude(pk=member.pk).select_related("user")
    colleagues = [other for other in others if other.user.has_perm(MAY_ANSWER)]
    return sorted(colleagues, key=lambda colleague: (not colleague.is_online, colleague.name.casefold()))
