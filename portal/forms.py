"""What may be typed in the portal: signing in with few attempts, and a conversation's title."""

import hashlib

from django import forms
from django.contrib.auth import get_user_model
from django.contrib.auth.forms import AuthenticationForm, PasswordResetForm
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from webchat.conversation.forms import TextField
from webchat.limits import rates
from webchat.models import TITLE_LENGTH

ATTEMPTS = 10  # for one name within the window
WINDOW = 15 * 60  # seconds
MAILS = 3  # to one address within the window


class SignInForm(AuthenticationForm):
    """A user name or an e-mail address; guessing passwords takes for ever."""

    error_messages = {
        "invalid_login": _("That doesn’t fit together. Check the name and the password."),
        "inactive": _("That doesn’t fit together. Check the name and the password."),
    }

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = _("User name or e-mail address")
        self.fields["password"].label = _("Password")

    def clean_username(self) -> str:
        name = self.cleaned_data["username"]
        _count("sign-in", name, ATTEMPTS)
        users = get_user_model()
        if "@" in name and not users.objects.filter(username=name).exists():
            known = list(
                users.objects.filter(email__iexact=name, is_active=True).values_list("username", flat=True)[:2]
            )
            return known[0] if len(known) == 1 else name
        return name


class ResetForm(PasswordResetForm):
    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = _("E-mail address")

    def clean_email(self) -> str:
        email = self.cleaned_data["email"]
        _count("reset", email, MAILS)
        return email


class RenameForm(forms.Form):
    title = TextField(label=_("Title"), required=False, max_length=TITLE_LENGTH)


def _count(what: str, name: str, limit: int) -> None:
    digest = hashlib.sha256(name.casefold().encode()).hexdigest()
    wait = rates.count_attempt(f"{what}:{digest}", limit, WINDOW)
    if wait:
        minutes = -(-wait // 60)
        sentence = ngettext(
            "Too many attempts. Try again in %(minutes)d minute.",
            "Too many attempts. Try again in %(minutes)d minutes.",
            minutes,
        )
        raise ValidationError(sentence, code="too_many", params={"minutes": minutes})
