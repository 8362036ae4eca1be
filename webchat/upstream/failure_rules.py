"""What a visitor reads and can do when a turn has no reply: the table of codes, as data."""

import logging
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from webchat.upstream.wire import looks_like_code

# Our own codes, besides the eight of chat-api.md, section 7.
UNREACHABLE = "UNREACHABLE"
NO_ANSWER = "NO_ANSWER"
LOST = "WORKER_LOST"
BAD_CONFIGURATION = "BAD_CONFIGURATION"
RATE_LIMITED = "RATE_LIMITED"
BUDGET_SPENT = "BUDGET_SPENT"
NOT_COUNTED = "NOT_COUNTED"
SWITCHED_OFF = "SWITCHED_OFF"
CLOSED = "CLOSED"
CONSENT_MISSING = "CONSENT_MISSING"
DETAILS_MISSING = "DETAILS_MISSING"
PROOF_MISSING = "PROOF_MISSING"
PROOF_EXPIRED = "PROOF_EXPIRED"

RETRY, RESEND, NEW, CONTACT = "retry", "resend", "new", "contact"


@dataclass(frozen=True)
class Rule:
    """One row: the sentence, the button that asks again, when the contact is offered, how the owner is told."""

    sentence: Promise
    again: str = ""  # RETRY, RESEND or NEW
    contact_after: int | None = 1  # failures in a row before the contact is offered; None: never
    shows_code: bool = False
    level: int = logging.WARNING
    alarm: str = ""  # the alarm that is raised besides the log: a value of Alarm.Cause

    def controls(self, failures: int) -> list[str]:
        return ([self.again] if self.again else []) + (
            [CONTACT] if self.contact_after is not None and failures >= self.contact_after else []
        )


CANT_ANSWER_NOW = Rule(_("The bot can’t answer right now. Your message is kept."), again=RETRY, contact_after=2)
NOT_AVAILABLE = Rule(_("This chat isn’t available at the moment."), level=logging.ERROR, alarm="key_refused")
NOT_HEARD_BACK = Rule(
    _("We didn’t hear back from the bot. It may have got your message: if you send it again, it may get it twice."),
    again=RESEND,
    contact_after=2,
)
COULDNT_ANSWER = Rule(_("The bot couldn’t answer this message."), shows_code=True)

RULES = {
    "MESSAGE_REQUIRED": Rule(
        _("The bot found no text in this message. Try rephrasing it."), contact_after=None, level=logging.INFO
    ),
    # Seen only if the message was also refused without a chatId: then there is no conversation to return to.
    "CHAT_NOT_FOUND": Rule(_("The earlier conversation has ended. Start a new one."), again=NEW),
    "BOT_UNAVAILABLE": CANT_ANSWER_NOW,
    "INTERNAL_ERROR": CANT_ANSWER_NOW,
    UNREACHABLE: CANT_ANSWER_NOW,
    NOT_COUNTED: CANT_ANSWER_NOW,
    "BOT_DISABLED": Rule(_("This chat is offline."), level=logging.ERROR, alarm="bot_disabled"),
    "MISSING_API_KEY": NOT_AVAILABLE,
    "INVALID_API_KEY": NOT_AVAILABLE,
    "INVALID_JSON": NOT_AVAILABLE,
    BAD_CONFIGURATION: NOT_AVAILABLE,
    NO_ANSWER: NOT_HEARD_BACK,
    LOST: NOT_HEARD_BACK,
    RATE_LIMITED: Rule(
        _("The bot is very busy right now. Your message is kept."),
        again=RETRY,
        contact_after=2,
        level=logging.INFO,
    ),
    SWITCHED_OFF: Rule(
        _("This chat is switched off at the moment. Your message is kept."), again=RETRY, level=logging.INFO
    ),
    CLOSED: Rule(_("This chat is closed at the moment. Your message is kept."), again=RETRY, level=logging.INFO),
    # "Try again" appears when the new day has begun: before that the message would be refused again.
    BUDGET_SPENT: Rule(
        _("This chat is closed for today. Your message is kept."),
        again=RETRY,
        level=logging.ERROR,
        alarm="budget_spent",
    ),
}


def rule(code: str) -> Rule:
    """Return the row for a code; unknown codes share one row."""
    return RULES.get(code, COULDNT_ANSWER)


def presentable(code: str) -> str:
    """Return the code if it may be shown in small print, else "": visitors never see an upstream's own words."""
    return code if rule(code).shows_code and looks_like_code(code) else ""
