"""Finds related words that stemmers don't unite, such as "discovery" for "discover", and "call" for "phone"."""

import tomllib
from pathlib import Path

from docbot.retrieval import calendar_ranges
from docbot.retrieval.analysis import fold, stem, unaccented
from docbot.retrieval.index import Index

_SAID = tomllib.loads(Path(__file__).with_name("synonyms.toml").read_text(encoding="utf-8"))
_SYNONYMS = {language: {unaccented(word): others for word, others in its.items()} for language, its in _SAID.items()}
_SHORTEST = 5  # letters: prefixes of shorter terms are too common
_ENDING = 2  # last letters that related terms needn't share: y becomes i, e is dropped
_SHARED = 6  # letters that are enough to share in longer terms
_LONGER = 3  # letters that they may be longer or shorter
_MOST = 6


def relatives(term: str, index: Index) -> tuple[str, ...]:
    """Return the most frequent terms of the documents with the same beginning and about the same length."""
    if len(term) < _SHORTEST or any(letter.isdigit() for letter in term):
        return ()
    found = index.beginning_with(term[: -min(_ENDING, max(1, len(term) - _SHARED))])
    return tuple(other for other in found if other != term and len(other) <= len(term) + _LONGER)[:_MOST]


def synonyms(word: str, language: str) -> dict[str, str]:
    """Return the terms in which documents answer a question with this folded word, each with what to read for it."""
    others = _SYNONYMS.get(language, {}).get(unaccented(word), "").split()
    day = calendar_ranges.full_name(word, language, fold)  # "sun" may be the star: it is read as it stands
    return {stem(fold(other), language): other for other in others} | ({stem(day, language): word} if day else {})
