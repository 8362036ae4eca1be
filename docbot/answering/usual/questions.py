"""Recognizes what visitors ask most, mostly in words that no document has: opening hours, prices, contact details."""

import tomllib
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, get_args

import regex
from django.utils import dates, translation

from docbot.answering.quantities import day_names
from docbot.retrieval.analysis import unaccented, words

# In this order: an "email address" is no address.
Usual = Literal["opening_hours", "prices", "email", "phone", "address", "directions", "reach"]

_SAID = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_UNDIVIDED = ("ja", "ko", "zh")  # their words aren't told apart
_LONGEST = 15  # characters of such a message
_MOST_LETTERS = 200  # of any message that is compared; what goes on after them says more


def asked(message: str, language: str) -> Usual | None:
    """Return what the message asks for, if it asks for nothing else."""
    said = words(message[:_MOST_LETTERS])
    return next((one for one in get_args(Usual) if _is_asked(one, said, language)), None)


@lru_cache(maxsize=1000)  # earlier messages are looked at again
def languages(message: str) -> list[str]:
    """Return the languages in which it is such a question: "opening hours" has no function word to tell it by."""
    return [language for language in _SAID["contact"] if asked(message, language)]


def names(what: Usual, languages: Iterable[str]) -> str:
    """Return what most documents in these languages call it."""
    key = "to_find" if what == "directions" else "name"
    return ", ".join(_table(what)[one][key] for one in languages if one in _table(what))


def _table(what: Usual) -> dict[str, dict[str, str]]:
    return _SAID.get(what, _SAID["contact"])


def _is_asked(what: Usual, said: Sequence[str], language: str) -> bool:
    """Return whether a message of these words says one of the ways, and beside it only words that say nothing."""
    if not (its := _table(what).get(language)):
        return False
    ways = its.get("ways") or its[what]
    if language in _UNDIVIDED:
        whole = "".join(said)
        rest = _pieces(ways).sub("", whole, count=1)
        says_more = _pieces(its["beside"]).sub("", rest) if "beside" in its else len(whole) > _LONGEST
        return rest != whole and not says_more
    beside, *others = _sets(f"{its['beside']};{ways}")
    plain = {unaccented(word) for word in said if not day_names(language).search(word)}
    return any(way and way <= plain <= way | beside for way in others)


@cache
def _sets(ways: str) -> list[frozenset[str]]:
    return [frozenset(words(unaccented(way))) for way in ways.split(";")]


@cache
def _pieces(text: str) -> regex.Pattern:
    return regex.compile("|".join(sorted(text.split(), key=len, reverse=True)))


def with_days(message: str, language: str) -> str:
    """Return a message with the days of the weekend instead of its name, as tables have them."""
    weekend = _SAID["opening_hours"].get(language, {}).get("weekend")
    with translation.override(language):
        days = f"{dates.WEEKDAYS[5]} {dates.WEEKDAYS[6]}"
    return regex.sub(weekend, days, message, flags=regex.IGNORECASE) if weekend else message


def holidays(text: str, language: str) -> frozenset[str]:
    """Return the words by which a text speaks of holidays."""
    return words_of_holidays(language).intersection(map(unaccented, words(text)))


@cache
def words_of_holidays(language: str) -> frozenset[str]:
    return frozenset(words(unaccented(_SAID["opening_hours"].get(language, {}).get("holidays", ""))))
