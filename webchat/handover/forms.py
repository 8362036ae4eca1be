"""The forms for a request for a person and for notifications, with their limits and the sentences of refusals."""

import uuid

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from webchat.conversation.forms import OUT_OF_DATE, WRONG_EMAIL, TextField, check_length
from webchat.notifications import web_push


class SubscriptionForm(forms.Form):
    """A browser's push subscription, which the page's script fills in."""

    url = forms.CharField(max_length=1000)
    public_key = forms.CharField(max_length=100)
    auth_secret = forms.CharField(max_length=30)

    def clean(self) -> dict[str, str]:
        given = super().clean()
        if not self.errors:
            try:
                web_push.check(given["url"], given["public_key"], given["auth_secret"])
            except ValueError as error:
                raise forms.ValidationError(str(error)) from error
        return given


class HandoverForm(forms.Form):
    """What a visitor wants a person to read, and where to send the answer."""

    key = forms.UUIDField(error_messages={"required": OUT_OF_DATE, "invalid": OUT_OF_DATE})
    email = forms.EmailField(
        max_length=254,
        error_messages={"required": _("Enter your e-mail address, so that we can answer."), "invalid": WRONG_EMAIL},
    )
    message = TextField(error_messages={"required": _("Tell us what it is about.")})
    transcript = forms.BooleanField(required=False)
    website = forms.CharField(required=False)  # hidden: only programs fill it in

    @property
    def limit(self) -> int:
        return settings.MESSAGE_MAX_LENGTH

    @property
    def shown_key(self) -> uuid.UUID | str:
        """Return the key that was sent, so that a second try is the same request.

        Else, or if it is used, a new one.
        """
        sent = self.data.get("key", "")
        return uuid.uuid4() if not self.is_bound or "key" in self.errors else sent

    def clean_message(self) -> str:
        check_length(self.cleaned_data["message"])
        return self.cleaned_data["message"]

    @property
    def refusal(self) -> str:
        """Return the error that belongs to none of the visible fields."""
        errors = [*self.non_field_errors(), *self.errors.get("key", [])]
        return errors[0] if errors else ""
