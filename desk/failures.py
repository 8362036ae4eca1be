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
    "INVALID_JSON": _("The service could not read it"),
    failure_rules.UNREACHABLE: _("The service could not be reached"),
    failure_rules.NO_ANSWER: _("No usable answer came in time"),
    failure_rules.LOST: _("This site was stopped meanwhile"),
    failure_rules.BAD_CONFIGURATION: _("The service’s address or certificate is wrong"),
    failure_rules.RATE_LIMITED: _("The service had too much to do"),
    failure_rules.NOT_COUNTED: _("This site’s database was busy"),
    failure_rules.SWITCHED_OFF: _("The bot was switched off here"),
    failure_rules.CLOSED: _("The bot was closed"),
    failure_rules.BUDGET_SPENT: _("The day’s limit was reached"),
}


def in_words(code: str) -> str:
    """Return the cause and its code; of a code that only the service knows, the code."""
    if not code:
        return gettext("Unknown cause")
    return f"{CAUSES[code]} ({code})" if code in CAUSES else code
