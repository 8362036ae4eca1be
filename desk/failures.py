"""Why a message failed, in the owner's words, with the code that the manual explains."""

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from webchat.upstream import failure_rules

CAUSES = {
    "MESSAGE_REQUIRED": _("The service found no text in it"),
    "CHAT_NOT_FOUND": _("The service had ended the conversation"),
    "BOT_UNAVAILABLE": _("The bot was not available"),
    "INTERNAL_ERROR": _("The service had an error"),
    "BOT_DISABLED": _("The bot is switched off at its service"),
    "MISSING_API_KEY": _("The key is missing"),
    "INVALID_API_KEY": _("The service refused the key"),
    "INVALID_JSON": _("The service could not read the message"),
    failure_rules.UNREACHABLE: _("The service could not be reached"),
    failure_rules.NO_ANSWER: _("No usable answer in time"),
    failure_rules.LOST: _("This site stopped before the reply came"),
    failure_rules.BAD_CONFIGURATION: _("Wrong address or certificate"),
    failure_rules.RATE_LIMITED: _("The service was overloaded"),
    failure_rules.NOT_COUNTED: _("This site’s database was busy"),
    failure_rules.SWITCHED_OFF: _("The bot was switched off here"),
    failure_rules.CLOSED: _("The chat was closed"),
    failure_rules.BUDGET_SPENT: _("The daily limit was reached"),
}


def cause_of(code: str) -> str:
    """Return the cause; of a code that only the service knows, the code."""
    return str(CAUSES.get(code, code)) or gettext("Unknown cause")


def describe(code: str) -> str:
    return f"{CAUSES[code]} ({code})" if code in CAUSES else cause_of(code)
