"""Holds the bot's own sentences in the visitors' languages."""

import tomllib
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from django.utils import formats, translation

from docbot.retrieval.analysis import words
from docbot.retrieval.languages import detect, likeliest, script, signs_of
from docbot.retrieval.stopwords import STOP_WORDS

_LONG_DAY = {"en": "j F Y"}  # the desk's is shorter
_SURE = 2  # function words, letters and likeness to everyday messages of a language that no document is in
_SENTENCE = 3  # words


@dataclass(frozen=True)
class Phrases:
    """What the bot says in its own words; everything else is quoted."""

    source: str
    unsure: str  # before what may be meant
    unknown: str
    which: str  # before the things that the question may be about
    topics: str  # before what the bot knows about
    hello: str
    welcome: str  # after thanks
    goodbye: str
    about_me: str
    human: str  # when a person is asked for
    sorry: str  # after anger
    team: str  # below what the owner's team has taught; {date} is the day
    elsewhere: str  # before a quotation in another language than the visitor's


_SAID = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_PHRASES = {language: Phrases(**each) for language, each in _SAID.items()}


def phrases(language: str) -> Phrases:
    """Return the sentences in the language with this ISO 639-1 code."""
    return _PHRASES.get(language) or _PHRASES["en"]


def quotation_alone(reply: str) -> str:
    """Return a reply without the sentence that says that the quotation below it is in another language."""
    first, _, rest = reply.partition("\n\n")
    return rest if any(first == said.elsewhere for said in _PHRASES.values()) else reply


def written_day(day: str, language: str) -> str:
    """Return a day such as 2026-11-23 as people write it in the language."""
    names = {"en": "en-gb", "zh": "zh-hans"}
    with translation.override(names.get(language, language)):
        return formats.date_format(date.fromisoformat(day), _LONG_DAY.get(language, "DATE_FORMAT"))


def spoken(message: str, language: str) -> str:
    """Return the language that the message is clearly in, else the given one, which the documents are in.

    One function word is enough in a sentence whose letters are like that language's, not in "son age".
    """
    found = detect(message, is_message=True)
    is_kanji = language == "ja" and found == "zh" and not signs_of(found, message)
    if found == language or found not in _PHRASES or is_kanji:
        return language
    said = words(message)
    theirs, ours = (sum(word in STOP_WORDS.get(one, ()) for word in said) for one in (found, language))
    theirs += signs_of(found, message)
    is_alike = len(said) >= _SENTENCE and likeliest(message, (language, found)) == found
    is_sure = theirs > ours and theirs + is_alike >= _SURE
    return found if is_sure or script(message) != "latn" else language
