"""The forms for a request for a person and for notifications, with their limits and the sentences of refusals."""

import uuid

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from webchat.conversation.forms import OUT_OF_DATE, TextField
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
        error_messages={
            "required": _("Enter the e-mail address for our answer."),
            "invalid": _("This is not an e-mail address. Enter one such as name@example.com."),
        },
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
        message = self.cleaned_data["message"]
        over = len(message) - self.limit
        if over > 0:
            sentence = ngettext(
                "This message is %(over)d character longer than the limit of %(limit)d. Shorten it.",
                "This message is %(over)d characters longer than the limit of %(limit)d. Shorten it.",
                over,
            )
            raise forms.ValidationError(sentence, params={"over": over, "limit": self.limit})
        return message

    def refuse_key(self) -> None:
        """Refuse the key: another request was sent with it, as after a step back in the browser."""
        self.add_error("key", OUT_OF_DATE)

    def refuse_details(self, sentence: str) -> None:
        """Refuse the request: what the bot asks about the visitor is missing."""
        self.add_error(None, sentence)

    def refuse_expired(self) -> None:
        """Refuse the request: the CSRF token wasn't valid."""
        self.add_error(None, _("This page has expired, or cookies are blocked. Send your message again."))

    def refuse_for_now(self) -> None:
        self.add_error(None, _("You’ve sent a lot of requests. Wait an hour before you send another one."))

    @property
    def refusal(self) -> str:
        """Return the error that belongs to none of the visible fields."""
        errors = [*self.non_field_errors(), *self.errors.get("key", [])]
        return errors[0] if errors else ""
