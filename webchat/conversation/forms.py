"""The form of a message, with every limit and every sentence that a visitor reads when it is refused."""

import functools
import unicodedata
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
WRONG_EMAIL = _("This is not an e-mail address. Enter one such as name@example.com.")
UNPROVEN = _("This chat checks that you are not a bot, which needs JavaScript. Turn it on and send your message again.")
SECONDS_UNTIL_THE_DATABASE_IS_BACK = 5  # a guess, for the header Retry-After
COUNTED_FROM = 0.8  # of the limit: from here on the remaining characters are shown


@dataclass(frozen=True)
class Refusal:
    """Why a message wasn't taken: the sentence, its code, and the seconds to wait if waiting helps.

    `countdown`: the sentence with a # for the seconds. `retry_after`: seconds too long to wait for on the page.
    """

    sentence: str | Promise
    code: str
    wait: int = 0
    countdown: str | Promise = ""
    retry_after: int = 0

    @property
    def is_about_message(self) -> bool:
        """Return whether the text itself is wrong, not the time, a file or another field."""
        return self.code in ("MESSAGE_REQUIRED", "MESSAGE_TOO_LONG")


TOO_LONG_TO_READ = Refusal(_("This message is far too long and wasn’t sent. Shorten it."), "MESSAGE_TOO_LONG")
PAGE_EXPIRED = Refusal(_("This page has expired, or cookies are blocked. Send your message again."), "PAGE_EXPIRED")
BUTTON_EXPIRED = Refusal(_("This page was out of date. Try again."), "PAGE_EXPIRED")
KEY_USED = Refusal(OUT_OF_DATE, "KEY_USED")  # another message was sent with it, as after a step back in the browser
NOT_COUNTED = Refusal(  # the database failed, and what isn't counted and stored isn't sent
    failure_rules.rule(failure_rules.NOT_COUNTED).sentence,
    failure_rules.NOT_COUNTED,
    retry_after=SECONDS_UNTIL_THE_DATABASE_IS_BACK,
)
NOT_AGREED = Refusal(_("Tick the box first."), failure_rules.CONSENT_MISSING)


def not_admitted(code: str) -> Refusal:
    """Return why the bot takes no message now, or not before the visitor has agreed."""
    return NOT_AGREED if code == failure_rules.CONSENT_MISSING else Refusal(failure_rules.rule(code).sentence, code)


def unproven(code: str) -> Refusal:
    """Return that the bot asks for a proof of work, and this one is missing, wrong or too old."""
    return Refusal(UNPROVEN if code == failure_rules.PROOF_MISSING else OUT_OF_DATE, code)


def too_many_messages(wait: int, *, is_own: bool = True) -> Refusal:
    """Return that the limit of the visitor, or of their IP address, is used up for `wait` seconds."""
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
    return Refusal(sentence % {"wait": wait}, failure_rules.RATE_LIMITED, wait=wait, countdown=countdown)


def too_many_conversations(retry_after: int) -> Refusal:
    """Return that the visitor has started as many conversations as a day allows."""
    sentence = _("You’ve started a lot of conversations today. You can start another one tomorrow.")
    return Refusal(sentence, "CONVERSATIONS_SPENT", retry_after=retry_after)


def too_many_searches(retry_after: int) -> Refusal:
    """Return that the limit for searches from one IP address is used up."""
    sentence = _("A lot of searches are coming from your network. Ask in your own words instead.")
    return Refusal(sentence, failure_rules.RATE_LIMITED, retry_after=retry_after)


def check_length(message: str) -> None:
    """Raise ValidationError if the message is longer than the limit."""
    limit = settings.MESSAGE_MAX_LENGTH
    over = len(message) - limit
    if over > 0:
        sentence = ngettext(
            "This message is %(over)d character longer than the limit of %(limit)d. Shorten it.",
            "This message is %(over)d characters longer than the limit of %(limit)d. Shorten it.",
            over,
        )
        raise forms.ValidationError(sentence, code="MESSAGE_TOO_LONG", params={"over": over, "limit": limit})


class TextField(forms.CharField):
    """A text field that removes characters no keyboard types, before the text is checked and counted."""

    def to_python(self, value: str | None) -> str:
        text = without_invisible(value).strip() if value else ""
        is_blank = all(unicodedata.category(character) == "Cf" for character in text)  # such as a lone zero-width space
        return "" if is_blank else text


class ReasonField(TextField):
    """Why a reply wasn't helpful: shortened rather than refused."""

    LIMIT = 500  # characters

    def to_python(self, value: str | None) -> str:
        return super().to_python(value)[: self.LIMIT]


class MessageForm(forms.Form):
    """One message, and the key that makes sending it twice the same as sending it once."""

    message = TextField(required=False)
    suggestion = TextField(required=False)  # the suggested question that was pressed instead
    key = forms.UUIDField(error_messages={"required": OUT_OF_DATE, "invalid": OUT_OF_DATE})
    # The last turn that the page shows.
    after = forms.UUIDField(required=False, error_messages={"invalid": OUT_OF_DATE})
    conversation = forms.UUIDField(required=False, error_messages={"invalid": OUT_OF_DATE})  # where there are several
    page = TextField(required=False)  # that the visitor is on, in the widget

    refused: Refusal | None = None  # why it isn't taken, whatever is in it

    @property
    def limit(self) -> int:
        return settings.MESSAGE_MAX_LENGTH

    @property
    def counted_from(self) -> int:
        return int(self.limit * COUNTED_FROM)

    @property
    def text(self) -> str:
        """Return what the visitor typed, or the suggestion they pressed, for the composer to show again."""
        if not self.is_bound:
            return self.initial.get("message", "")
        return self.data.get("message") or self.data.get("suggestion", "")

    @property
    def agreed_to(self) -> str:
        """Return the version of the consent text beside the box that was ticked."""
        return self.data.get("consent", "")

    @property
    def proof(self) -> str | None:
        """Return the solved challenge; None from a page that was loaded before the bot asked for one."""
        return self.data.get("proof")

    @functools.cached_property
    def fresh_key(self) -> uuid.UUID:
        """Return the key for the next form. A message refused only for its proof keeps its key: it may be stored."""
        return self.cleaned_data["key"] if self.is_unproven else uuid.uuid4()

    @property
    def draft(self) -> str:
        """Return what was in the composer, unsent, while a suggested question was sent."""
        return self.data.get("message", "") if self.data.get("suggestion") else ""

    def clean(self) -> dict[str, object]:
        message = self.cleaned_data.get("suggestion") or self.cleaned_data.get("message")
        if not message:
            raise forms.ValidationError(_("Type a message first."), code="MESSAGE_REQUIRED")
        check_length(message)
        return {**self.cleaned_data, "message": message}

    @property
    def without_script(self) -> Refusal:
        """Return what visitors without JavaScript should know before their first message."""
        return unproven(failure_rules.PROOF_MISSING)

    @property
    def is_unproven(self) -> bool:
        codes = (failure_rules.PROOF_MISSING, failure_rules.PROOF_EXPIRED)
        return self.refused is not None and self.refused.code in codes

    @property
    def is_from_before_the_proof(self) -> bool:
        """Return whether the page was loaded before its bot asked for proofs."""
        return self.is_unproven and self.proof is None

    @property
    def refusal(self) -> Refusal | None:
        """Return why the message isn't taken: `refused`, or the first error of a field."""
        if self.refused or not self.errors:
            return self.refused
        [error, *_others] = next(iter(self.errors.as_data().values()))
        return Refusal(error.messages[0], error.code.upper())
