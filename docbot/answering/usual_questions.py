"""Recognizes what visitors ask most, mostly in words that no document has: opening hours, prices, contact details."""

import tomllib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Literal

import regex

from docbot.answering.quantities import day_names
from docbot.retrieval.analysis import unaccented, words

Detail = Literal["phone", "email", "address", "reach"]

_SAID = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_DETAILS: tuple[Detail, ...] = ("email", "phone", "address", "reach")  # an "email address" is no address
_UNDIVIDED = ("ja", "ko", "zh")  # their words aren't told apart
_LONGEST = 15  # characters of such a message


def asked(what: Literal["opening_hours", "prices"], message: str, language: str) -> bool:
    return _is_asked(what, "ways", message, language)


def detail_asked(message: str, language: str) -> Detail | None:
    """Return the contact detail that the message asks for, if it asks for nothing else."""
    return next((one for one in _DETAILS if _is_asked("contact", one, message, language)), None)


def names(what: str, languages: Iterable[str]) -> str:
    """Return what most documents in these languages call it."""
    return ", ".join(_SAID[what][one]["name"] for one in languages if one in _SAID[what])


def _is_asked(what: str, key: str, message: str, language: str) -> bool:
    """Return whether the message says one of the ways, and beside it only words that say nothing."""
    if not (its := _SAID[what].get(language)):
        return False
    if language in _UNDIVIDED:
        whole = "".join(words(message))
        rest = _pieces(its[key]).sub("", whole, count=1)
        says_more = _pieces(its["beside"]).sub("", rest) if "beside" in its else len(whole) > _LONGEST
        return rest != whole and not says_more
    said = {unaccented(word) for word in words(message) if not day_names(language).search(word)}
    beside, *ways = ({*words(unaccented(way))} for way in (its["beside"], *its[key].split(";")))
    return any(way and way <= said <= way | beside for way in ways)


@cache
def _pieces(text: str) -> regex.Pattern:
    return regex.compile("|".join(sorted(text.split(), key=len, reverse=True)))


def holidays(text: str, language: str) -> frozenset[str]:
    """Return the words by which a text speaks of holidays."""
    return words_of_holidays(language).intersection(map(unaccented, words(text)))


@cache
def words_of_holidays(language: str) -> frozenset[str]:
    return frozenset(words(unaccented(_SAID["opening_hours"].get(language, {}).get("holidays", ""))))
