"""Who may see and do what on the desk: the one place that decides it.

What somebody may do is their role's Django permissions; whose rows they may do it with is `visible`. Owners of all bots
are Django's superusers.
"""

from typing import Any

from django.contrib.auth.backends import BaseBackend
from django.db.models import Exists, OuterRef, QuerySet

from desk import trained_bots
from webchat.models import Bot, TeamMember
from webchat.models.team import MAY_ANSWER, Role

MAY_CHANGE_TEAM = "webchat.change_teammember"
MAY_EXPORT = "webchat.export_conversation"
MAY_READ = "webchat.view_conversation"

_ANSWERS = {MAY_ANSWER, "webchat.view_handover", "webchat.change_handover", "webchat.view_delivery"}
_READS = {
    *("webchat.view_bot", MAY_READ, "webchat.view_handover", "webchat.view_alarm", "webchat.view_delivery"),
    "desk.view_tally",
    *("docbot.view_trainedbot", "docbot.view_document", "docbot.view_chat", "docbot.view_unknownquestion"),
    "kiosk.view_device",
}
_EDITS = {
    *("webchat.add_bot", "webchat.change_bot", "docbot.add_trainedbot", "docbot.change_trainedbot"),
    *("docbot.delete_document", "docbot.change_unknownquestion"),
    *("kiosk.add_device", "kiosk.change_device", "kiosk.delete_device"),
}
_OWNS = {
    *("webchat.delete_bot", MAY_EXPORT, "webchat.delete_conversation", "webchat.delete_handover"),
    *("webchat.view_identitykey", "webchat.add_identitykey", "webchat.delete_identitykey"),
    *("webchat.delete_alarm", "docbot.delete_trainedbot", "docbot.delete_chat", MAY_CHANGE_TEAM),
}
PERMISSIONS: dict[str, set[str]] = {
    Role.OWNER: _READS | _ANSWERS | _EDITS | _OWNS,
    Role.EDITOR: _READS | _ANSWERS | _EDITS,
    Role.ANSWERS: _ANSWERS,
    Role.READS: _READS,
}
# How a row leads to its bot. Rows of any other model are for those who see all bots.
OF_A_BOT = {
    "webchat.bot": "pk",
    "webchat.conversation": "bot",
    "webchat.turn": "conversation__bot",
    "webchat.entry": "conversation__bot",
    "webchat.attachment": "conversation__bot",
    "webchat.handover": "bot",
    "webchat.alarm": "bot",
    "webchat.cannedreply": "bot",
    "webchat.identitykey": "bot",
    "webchat.teaserrule": "bot",
    "desk.tally": "bot",
    "desk.askedquestion": "bot",
    "kiosk.device": "bot",
}
OF_A_TRAINED_BOT = {
    "docbot.trainedbot": "pk",
    "docbot.document": "trained_bot",
    "docbot.chat": "trained_bot",
    "docbot.unknownquestion": "chat__trained_bot",
    "docbot.exchange": "chat__trained_bot",
    "docbot.taughtanswer": "trained_bot",
}


def visible(user: Any, rows: QuerySet) -> QuerySet:
    """Return those of the rows that belong to the account's bots."""
    if sees_all_bots(user):
        return rows
    model = rows.model._meta.label_lower
    if model in OF_A_BOT:
        return rows.filter(**{f"{OF_A_BOT[model]}__in": _bots(user)})
    if model in OF_A_TRAINED_BOT:
        return rows.filter(**{f"{OF_A_TRAINED_BOT[model]}__in": _trained_bots(user)})
    return rows.none()


def sees_all_bots(user: Any) -> bool:
    if user.is_superuser:
        return True
    member = member_behind(user)
    return member is not None and member.all_bots


def bots_of(user: Any) -> QuerySet[Bot]:
    return visible(user, Bot.objects.all())


def is_visible(user: Any, row: Any) -> bool:
    return sees_all_bots(user) or visible(user, type(row)._default_manager.filter(pk=row.pk)).exists()


def may_add(user: Any, model: Any) -> bool:
    """Return whether the account may add one: a new bot belongs to nobody yet, so only those who see all bots may."""
    paths = OF_A_BOT | OF_A_TRAINED_BOT
    return sees_all_bots(user) or paths.get(model._meta.label_lower, "pk") != "pk"


def member_behind(user: Any) -> TeamMember | None:
    """Return the account's place in the team; None for customers, and for superusers who were never at the inbox."""
    return getattr(user, "team_member", None) if user.is_authenticated and user.is_active else None


def may_change_team(user: Any) -> bool:
    """Return whether the account is an owner.

    None of Django's permissions is enough, as it would lead to all others.
    """
    if user.is_superuser:
        return True
    member = member_behind(user)
    return member is not None and member.role == Role.OWNER


def within_reach(user: Any, places: QuerySet) -> QuerySet:
    """Return the members, or invitations, that an owner may change: all, or those all of whose bots are theirs."""
    if user.is_superuser:
        return places
    beyond = places.model._default_manager.filter(bots__in=Bot.objects.exclude(pk__in=_bots(user))).values("pk")
    if places.model is TeamMember:  # no superuser, whatever their place says, and nobody whom Django's groups give more
        places = places.exclude(user__is_superuser=True).exclude(role="")
    return places.filter(all_bots=False).exclude(pk__in=beyond)


def _bots(user: Any) -> QuerySet:
    return TeamMember.bots.through.objects.filter(teammember__user=user).values("bot")


def _trained_bots(user: Any) -> set[int]:
    """Return those that answer for the account's bots and for no other bot; looked up once a request."""
    if not hasattr(user, "own_trained_bots"):
        places = TeamMember.bots.through.objects.filter(teammember__user=user, bot=OuterRef("pk"))
        bots = list(Bot.objects.annotate(is_own=Exists(places)))
        answering = trained_bots.answering(bots)
        own = {answering.get(bot.pk) for bot in bots if bot.is_own} - {None}
        user.own_trained_bots = own - {answering.get(bot.pk) for bot in bots if not bot.is_own}
    return user.own_trained_bots


class RoleBackend(BaseBackend):
    """Gives an account the Django permissions of its role; it signs nobody in."""

    def get_user_permissions(self, user_obj: Any, obj: Any = None) -> set[str]:
        member = member_behind(user_obj) if obj is None and user_obj.is_staff else None
        return PERMISSIONS.get(member.role, set()) if member else set()

    def has_module_perms(self, user_obj: Any, app_label: str) -> bool:
        return any(name.startswith(f"{app_label}.") for name in self.get_user_permissions(user_obj))
