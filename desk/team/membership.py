"""Changes to who is on the team: roles given, invitations made and accepted, people removed."""

import datetime
import secrets
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from desk.access import rights
from desk.models import Invitation
from webchat.encryption import hash_of
from webchat.models import TeamMember
from webchat.models.team import Role

VALID_DAYS = 7


class LastOwner(Exception):
    """Raised when nobody could change the team afterwards."""


def give_role(member: TeamMember, role: str, all_bots: bool, bots: Any) -> None:
    """Give a role, which replaces all former rights, Django's permissions included. Raises LastOwner."""
    with transaction.atomic():
        is_owner = role == Role.OWNER and all_bots
        if not is_owner:
            _keep_an_owner(member.user)
        User.objects.filter(pk=member.user_id).update(is_staff=True, is_superuser=is_owner)
        member.user.user_permissions.clear()
        member.user.groups.clear()
        member.role, member.all_bots = role, all_bots
        member.save(update_fields=["role", "all_bots"])
        member.bots.set([] if all_bots else bots)


def remove(member: TeamMember) -> None:
    """Remove somebody from the team. The account stays, because the audit trail names it. Raises LastOwner."""
    with transaction.atomic():
        _keep_an_owner(member.user)
        give_role(member, "", False, [])
        User.objects.filter(pk=member.user_id).update(is_staff=False)
        TeamMember.objects.filter(pk=member.pk).update(is_available=False, seen_at=None)
    end_sessions(member)


def end_sessions(member: TeamMember) -> None:
    for session in UserSession.objects.filter(user=member.user):
        session.end()


def remove_second_factor(member: TeamMember) -> None:
    Authenticator.objects.filter(user=member.user).delete()


def invite(invited_by: User, email: str, role: str, all_bots: bool, bots: Any) -> tuple[Invitation, str]:
    """Return the invitation and the token of its link, which is stored nowhere."""
    Invitation.objects.filter(expires_at__lt=timezone.now()).delete()
    token = secrets.token_urlsafe(32)
    invitation = Invitation.objects.create(
        token_hash=hash_of(token),
        email=email,
        role=role,
        all_bots=all_bots,
        invited_by=invited_by,
        expires_at=timezone.now() + datetime.timedelta(days=VALID_DAYS),
    )
    invitation.bots.set([] if all_bots else bots)
    return invitation, token


def invitation_of(token: str) -> Invitation | None:
    """Return the invitation of a link, while the person who made it may still give that role."""
    found = Invitation.objects.select_related("invited_by").filter(token_hash=hash_of(token))
    invitation = found.filter(expires_at__gt=timezone.now(), invited_by__is_active=True).first()
    if invitation is None:
        return None
    owner = invitation.invited_by
    in_reach = rights.changeable_by(owner, Invitation.objects.filter(pk=invitation.pk)).exists()
    return invitation if owner.is_staff and rights.may_change_team(owner) and in_reach else None


def accept(invitation: Invitation, user: User) -> bool:
    """Give the account the role of the invitation; False if somebody else was first. Call it within a transaction."""
    bots = list(invitation.bots.all())
    deleted, _rows = Invitation.objects.filter(pk=invitation.pk).delete()
    if deleted:
        give_role(TeamMember.of(user), invitation.role, invitation.all_bots, bots)
    return bool(deleted)


def _keep_an_owner(but: User) -> None:
    """Raise LastOwner if nobody but this account owns all bots. Of two owners at once, one waits for the other."""
    owners = User.objects.select_for_update().filter(is_superuser=True, is_staff=True, is_active=True).order_by("pk")
    owning = [user.pk for user in owners]
    if but.pk in owning and len(owning) == 1:
        raise LastOwner
