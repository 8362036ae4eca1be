"""Views for signing in and for new passwords, at the portal and at the desk; they send allauth’s signals.

A second factor is asked for before anybody is signed in.
"""

from allauth.account import signals
from allauth.account.utils import perform_login
from django.contrib.auth import views
from django.contrib.auth.forms import SetPasswordForm
from django.http import HttpResponse

from accounts import attempts
from accounts.forms import OwnPasswordForm, SignInForm


class SignInView(views.LoginView):
    authentication_form = SignInForm

    def form_valid(self, form: SignInForm) -> HttpResponse:
        user = form.get_user()
        response = perform_login(self.request, user, redirect_url=self.get_success_url())
        attempts.remember_browser(response, user.get_username())
        return response


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
