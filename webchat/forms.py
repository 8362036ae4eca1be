"""What may be sent: every limit, and every sentence that a visitor reads when something is refused."""

import uuid
from dataclasses import dataclass

from django import forms
from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from webchat import playbook
from webchat.rendering import without_invisible

OUT_OF_DATE = _("This page was out of date. Send your message again.")
COUNTED_FROM = 0.8  # of the limit: from here on the rest is counted down


@dataclass(frozen=True)
class Refusal:
    """Why a message wasn't taken: the sentence, its code, and the seconds to wait if waiting helps.

    `countdown`: the sentence with a # for the seconds. `opens_in`: seconds for which nobody sits and waits.
    """

    sentence: str | Promise
    code: str
    wait: int = 0
    countdown: str | Promise = ""
    opens_in: int = 0


TOO_LONG_TO_READ = Refusal(_("This message is far too long. Nothing of it was sent: shorten it."), "MESSAGE_TOO_LONG")


class TextField(forms.CharField):
    """Text as the visitor meant it: what no keyboard types is dropped before anything is checked or counted."""

    def to_python(self, value: str | None) -> str:
        return without_invisible(super().to_python(value)).strip()


class MessageForm(forms.Form):
    """One message, and the key that makes sending it twice the same as sending it once."""

    message = TextField(required=False)
    suggestion = TextField(required=False)  # the suggested question that was pressed instead
    key = forms.UUIDField(error_messages={"required": OUT_OF_DATE, "invalid": OUT_OF_DATE})
    after = forms.UUIDField(
        required=False, error_messages={"invalid": OUT_OF_DATE}
    )  # the last turn that the page shows
    conversation = forms.UUIDField(required=False, error_messages={"invalid": OUT_OF_DATE})  # where there are several

    @property
    def limit(self) -> int:
        return settings.MESSAGE_MAX_LENGTH

    @property
    def counted_from(self) -> int:
        return int(self.limit * COUNTED_FROM)

    @property
    def text(self) -> str:
        """What the visitor typed, or pressed instead of typing, for the composer to show again."""
        if not self.is_bound:
            return self.initial.get("message", "")
        return self.data.get("message") or self.data.get("suggestion", "")

    @property
    def fresh_key(self) -> uuid.UUID:
        return uuid.uuid4()

    @property
    def draft(self) -> str:
        """What stood in the composer while a suggested question was sent: it hasn't been sent itself."""
        return self.data.get("message", "") if self.data.get("suggestion") else ""

    def clean(self) -> dict[str, object]:
        message = self.cleaned_data.get("suggestion") or self.cleaned_data.get("message")
        if not message:
            self.add_error("message", forms.ValidationError(_("Type a message first."), code="MESSAGE_REQUIRED"))
            return {}
        over = len(message) - self.limit
        if over > 0:
            sentence = ngettext(
                "This message is %(over)d character longer than the limit of %(limit)d. Shorten it.",
                "This message is %(over)d characters longer than the limit of %(limit)d. Shorten it.",
                over,
            )
            self.add_error(
                "message",
                forms.ValidationError(sentence, code="MESSAGE_TOO_LONG", params={"over": over, "limit": self.limit}),
            )
        return {**self.cleaned_data, "message": message}

    def refuse_key(self) -> None:
        """Another message was sent with this form's key, as after a step back in the browser."""
        self.add_error("key", forms.ValidationError(OUT_OF_DATE, code="KEY_USED"))

    def refuse_expired(self) -> None:
        """The CSRF token didn't fit."""
        sentence = _("This page had expired, or cookies are blocked. Send your message again.")
        self.add_error(None, forms.ValidationError(sentence, code="PAGE_EXPIRED"))

    def refuse_for_now(self, wait: int, *, is_own: bool = True) -> None:
        """The visitor's allowance is used up for `wait` seconds, or that of all from the same place."""
        if is_own:
            sentence = ngettext(
                "You’ve sent many messages. You can send this one in %(wait)d second.",
                "You’ve sent many messages. You can send this one in %(wait)d seconds.",
                wait,
            )
            countdown = _("You’ve sent many messages. You can send this one in # s.")
        else:
            sentence = ngettext(
                "Many messages are being sent from here. You can send this one in %(wait)d second.",
                "Many messages are being sent from here. You can send this one in %(wait)d seconds.",
                wait,
            )
            countdown = _("Many messages are being sent from here. You can send this one in # s.")
        params = {"wait": wait, "countdown": countdown}
        self.add_error(None, forms.ValidationError(sentence, code=playbook.RATE_LIMITED, params=params))

    def refuse_for_today(self, opens_in: int) -> None:
        """The visitor has begun as many conversations as a day has."""
        sentence = _("You’ve begun many conversations today. You can begin another one tomorrow.")
        params = {"opens_in": opens_in}
        self.add_error(None, forms.ValidationError(sentence, code="CONVERSATIONS_SPENT", params=params))

    @property
    def refusal(self) -> Refusal | None:
        """The first thing that is wrong, if anything is."""
        for errors in self.errors.as_data().values():
            for error in errors:
                params = error.params or {}
                more = {name: params[name] for name in ("wait", "countdown", "opens_in") if name in params}
                return Refusal(error.messages[0], error.code.upper(), **more)
        return None
