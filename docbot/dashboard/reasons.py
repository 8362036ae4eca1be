"""Why a document can't be read, in the reader's language: docbot.reading says it in English."""

from django.utils.translation import gettext


def translated(problem: str) -> str:
    """Return a problem in the reader's language, with the details that it ends with in parentheses as they are."""
    reason, bracket, details = problem.partition(" (")
    return gettext(reason) + bracket + details
