"""The portal's forms: password reset and renaming a conversation."""

import logging
from smtplib import SMTPException
from typing import Any

from django import forms
from django.contrib.auth.forms import PasswordResetForm
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts import attempts
from webchat import site
from webchat.conversation.forms import WRONG_EMAIL, TextField
from webchat.models import TITLE_LENGTH
from webchat.notifications import mails

logger = logging.getLogger(__name__)


class ResetForm(PasswordResetForm):
    def __init__(self, request: HttpRequest, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.request = request
        email = self.fields["email"]
        email.label = _("E-mail address")
        email.error_messages["invalid"] = WRONG_EMAIL

    def clean_email(self) -> str:
        email = self.cleaned_data["email"]
        attempts.count_reset_mail(self.request, email)
        return email

    def send_mail(
        self, subject_template: str, template: str, context: dict[str, Any], sender: str, to: str, **more: Any
    ) -> None:
        """Send our own mail in place of Django's, which is made of two templates."""
        here = site.url() or f"{context['protocol']}://{context['domain']}"
        content = mails.Content(
            name=here.partition("://")[2],
            heading=_("Choose a new password"),
            paragraphs=[_("Somebody, probably you, has asked to reset your password. Choose a new one here:")],
            button=_("Choose a new password"),
            url=here + reverse("portal-new-password", args=[context["uid"], context["token"]]),
            note=_("If it wasn’t you, ignore this message."),
        )
        try:
            mails.make(content.heading, to, content).send()
        except (OSError, SMTPException):  # the page answers as it does for an address without an account
            logger.exception("A mail for a new password was not sent")


class RenameForm(forms.Form):
    title = TextField(label=_("Title"), required=False, max_length=TITLE_LENGTH)
