"""Why a document can't be read, in the reader's language: docbot.reading says it in English."""

import re

from django.utils.translation import gettext, gettext_noop

NUMBER = re.compile(r"\d[\d,.]*")

REASONS = (
    gettext_noop("it is empty"),
    gettext_noop("there is no text in it"),
    gettext_noop("there is no text in it, perhaps only scanned pages: run text recognition (OCR) on it first"),
    gettext_noop("it is encrypted with a password"),
    gettext_noop("it is protected against copying (DRM)"),
    gettext_noop("it is damaged: save it again, or in another format"),
    gettext_noop("it is damaged: it is not a whole PDF"),
    gettext_noop("it is damaged: it is not a whole zip archive"),
    gettext_noop("it is damaged: one of its parts is not whole XML"),
    gettext_noop("it holds binary data, not text"),
    gettext_noop("it is not text in any known encoding"),
    gettext_noop("it holds no subtitles"),
    gettext_noop("it has %(number)s pages: split it"),
    gettext_noop("reading it takes longer than %(number)s seconds"),
    gettext_noop("reading it takes too much memory"),
    gettext_noop("it is not a valid address"),
    gettext_noop("there is no such host"),
    gettext_noop("it can't be reached"),
    gettext_noop("it doesn't answer in time"),
    gettext_noop("its answer breaks off"),
    gettext_noop("its certificate is not valid"),
    gettext_noop("it doesn't offer https: try http://"),
    gettext_noop("its robots.txt doesn't let it be read"),
    gettext_noop("there is no such page"),
    gettext_noop("the website answers with status %(number)s"),
)


def translated(reason: str) -> str:
    """Return the reason in the reader's language; one that is not among REASONS stays in English."""
    number = NUMBER.search(reason)
    pattern = NUMBER.sub("%(number)s", reason, count=1)
    return gettext(pattern).replace("%(number)s", number[0] if number else "") if pattern in REASONS else reason
