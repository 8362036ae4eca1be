"""Hooks for django-allauth: who may sign in through the provider, and how secrets are stored."""

import io
import time
from typing import Any
from urllib.parse import urlencode

import segno
from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse, ReauthenticationRequired
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from allauth.socialaccount.providers.base import AuthProcess
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate
from django.contrib.auth.models import AbstractBaseUser
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import attempts, provider
from accounts.devices import device_name
from accounts.sessions import SIGNED_IN_AT
from outbound.deadline import Deadline
from outbound.http import Session
from webchat.encryption import seal, unseal
from webchat.limits.client_ip import client_ip

PROVIDER_SECONDS = 10  # in total, for the requests to the OpenID provider in one of allauth's steps
UNKNOWN_IP = "0.0.0.0"  # noqa: S104 - what is shown, not listened to


class AccountAdapter(DefaultAccountAdapter):
    def reauthenticate(self, user: AbstractBaseUser, password: str) -> bool:
        name = user.get_username()
        attempts.count_sign_in(self.request, name)
        if authenticate(self.request, username=name, password=password) != user:
            return False
        attempts.sign_in_succeeded(self.request, name)
        return True

    def post_login(self, request: HttpRequest, user: AbstractBaseUser, **kwargs: Any) -> HttpResponse:
        """Store no more about a customer's session than their profile shows."""
        response = super().post_login(request, user, **kwargs)
        sociallogin = (kwargs["signal_kwargs"] or {}).get("sociallogin")
        if sociallogin and not is_mfa_enabled(user):
            request.session[SIGNED_IN_AT] = provider.signed_in_at(sociallogin)
        if not user.is_staff:
            device = device_name(request.headers.get("User-Agent", ""))
            sessions = UserSession.objects.filter(session_key=request.session.session_key)
            sessions.update(ip=UNKNOWN_IP, user_agent=device)
        return response

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Return whether the last sign-in is too long ago."""
        signed_in_at = self.request.session.get(SIGNED_IN_AT, 0)
        is_long_ago = time.time() - signed_in_at > settings.ACCOUNT_REAUTHENTICATION_TIMEOUT
        user = self.request.user
        if is_long_ago and not user.has_usable_password() and not is_mfa_enabled(user):
            raise ReauthenticationRequired  # allauth would not ask those who sign in at the provider only
        return is_long_ago

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, str]]:
        methods = super().get_reauthentication_methods(user)
        if user.is_authenticated and provider.can_confirm(user):
            url = reverse("confirm_at_provider")
            words = _("Sign in again with %(provider)s") % {"provider": settings.OIDC_NAME}
            methods.append({"id": "provider", "description": words, "url": url})
        return methods

    def get_client_ip(self, request: HttpRequest) -> str:
        ip = client_ip(request.META.get("REMOTE_ADDR", ""), request.headers.get("X-Forwarded-For", ""))
        return str(ip or request.META.get("REMOTE_ADDR") or UNKNOWN_IP)


class SocialAccountAdapter(DefaultSocialAccountAdapter):
    def get_requests_session(self) -> Session:
        return Session(Deadline(PROVIDER_SECONDS))

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Never link an identity to an account, and never let one into an owner's account that wasn't made for it."""
        is_for_sign_in = sociallogin.state.get("process") == AuthProcess.LOGIN
        if not is_for_sign_in or (sociallogin.is_existing and not _may_sign_in(sociallogin.user)):
            raise ImmediateHttpResponse(HttpResponseRedirect(reverse("socialaccount_login_error")))
        if provider.is_confirmation(sociallogin):
            raise ImmediateHttpResponse(HttpResponseRedirect(_after_confirmation(request, sociallogin)))
        if not (provider.has_one_subject(sociallogin) and provider.can_be_stored(sociallogin)):
            raise ImmediateHttpResponse(HttpResponseRedirect(reverse("socialaccount_login_error")))


def _after_confirmation(request: HttpRequest, sociallogin: SocialLogin) -> str:
    url = sociallogin.get_redirect_url(request) or reverse("admin:index")
    if provider.confirm(request, sociallogin):
        return url
    sentence = _("%(provider)s didn’t confirm that it is you. Sign in there again, with the same account as here.")
    messages.error(request, sentence % {"provider": settings.OIDC_NAME})
    return f"{reverse('confirm_at_provider')}?{urlencode({'next': url})}"


def _may_sign_in(user: Any) -> bool:
    """Allow staff only if OIDC_STAFF says so, and only accounts that the provider made, which have no password."""
    if not (user.is_staff or user.is_superuser):
        return True
    return settings.OIDC_STAFF and not user.has_usable_password()


class MFAAdapter(DefaultMFAAdapter):
    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": gettext_lazy(
            "This code is wrong. The app shows a new one every 30 seconds; a recovery code works once."
        )
    }

    def get_totp_issuer(self) -> str:
        return f"{super().get_totp_issuer()} desk"

    def build_totp_svg(self, url: str) -> str:
        file = io.BytesIO()
        segno.make(url).save(file, kind="svg", scale=5, light="#fff")
        return file.getvalue().decode()

    def generate_authenticator_name(self, user: AbstractBaseUser, type: Authenticator.Type) -> str:
        number = Authenticator.objects.filter(user=user, type=type).count() + 1
        return _("Passkey %(number)d") % {"number": number}

    def encrypt(self, text: str) -> str:
        return seal(text)

    def decrypt(self, encrypted_text: str) -> str:
        return unseal(encrypted_text)
