"""Writes staff's sign-ins, failures, new passwords and second factors into the audit trail."""

from typing import Any

from allauth.account.signals import authentication_step_completed, password_changed, password_reset
from allauth.mfa import signals as mfa
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import AbstractUser, User
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.dispatch import receiver
from django.utils.translation import gettext_noop

from desk.access import audit

_ADDED = {
    Authenticator.Type.TOTP: gettext_noop("Added a second factor: authenticator app."),
    Authenticator.Type.WEBAUTHN: gettext_noop("Added a second factor: passkey."),
    Authenticator.Type.RECOVERY_CODES: gettext_noop("Added a second factor: recovery codes."),
}
_REMOVED = {
    Authenticator.Type.TOTP: gettext_noop("Removed a second factor: authenticator app."),
    Authenticator.Type.WEBAUTHN: gettext_noop("Removed a second factor: passkey."),
    Authenticator.Type.RECOVERY_CODES: gettext_noop("Removed a second factor: recovery codes."),
}


@receiver(user_logged_in)
def _logged_in(sender: object, user: AbstractUser, **kwargs: Any) -> None:
    _record(user, gettext_noop("Logged in."))


@receiver(user_logged_out)
def _logged_out(sender: object, user: AbstractUser | None, **kwargs: Any) -> None:
    if user is not None:
        _record(user, gettext_noop("Logged out."))


@receiver(user_login_failed)
def _wrong_password(sender: object, credentials: dict[str, Any], **kwargs: Any) -> None:
    user = User.objects.filter(username=credentials.get("username") or "").first()
    if user is not None:
        _record(user, gettext_noop("Failed to log in: wrong password."))


@receiver(authentication_step_completed)
def _confirmed(sender: object, user: AbstractUser, **kwargs: Any) -> None:
    if kwargs.get("reauthenticated"):
        _record(user, gettext_noop("Confirmed their identity."))


@receiver(password_changed)
def _changed_password(sender: object, user: AbstractUser, **kwargs: Any) -> None:
    _record(user, gettext_noop("Changed their password."))


@receiver(password_reset)
def _reset_password(sender: object, user: AbstractUser, **kwargs: Any) -> None:
    _record(user, gettext_noop("Chose a new password with a link."))


@receiver(mfa.authentication_failed)
def _wrong_code(sender: object, user: AbstractUser, **kwargs: Any) -> None:
    _record(user, gettext_noop("Failed to log in: wrong code."))


@receiver(mfa.authenticator_added)
def _added(sender: object, user: AbstractUser, authenticator: Authenticator, **kwargs: Any) -> None:
    _record(user, _ADDED[authenticator.type])


@receiver(mfa.authenticator_removed)
def _removed(sender: object, user: AbstractUser, authenticator: Authenticator, **kwargs: Any) -> None:
    _record(user, _REMOVED[authenticator.type])


@receiver(mfa.authenticator_reset)
def _new_codes(sender: object, user: AbstractUser, **kwargs: Any) -> None:
    _record(user, gettext_noop("Created new recovery codes."))


def _record(user: AbstractUser, sentence: str) -> None:
    """Record staff only: customers' sign-ins don't belong in the audit trail."""
    if user.is_staff:
        audit.record(user, user, sentence)
