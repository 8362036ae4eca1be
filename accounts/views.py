"""Views for signing in and for new passwords, at the portal and at the desk; they send allauth’s signals.

A second factor is asked for before anybody is signed in.
"""

from typing import Any

from allauth.account import signals
from allauth.account.utils import perform_login
from allauth.mfa.webauthn.views import LoginWebAuthnView
from django.contrib.auth import views
from django.contrib.auth.forms import SetPasswordForm
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse

from accounts import attempts
from accounts.forms import LoginWebAuthnForm, OwnPasswordForm, SignInForm


class SignInView(views.LoginView):
    authentication_form = SignInForm

    def form_valid(self, form: SignInForm) -> HttpResponse:
        user = form.get_user()
        response = perform_login(self.request, user, redirect_url=self.get_success_url())
        attempts.remember_browser(response, user.get_username())
        return response


class PasskeySignInView(LoginWebAuthnView):
    """Signs in to the desk with a passkey alone: GET returns the challenge, POST takes the answer."""

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            attempts.count_passkey(request)
        except ValidationError:
            return HttpResponse(status=429)
        return super().get(request, *args, **kwargs)

    def form_valid(self, form: LoginWebAuthnForm) -> HttpResponse:
        attempts.passkey_succeeded(self.request)
        return super().form_valid(form)


class PasswordChangeView(views.PasswordChangeView):
    form_class = OwnPasswordForm

    def form_valid(self, form: OwnPasswordForm) -> HttpResponse:
        """Tell allauth: the session has a new key now, and has to stay in the list of the user's sessions."""
        response = super().form_valid(form)
        signals.password_changed.send(type(form.user), request=self.request, user=form.user)
        return response


class PasswordResetConfirmView(views.PasswordResetConfirmView):
    def form_valid(self, form: SetPasswordForm) -> HttpResponse:
        response = super().form_valid(form)
        signals.password_reset.send(type(form.user), request=self.request, user=form.user)
        return response
