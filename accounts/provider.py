"""Lets staff without a password confirm who they are by signing in at their OpenID provider again.

The provider is asked for a fresh sign-in (`prompt=login`, `max_age=0`), which counts only for the same identity. It
signs nobody in here and links nothing.
"""

import json
import logging
import time
from typing import Any

from allauth.account.signals import authentication_step_completed
from allauth.socialaccount.models import SocialLogin
from django.conf import settings
from django.http import HttpRequest

from accounts.sessions import SIGNED_IN_AT

logger = logging.getLogger(__name__)

ASK_AGAIN = {"prompt": "login", "max_age": "0"}  # OpenID Connect Core, 3.1.2.1
MAX_CLOCK_DIFFERENCE = 60  # seconds between the provider's clock and ours


def staff_provider_name() -> str:
    """Return the provider's name; "" if staff may not sign in there."""
    return settings.OIDC_NAME if settings.OIDC_ISSUER and settings.OIDC_STAFF else ""


def can_confirm(user: Any) -> bool:
    """Return whether the account signs in at the provider only, and may use the desk that way."""
    return bool(staff_provider_name()) and not user.has_usable_password()


def confirmation_state(request: HttpRequest) -> dict[str, object]:
    """Return what the session remembers until the browser is back from the provider."""
    return {"confirms": str(request.user.pk), "began_at": int(time.time())}


def is_confirmation(sociallogin: SocialLogin) -> bool:
    return "confirms" in (sociallogin.state.get("data") or {})


def confirm(request: HttpRequest, sociallogin: SocialLogin) -> bool:
    """Record that the account's owner has just signed in at the provider again; return False if they haven't."""
    refusal = _refusal(request, sociallogin)
    if refusal:
        logger.warning("confirmation refused account=%s cause=%s", request.user.get_username(), refusal)
        return False
    request.session[SIGNED_IN_AT] = signed_in_at(sociallogin)
    authentication_step_completed.send(
        sender=type(request.user), request=request, user=request.user, method="socialaccount", reauthenticated=True
    )
    return True


def has_one_subject(sociallogin: SocialLogin) -> bool:
    """Return whether id token and user info name the same subject (OpenID Connect Core, 5.3.2)."""
    subject = _id_token(sociallogin).get("sub")
    return subject is not None and str(subject) == sociallogin.account.uid


def can_be_stored(sociallogin: SocialLogin) -> bool:
    """Return whether the claims are without NULs, which PostgreSQL refuses when the account is half made."""
    return "\\u0000" not in json.dumps(sociallogin.account.extra_data)


def signed_in_at(sociallogin: SocialLogin) -> int:
    """Return when the provider saw the person sign in, which may be long ago; 0 if it doesn't say."""
    auth_time = _id_token(sociallogin).get("auth_time")
    is_time = isinstance(auth_time, int | float) and 0 < auth_time <= time.time() + MAX_CLOCK_DIFFERENCE
    return int(auth_time) if is_time else 0


def _refusal(request: HttpRequest, sociallogin: SocialLogin) -> str:
    stored = sociallogin.state["data"]
    if not sociallogin.is_existing or sociallogin.user != request.user or stored["confirms"] != str(request.user.pk):
        return "identity"
    if not has_one_subject(sociallogin):
        return "subject"
    return "" if signed_in_at(sociallogin) >= stored["began_at"] - MAX_CLOCK_DIFFERENCE else "time"


def _id_token(sociallogin: SocialLogin) -> dict[str, Any]:
    return sociallogin.account.extra_data.get("id_token") or {}
