"""Why a document can't be read, in the reader's language: docbot.reading says it in English."""

import re

from django.utils.translation import gettext, gettext_noop

VALUE = re.compile(r"%\\\((\w+)\\\)s")  # as re.escape leaves it

REASONS = (
    gettext_noop("it is empty"),
    gettext_noop("there is no text in it"),
    gettext_noop("there is no text in it, perhaps only scanned pages: run text recognition (OCR) on it first"),
    gettext_noop("it is encrypted with a password"),
    gettext_noop("it is protected against copying (DRM)"),
    gettext_noop("it is damaged: save it again, or in another format"),
    gettext_noop("it holds binary data, not text"),
    gettext_noop("it is not text in any known encoding"),
    gettext_noop("it has %(number)s pages: split it"),
    gettext_noop("reading it takes longer than %(number)s seconds"),
    gettext_noop("reading it takes too much memory"),
    gettext_noop("it is not a valid address"),
    gettext_noop("there is no such host"),
    gettext_noop("it can’t be reached"),
    gettext_noop("it doesn’t answer in time"),
    gettext_noop("its answer breaks off"),
    gettext_noop("its certificate is not valid"),
    gettext_noop("it doesn’t offer https: try http://"),
    gettext_noop("its robots.txt doesn’t let it be read"),
    gettext_noop("there is no such page"),
    gettext_noop("the website answers with status %(number)s"),
    gettext_noop("files of this kind (%(suffix)s) can’t be read"),
    gettext_noop("files of this kind (%(suffix)s) can’t be read: save it as %(format)s"),
    gettext_noop("its name ends in %(suffix)s, but it is not %(what)s"),
    gettext_noop("its name ends in %(suffix)s, but it is %(what)s"),  # after “not”, which it would match, too
    gettext_noop("it is not a file"),
    gettext_noop("it can’t be opened (%(cause)s)"),
    gettext_noop("it is larger than %(number)s MB (DOCBOT_FILE_MAX_MB)"),
    gettext_noop("it is larger than %(number)s MB"),
    gettext_noop("it is damaged"),
    gettext_noop("it holds more than %(number)s characters of text: split it"),
    gettext_noop("it unpacks to %(size)s MB in %(number)s parts, which is too much to be read"),
    gettext_noop("it unpacks to %(number)s times its size, as zip bombs do"),
    gettext_noop("it defines XML entities, which can make a small file expand to gigabytes"),
    gettext_noop("its path is too long to be kept"),
    gettext_noop("no whole answer within %(number)s seconds"),
    gettext_noop("its address %(address)s is private (see DOCBOT_ALLOW_PRIVATE)"),
    gettext_noop("its robots.txt can’t be fetched (status %(number)s)"),
    gettext_noop("it leads to %(address)s"),
    gettext_noop("it is of a kind that can’t be read (%(kind)s)"),
    gettext_noop("it has more than %(number)s pages (DOCBOT_SITE_MAX_PAGES)"),
    gettext_noop("%(number)s pages in a row could not be fetched"),
)
# What stands in some of them.
WHAT = (
    gettext_noop("no suffix"),
    gettext_noop("a PDF"),
    gettext_noop("a zip archive, as Office files are"),
    gettext_noop("an old Office file"),
    gettext_noop("a picture"),
    gettext_noop("a gzip archive"),
)


def _as_pattern(reason: str) -> re.Pattern[str]:
    """Return what matches the reason with any values.

    docbot.reading, whose sentences terminals show too, writes straight apostrophes.
    """
    return re.compile(VALUE.sub(r"(?P<\1>.+)", re.escape(reason.replace("’", "'"))), re.DOTALL)


PATTERNS = {reason: _as_pattern(reason) for reason in REASONS}


def translated(reason: str) -> str:
    """Return the reason in the reader's language; one that is not among REASONS stays in English."""
    for english, pattern in PATTERNS.items():
        if match := pattern.fullmatch(reason):
            values = {name: gettext(value) if value in WHAT else value for name, value in match.groupdict().items()}
            return gettext(english) % values
    return reason
