"""Detects questions for a time, a number or a name, numbers, names, and the days of the week, in many languages."""

import tomllib
from functools import cache
from pathlib import Path

import regex
from django.utils import dates, translation

from docbot.retrieval.analysis import fold, whole_words, with_or_without_accents

_WORDS = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
_SAID = tomllib.loads(with_or_without_accents(_WORDS))


def _any_of(name: str) -> str:
    return "|".join(_SAID[name].strip().splitlines())


_HOW_MANY, _WHEN_FIRST, _WHEN = map(_any_of, ("how_many", "when_first", "when"))
_ASKED = regex.compile(rf"{whole_words(f'{_HOW_MANY}|{_WHEN}')}|^\W*(?:\w+ )?(?:{_WHEN_FIRST})\b", regex.IGNORECASE)
NAME_ASKED = regex.compile(r"\b(?:who(?:se|m)?|where)\b", regex.IGNORECASE)  # English only, where it was measured
NAME = regex.compile(r"(?<=[\p{Ll},;)] )\p{Lu}\p{L}+")  # within a sentence, in languages whose nouns are small
NUMBER = regex.compile(r"\p{N}|[一二三四五六七八九十百千万億]")


def is_asked(message: str) -> bool:
    return bool(_ASKED.search(message))


@cache
def day_names(language: str) -> regex.Pattern:
    """Return a pattern of the days of the week and what they are called otherwise, for folded text."""
    with translation.override(language or "en"):
        names = [fold(str(name)) for name in dates.WEEKDAYS.values()]
        short = [rf"\b{fold(str(name)).rstrip('.')}\b" for name in dates.WEEKDAYS_ABBR.values()]
    return regex.compile("|".join([*names, *short, *_SAID["other_days"].get(language, "").split()]))
