"""Holds the words in which visitors ask for rows of a table, in the page's languages."""

import tomllib
from pathlib import Path

import regex

from docbot.retrieval.analysis import whole_words, with_or_without_accents

_WORDS = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
_SAID = tomllib.loads(with_or_without_accents(_WORDS))


def _choices(text: str) -> str:
    return "|".join(" ".join(choice.split()) for choice in text.split(";"))


def _any_of(text: str) -> regex.Pattern:
    return regex.compile(whole_words(_choices(text)), regex.IGNORECASE)


# By dimension ("" is any number), and whether the largest is wanted.
EXTREMES = tuple((one["dimension"], one["largest"], _any_of(one["words"])) for one in _SAID["extremes"])
_LIMITS = ("under", "at_most", "over", "at_least")
LIMIT = _any_of(";".join(f"(?P<{name}>{_choices(_SAID[name])})" for name in _LIMITS))
_LISTS = ("or_more", "count", "which", "not", "stock", "compare")
OR_MORE, COUNT, WHICH, NOT, STOCK, COMPARE = (_any_of(_SAID[name]) for name in _LISTS)
ASKED = {dimension: _any_of(words) for dimension, words in _SAID["asked"].items()}
_FREE = regex.compile(_choices(_SAID["free"]), regex.IGNORECASE)
_FALSE = regex.compile(_choices(_SAID["false"]), regex.IGNORECASE)


def is_false(cell: str) -> bool:
    return not cell.strip() or bool(_FALSE.fullmatch(cell.strip()))


def is_free(cell: str) -> bool:
    return bool(_FREE.fullmatch(cell.strip()))
