"""What a team member does with a conversation; each action returns "", or a sentence that says why it failed."""

from django.db.models import QuerySet
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from desk.access import audit
from desk.inbox.rights import colleagues_for, may_still_answer
from desk.inbox.transcript import View
from webchat.handover import queue
from webchat.models import Conversation, Leader, TeamMember

ENDED = _("The visitor has ended this conversation.")


def claim(conversation: Conversation, member: TeamMember) -> str:
    """Claim the conversation; of two who claim at once one gets it, and the other reads who has it."""
    if conversation.claim(member):
        return _done(conversation, member, gettext_noop("Claimed."))
    return who_leads(conversation, member)


def hand_back(conversation: Conversation, member: TeamMember) -> str:
    if conversation.hand_back(member):
        return _done(conversation, member, gettext_noop("Handed back to the bot."))
    return who_leads(conversation, member)


def hand_over(conversation: Conversation, member: TeamMember, colleague: str) -> str:
    """Hand the conversation over. `colleague`: the team member's id, as the form sends it."""
    chosen = next((other for other in colleagues_for(member, conversation.bot) if str(other.pk) == colleague), None)
    if chosen is None:
        return gettext("Choose a colleague who may answer for this bot.")
    if conversation.hand_over_to(member, chosen):
        return _done(conversation, member, gettext_noop("Handed over to {}."), chosen.name)
    return who_leads(conversation, member)


def take_over(conversation: Conversation, member: TeamMember) -> str:
    """Take the conversation over, but only from somebody who is away."""
    holder = conversation.team_member
    if holder is None:
        return claim(conversation, member)
    if View(conversation, member).may_take_over and conversation.take_over(member, holder):
        return _done(conversation, member, gettext_noop("Taken over from {}."), holder.name)
    return who_leads(conversation, member)


def close(conversation: Conversation, member: TeamMember) -> str:
    if conversation.close(member):
        return _done(conversation, member, gettext_noop("Closed."))
    return who_leads(conversation, member)


def requeue_unattended() -> None:
    """Periodic task: put visitors back into the queue whose team member may no longer answer or is away too long."""
    held = Conversation.objects.filter(led_by=Leader.PERSON, ended_at=None)
    for member in TeamMember.objects.filter(pk__in=held.values("team_member")).select_related("user"):
        theirs = held.filter(team_member=member)
        for conversation in theirs.exclude(pk__in=may_still_answer(member, theirs).values("pk")):
            if conversation.release(member):
                _done(conversation, member, gettext_noop("Put back into the queue: no longer answers here."))
        if not member.is_online:
            _requeue_long_waiting(member, theirs.exclude(pk__in=queue.out_of_reach(theirs).values("pk")))


def _requeue_long_waiting(member: TeamMember, conversations: QuerySet[Conversation]) -> None:
    for conversation in conversations.select_related("bot"):
        if queue.has_waited_long(conversation) and conversation.release(member):
            _done(conversation, member, gettext_noop("Put back into the queue: away, and the visitor waited."))


def who_leads(conversation: Conversation, member: TeamMember) -> str:
    """Return who leads now, read again from the database; "" if it is the member."""
    conversation.refresh_from_db()
    if conversation.ended_at is not None:
        return str(ENDED)
    holder = conversation.team_member
    if holder is None:
        return gettext("This conversation is no longer yours. Claim it to answer.")
    return "" if holder == member else gettext("%(name)s has taken this conversation.") % {"name": holder.name}


def _done(conversation: Conversation, member: TeamMember, sentence: str, *names: str) -> str:
    audit.record(member.user, conversation, sentence, *names)
    return ""
