"""The sign-in form of the portal and of the desk, a new password, and the forms for a second factor's code."""

from typing import Any

from allauth.account import forms as account
from allauth.mfa.base import forms as mfa
from allauth.mfa.totp import forms as totp
from allauth.mfa.webauthn import forms as webauthn
from django.contrib.auth import get_user_model
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext
from fido2.webauthn import AuthenticationResponse

from accounts import attempts

GOOD_PASSWORD = _("At least 8 characters. Four words that have nothing to do with each other are easy to remember.")


class SignInForm(AuthenticationForm):
    """Takes a user name or an e-mail address. Counts the attempt before the password is hashed."""

    error_messages = {
        "invalid_login": _("The name or the password is wrong."),
        "inactive": _("The name or the password is wrong."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, label_suffix="", **kwargs)
        self.fields["username"].label = _("User name or e-mail address")
        self.fields["password"].label = _("Password")

    def clean_username(self) -> str:
        name = self.cleaned_data["username"]
        # Accounts of the OpenID provider have no password, and names and addresses that their owners may choose there.
        users = get_user_model().objects.exclude(password__startswith=UNUSABLE_PASSWORD_PREFIX)
        if "@" in name and not users.filter(username=name).exists():
            known = list(users.filter(email__iexact=name, is_active=True).values_list("username", flat=True)[:2])
            return known[0] if len(known) == 1 else name
        return name

    def clean(self) -> dict[str, Any]:
        name = self.cleaned_data.get("username")
        if name is None or "password" not in self.cleaned_data:
            return self.cleaned_data
        attempts.count_sign_in(self.request, name)
        cleaned = super().clean()
        attempts.sign_in_succeeded(self.request, name)
        return cleaned


class DeskSignInForm(SignInForm):
    """Refuses customers with the same sentence as a wrong password."""

    def confirm_login_allowed(self, user: Any) -> None:
        super().confirm_login_allowed(user)
        if not user.is_staff:
            raise self.get_invalid_login_error()


class _CodeFieldForm:
    """Labels the field for the code with our own text, because allauth's has fewer translations."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["code"]
        field.label = pgettext("of an authenticator app", "Code")
        field.widget.attrs = {"autocomplete": "one-time-code", "inputmode": "numeric"}


class _LimitedCodeForm(_CodeFieldForm):
    """Limits attempts, and accepts each code once, across all processes of the site."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].widget.attrs["autofocus"] = True

    def clean_code(self) -> str:
        account = self.user.get_username()
        attempts.count_code(account)
        code = super().clean_code()
        if not attempts.use_once(account, code):
            self.add_error("code", _("This code has already been used. Wait for the next one."))
            return code
        attempts.code_succeeded(account)
        return code


class AuthenticateForm(_LimitedCodeForm, mfa.AuthenticateForm):
    pass


class ReauthenticateForm(_LimitedCodeForm, mfa.ReauthenticateForm):
    pass


class ActivateTOTPForm(_CodeFieldForm, totp.ActivateTOTPForm):
    pass


NOT_ACCEPTED = _("That passkey was not accepted.")
MALFORMED = (AttributeError, KeyError, TypeError, ValueError)  # what allauth raises for a malformed credential


class AuthenticateWebAuthnForm(webauthn.AuthenticateWebAuthnForm):
    def clean_credential(self) -> Any:
        try:
            return super().clean_credential()
        except (*MALFORMED, ValidationError) as error:  # allauth's own sentence is about codes
            raise ValidationError(NOT_ACCEPTED) from error


class ReauthenticateWebAuthnForm(AuthenticateWebAuthnForm, webauthn.ReauthenticateWebAuthnForm):
    pass


class LoginWebAuthnForm(AuthenticateWebAuthnForm, webauthn.LoginWebAuthnForm):
    """Signs in a team member with a passkey alone, for which their device has asked for a fingerprint, face or PIN."""

    def clean_credential(self) -> Any:
        # Checked here, too: the challenge in the session may be one for a second factor, which doesn't require it.
        response = self.cleaned_data["credential"]
        authenticator = super().clean_credential()
        is_verified = AuthenticationResponse.from_dict(response).response.authenticator_data.is_user_verified()
        if not (is_verified and authenticator.user.is_staff and authenticator.user.is_active):
            raise ValidationError(NOT_ACCEPTED)
        return authenticator


class AddWebAuthnForm(webauthn.AddWebAuthnForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Name")
        field = self.fields["passwordless"]
        field.label = _("Log in with it alone: it asks for a fingerprint, face or PIN")
        field.help_text, field.initial = "", True

    def clean(self) -> dict[str, Any]:
        try:
            return super().clean()
        except MALFORMED as error:
            raise ValidationError(NOT_ACCEPTED) from error


class ConfirmForm(account.ReauthenticateForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        attrs = self.fields["password"].widget.attrs
        attrs.pop("placeholder", None)  # it repeats the label
        attrs["autofocus"] = True


class OwnPasswordForm(PasswordChangeForm):
    """Explains the rules for passwords in one sentence instead of Django's list."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, label_suffix="", **kwargs)
        self.fields["new_password1"].help_text = GOOD_PASSWORD
        self.fields["new_password2"].label = _("Repeat the new password")
        self.fields["new_password2"].help_text = ""
