"""The portal's forms: password reset and renaming a conversation."""

import hashlib

from django import forms
from django.contrib.auth.forms import PasswordResetForm
from django.utils.translation import gettext_lazy as _

from accounts import attempts
from webchat.conversation.forms import TextField
from webchat.limits import rates
from webchat.models import TITLE_LENGTH

WINDOW = 15 * 60  # seconds
MAILS = 3  # per e-mail address within the window


class ResetForm(PasswordResetForm):
    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = _("E-mail address")

    def clean_email(self) -> str:
        email = self.cleaned_data["email"]
        digest = hashlib.sha256(email.casefold().encode()).hexdigest()
        wait = rates.count_attempt(f"reset:{digest}", MAILS, WINDOW)
        if wait:
            raise attempts.too_many(wait)
        return email


class RenameForm(forms.Form):
    title = TextField(label=_("Title"), required=False, max_length=TITLE_LENGTH)
