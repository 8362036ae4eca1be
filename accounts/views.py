"""Signing in by a form, at the portal or the desk; a second factor is asked for before anybody is signed in."""

from allauth.account.utils import perform_login
from django.contrib.auth import views
from django.http import HttpResponse

from accounts import attempts
from accounts.forms import SignInForm


class SignInView(views.LoginView):
    authentication_form = SignInForm

    def form_valid(self, form: SignInForm) -> HttpResponse:
        user = form.get_user()
        response = perform_login(self.request, user, redirect_url=self.get_success_url())
        attempts.remember_browser(response, user.get_username())
        return response
