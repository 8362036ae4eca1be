"""What may be sent: every limit, and every sentence that a visitor reads when something is refused."""

import functools
import uuid
from dataclasses import dataclass

from django import forms
from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from webchat.rendering.bot_text import without_invisible
from webchat.upstream import failure_rules

OUT_OF_DATE = _("This page was out of date. Send your message again.")
UNPROVEN = _("This chat checks that you are not a bot, which needs JavaScript. Turn it on and send your message again.")
SECONDS_UNTIL_THE_DATABASE_IS_BACK = 5  # a guess, for browsers and programs that ask how long
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


TOO_LONG_TO_READ = Refusal(_("This message is far too long and wasn’t sent. Shorten it."), "MESSAGE_TOO_LONG")


class TextField(forms.CharField):
    """Text as the visitor meant it: what no keyboard types is dropped before anything is checked or counted."""

    def to_python(self, value: str | None) -> str:
        return without_invisible(super().to_python(value)).strip()


class MessageForm(forms.Form):
    """One message, and the key that makes sending it twice the same as sending it once."""

    message = TextField(required=False)
    suggestion = TextField(required=False)  # the suggested question that was pressed instead
    consent = forms.BooleanField(required=False)
    key = forms.UUIDField(error_messages={"required": OUT_OF_DATE, "invalid": OUT_OF_DATE})
    after = forms.UUIDField(
        required=False, error_messages={"invalid": OUT_OF_DATE}
    )  # the last turn that the page shows
    conversation = forms.UUIDField(required=False, error_messages={"invalid": OUT_OF_DATE})  # where there are several
    proof = forms.Field(required=False)  # None: the page is from before the bot asked for it

    refused: Refusal | None = None  # why something else was refused that the page is to say in its composer

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
    def has_ticked(self) -> bool:
        return bool(self.data.get("consent"))

    @functools.cached_property
    def fresh_key(self) -> uuid.UUID:
        """A message of which only the proof is refused keeps its own: it may have been taken before."""
        return self.cleaned_data["key"] if self.is_unproven else uuid.uuid4()

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

    def refuse(self, code: str) -> None:
        """The bot takes no message now, or not before the visitor has agreed."""
        sentence = (
            _("Tick the box first.") if code == failure_rules.CONSENT_MISSING else failure_rules.rule(code).sentence
        )
        self.add_error(None, forms.ValidationError(sentence, code=code))

    def refuse_unproven(self, code: str) -> None:
        """The bot asks for a proof of work; this is none, or too old a one."""
        sentence = UNPROVEN if code == failure_rules.PROOF_MISSING else OUT_OF_DATE
        self.add_error(None, forms.ValidationError(sentence, code=code))

    @property
    def without_script(self) -> Refusal:
        """What a visitor without JavaScript may as well know before the first message."""
        return Refusal(UNPROVEN, failure_rules.PROOF_MISSING)

    @property
    def is_unproven(self) -> bool:
        return self.refusal is not None and self.refusal.code in (
            failure_rules.PROOF_MISSING,
            failure_rules.PROOF_EXPIRED,
        )

    @property
    def is_from_before_the_proof(self) -> bool:
        """The page can't even know that its bot asks for one."""
        return self.is_unproven and self.cleaned_data["proof"] is None

    def refuse_key(self) -> None:
        """Another message was sent with this form's key, as after a step back in the browser."""
        self.add_error("key", forms.ValidationError(OUT_OF_DATE, code="KEY_USED"))

    def refuse_expired(self) -> None:
        """The CSRF token didn't fit."""
        sentence = _("This page has expired, or cookies are blocked. Send your message again.")
        self.add_error(None, forms.ValidationError(sentence, code="PAGE_EXPIRED"))

    def refuse_for_now(self, wait: int, *, is_own: bool = True) -> None:
        """The visitor's allowance is used up for `wait` seconds, or that of all from the same place."""
        if is_own:
            sentence = ngettext(
                "You’ve sent a lot of messages. You can send this one in %(wait)d second.",
                "You’ve sent a lot of messages. You can send this one in %(wait)d seconds.",
                wait,
            )
            countdown = _("You’ve sent a lot of messages. You can send this one in # s.")
        else:
            sentence = ngettext(
                "A lot of messages are coming from your network. You can send this one in %(wait)d second.",
                "A lot of messages are coming from your network. You can send this one in %(wait)d seconds.",
                wait,
            )
            countdown = _("A lot of messages are coming from your network. You can send this one in # s.")
        params = {"wait": wait, "countdown": countdown}
        self.add_error(None, forms.ValidationError(sentence, code=failure_rules.RATE_LIMITED, params=params))

    def refuse_for_today(self, opens_in: int) -> None:
        """The visitor has begun as many conversations as a day has."""
        sentence = _("You’ve started a lot of conversations today. You can start another one tomorrow.")
        params = {"opens_in": opens_in}
        self.add_error(None, forms.ValidationError(sentence, code="CONVERSATIONS_SPENT", params=params))

    def refuse_uncounted(self) -> None:
        """The database failed: what isn't counted and stored isn't sent."""
        sentence = failure_rules.rule(failure_rules.NOT_COUNTED).sentence
        params = {"opens_in": SECONDS_UNTIL_THE_DATABASE_IS_BACK}
        self.add_error(None, forms.ValidationError(sentence, code=failure_rules.NOT_COUNTED, params=params))

    @property
    def refusal(self) -> Refusal | None:
        """The first thing that is wrong, if anything is."""
        if self.refused:
            return self.refused
        for errors in self.errors.as_data().values():
            for error in errors:
                params = error.params or {}
                more = {name: params[name] for name in ("wait", "countdown", "opens_in") if name in params}
                return Refusal(error.messages[0], error.code.upper(), **more)
        return None
