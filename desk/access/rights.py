"""Decides who may see and do what at the desk.

A role's Django permissions say what an account may do, and `visible` says with which rows. Owners of all bots are
Django's superusers.
"""

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q, QuerySet, Value

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
    *("docbot.view_trainedbot", "docbot.view_document", "docbot.view_chat"),
    "kiosk.view_device",
}
_EDITS = {
    *("webchat.add_bot", "webchat.change_bot", "docbot.add_trainedbot", "docbot.change_trainedbot"),
    "docbot.delete_document",
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
# The path from a row to its bot. Rows of other models are only for accounts that see all bots.
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
    "docbot.exchange": "chat__trained_bot",
    "docbot.taughtanswer": "trained_bot",
}


def visible(user: Any, rows: QuerySet) -> QuerySet:
    """Return those of the rows that belong to the account's bots; none of a deleted bot."""
    model = rows.model._meta.label_lower
    if OF_A_BOT.get(model, "pk") != "pk":
        rows = rows.filter(not_deleted(OF_A_BOT[model]))
    if sees_all_bots(user):
        return rows
    if model in OF_A_BOT:  # Exists, not IN: with IN, SQLite always reads all conversations of those bots
        return rows.filter(Exists(_bots_given_to(user).filter(bot=OuterRef(OF_A_BOT[model]))))
    if model in OF_A_TRAINED_BOT:
        return rows.filter(**{f"{OF_A_TRAINED_BOT[model]}__in": _trained_bots(user)})
    return rows.none()


def not_deleted(to_bot: str) -> Q:
    """Return the condition that a row's bot isn't being deleted: its rows stay for a while.

    Path not taken: a join, for which a database may read all rows of each bot.
    """
    return ~Q(**{f"{to_bot}__in": Bot.with_deleted.being_deleted()})


def sees_all_bots(user: Any) -> bool:
    if user.is_superuser:
        return True
    member = member_of_account(user)
    return member is not None and member.all_bots


def bots_of(user: Any) -> QuerySet[Bot]:
    return visible(user, Bot.objects.all())


def is_visible(user: Any, row: Any) -> bool:
    return sees_all_bots(user) or visible(user, type(row)._default_manager.filter(pk=row.pk)).exists()


def may_add(user: Any, model: Any) -> bool:
    """Return whether the account may add a row. Only accounts that see all bots may add a bot."""
    paths = OF_A_BOT | OF_A_TRAINED_BOT
    return sees_all_bots(user) or paths.get(model._meta.label_lower, "pk") != "pk"


def member_of_account(user: Any) -> TeamMember | None:
    """Return the account's team member; None for customers, and for superusers who have never opened the inbox."""
    return getattr(user, "team_member", None) if user.is_authenticated and user.is_active else None


def may_change_team(user: Any) -> bool:
    """Return whether the account is an owner.

    Django's permission for it is not enough: with it, an account could give itself all others.
    """
    if user.is_superuser:
        return True
    member = member_of_account(user)
    return member is not None and member.role == Role.OWNER


def changeable_by(user: Any, memberships: QuerySet) -> QuerySet:
    """Return the members, or invitations, that an owner may change: all, or those all of whose bots are theirs."""
    if user.is_superuser:
        return memberships
    others = Bot.objects.exclude(pk__in=_bots_given_to(user).values("bot"))
    beyond = memberships.model._default_manager.filter(bots__in=others).values("pk")
    if memberships.model is TeamMember:  # no superusers, and nobody with more permissions from Django's groups
        memberships = memberships.exclude(user__is_superuser=True).exclude(role="")
    return memberships.filter(all_bots=False).exclude(pk__in=beyond)


def _bots_given_to(user: Any) -> QuerySet:
    """Return the rows that join the account's team member to its bots."""
    return TeamMember.bots.through.objects.filter(teammember__user=user)


def all_bots_marked(user: Any) -> QuerySet[Bot]:
    """Return all bots, each with `is_own`: whether the account may see it."""
    if sees_all_bots(user):
        return Bot.objects.annotate(is_own=Value(True))
    return Bot.objects.annotate(is_own=Exists(_bots_given_to(user).filter(bot=OuterRef("pk"))))


def bots_among(user: Any, marked: QuerySet[Bot]) -> list[Bot]:
    """Return the account's bots of `all_bots_marked`, and remember all: `visible` may need them, too."""
    user.marked_bots = list(marked)
    return [bot for bot in user.marked_bots if bot.is_own]


def _trained_bots(user: Any) -> set[int]:
    """Return the trained bots that answer for the account's bots only; looked up once for each request."""
    if not hasattr(user, "own_trained_bots"):
        bots = getattr(user, "marked_bots", None) or list(all_bots_marked(user))
        answering = trained_bot_of_each(user, bots)
        own = {answering.get(bot.pk) for bot in bots if bot.is_own} - {None}
        user.own_trained_bots = own - {answering.get(bot.pk) for bot in bots if not bot.is_own}
    return user.own_trained_bots


def trained_bot_of_each(user: Any, bots: list[Bot]) -> dict[int, int]:
    """Return which trained bot answers for each bot, by primary keys; looked up once for each request."""
    if not hasattr(user, "answering"):
        user.answering = trained_bots.answering(getattr(user, "marked_bots", bots))
    return user.answering


class RoleBackend(ModelBackend):
    """Django's backend, except that an account with a role has that role's permissions and no others."""

    def get_user(self, user_id: int) -> User | None:
        user = User.objects.select_related("team_member").filter(pk=user_id).first()
        return user if user and self.user_can_authenticate(user) else None

    def has_perm(self, user_obj: Any, perm: str, obj: Any = None) -> bool:
        granted = _permissions_of_role(user_obj)
        return super().has_perm(user_obj, perm, obj) if granted is None else obj is None and perm in granted

    def has_module_perms(self, user_obj: Any, app_label: str) -> bool:
        granted = _permissions_of_role(user_obj)
        if granted is None:
            return super().has_module_perms(user_obj, app_label)
        return any(name.startswith(f"{app_label}.") for name in granted)


def _permissions_of_role(user: Any) -> set[str] | None:
    member = member_of_account(user) if user.is_staff else None
    return PERMISSIONS.get(member.role) if member else None
