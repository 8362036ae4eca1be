"""Recognizes what visitors ask most, mostly in words that no document has: opening hours, prices, contact details."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Literal

from docbot.answering.quantities import day_names
from docbot.retrieval.analysis import unaccented, words

Detail = Literal["phone", "email", "address", "reach"]

_SAID = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_DETAILS: tuple[Detail, ...] = ("email", "phone", "address", "reach")  # an "email address" is no address
_LONGEST = 15  # characters of a message in a language whose words aren't told apart


def asked(what: Literal["opening_hours", "prices"], message: str, language: str) -> str:
    """Return what most documents in the language call it if the message asks for nothing else, otherwise ""."""
    its = _SAID[what].get(language, {})
    return its["name"] if _is_asked(its, "ways", message, language) else ""


def detail_asked(message: str, language: str) -> tuple[Detail, str] | None:
    """Return the contact detail that the message asks for if it asks for nothing else, and what documents call it."""
    its = _SAID["contact"].get(language, {})
    return next(((one, its["name"]) for one in _DETAILS if _is_asked(its, one, message, language)), None)


def _is_asked(its: dict[str, str], key: str, message: str, language: str) -> bool:
    said = {unaccented(word) for word in words(message) if not day_names(language).search(word)}
    joined = "".join(words(message))
    if "whole" in its:
        return joined in its["whole"].split()
    if "beside" not in its:
        return len(joined) <= _LONGEST and any(piece in joined for piece in its.get(key, "").split())
    beside, *ways = ({*words(unaccented(way))} for way in (its["beside"], *its[key].split(";")))
    return any(way and way <= said <= way | beside for way in ways)


def holidays(text: str, language: str) -> frozenset[str]:
    """Return the words by which a text speaks of holidays."""
    return words_of_holidays(language).intersection(map(unaccented, words(text)))


@cache
def words_of_holidays(language: str) -> frozenset[str]:
    return frozenset(words(unaccented(_SAID["opening_hours"].get(language, {}).get("holidays", ""))))
