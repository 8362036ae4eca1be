"""Recognizes what visitors ask most, mostly in words that no document has: the opening hours and the prices."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Literal

from docbot.answering.quantities import day_names
from docbot.retrieval.analysis import unaccented, words

_SAID = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_LONGEST = 15  # characters of a message in a language whose words aren't told apart


def asked(what: Literal["opening_hours", "prices"], message: str, language: str) -> str:
    """Return what most documents in the language call it if the message asks for nothing else, otherwise ""."""
    its = _SAID[what].get(language, {})
    said = {unaccented(word) for word in words(message) if not day_names(language).search(word)}
    joined = "".join(words(message))
    if "whole" in its:
        is_asked = joined in its["whole"].split()
    elif "pieces" in its:
        is_asked = len(joined) <= _LONGEST and any(piece in joined for piece in its["pieces"].split())
    else:
        beside, *ways = ({*words(unaccented(way))} for way in (its.get("beside", ""), *its.get("ways", "").split(";")))
        is_asked = any(way and way <= said <= way | beside for way in ways)
    return its["name"] if is_asked else ""


def holidays(text: str, language: str) -> frozenset[str]:
    """Return the words by which a text speaks of holidays."""
    return words_of_holidays(language).intersection(map(unaccented, words(text)))


@cache
def words_of_holidays(language: str) -> frozenset[str]:
    return frozenset(words(unaccented(_SAID["opening_hours"].get(language, {}).get("holidays", ""))))
