"""Detects the language of a text by its script or, if several languages share it, by its function words."""

import tomllib
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache
from math import log
from pathlib import Path

import regex

from docbot.retrieval.stopwords import STOP_WORDS, UNSPACED

EVERYDAY = Path(__file__).with_name("everyday_messages")
_WRITTEN = {file.stem: file for file in EVERYDAY.glob("*.txt")}
_SAMPLE = 6000  # characters: enough to tell
# A single capital is a size or an initial, "20 l" and "(m)" are units, "s" is from "children's"; French "l'eau" counts.
_WORD = regex.compile(r"(?!\p{Lu}\b)(?![dghlmst]\b(?!['’]))[\p{L}\p{M}]+")
_SAID = tomllib.loads(Path(__file__).with_name("scripts.toml").read_text(encoding="utf-8"))
_SCRIPTS = {name: regex.compile(letters) for name, letters in _SAID["scripts"].items()}
_WRITTEN_IN = {"arab": ("ar", "fa", "ur"), "cyrl": ("ru", "uk", "bg", "sr"), "deva": ("hi", "mr", "ne")}
_WRITTEN_IN["latn"] = tuple(
    language
    for language in STOP_WORDS
    if language not in _SCRIPTS and not any(language in others for others in _WRITTEN_IN.values())
)
_SIGN_WEIGHT = 0.5
_LIKELIEST = 0.5  # the weight of being likeliest by its letters, relative to a function word that no other has
_MOST_LETTERS = 200  # that are compared with everyday messages
_MANY_WORDS = 30
_DIFFERENT = 4  # function words


def _words_to_languages() -> dict[str, tuple[tuple[str, float], ...]]:
    found = defaultdict(list)
    for language, words in STOP_WORDS.items():
        if language not in UNSPACED:
            for word in words:
                found[word].append(language)
    # A word that many languages share ("de", "a") says little about any of them.
    return {word: tuple((language, 1 / len(languages)) for language in languages) for word, languages in found.items()}


_LANGUAGES_OF = _words_to_languages()


def script(text: str) -> str:
    """Return the ISO 639-1 code of a language with a script of its own, else `arab`, `cyrl`, `deva`, `latn` or ""."""
    counts = {name: len(pattern.findall(text)) for name, pattern in _SCRIPTS.items()}
    letters = sum(counts.values())
    if not letters:
        return ""
    if counts["ja"] >= 0.05 * (counts["ja"] + counts["zh"]) and counts["ja"] + counts["zh"] > 0.3 * letters:
        return "ja"  # kanji are Han too: kana between them mean Japanese
    return max(counts, key=counts.__getitem__)


def signs_of(language: str, text: str) -> int:
    """Count the letters that only this language of its script uses."""
    return sum(map(text.count, _SAID["letters"].get(language, "")))


def detect(text: str, *, is_message: bool = False) -> str:
    """Return the ISO 639-1 code of the text's language, or "" when it can't be told.

    A visitor's message is likely to be like everyday messages; a document of few words is not.
    """
    sample = text[:_SAMPLE]
    written = script(sample)
    if written not in _WRITTEN_IN:
        return written
    among = _WRITTEN_IN[written]
    scores: Counter[str] = Counter()
    found = defaultdict(set)
    words = [word.casefold() for word in _WORD.findall(sample)]
    for word in words:
        for language, weight in _LANGUAGES_OF.get(word, ()):
            scores[language] += weight
            found[language].add(word)
    if len(words) > _MANY_WORDS:  # a table repeats the words of its header
        scores = Counter({language: score for language, score in scores.items() if len(found[language]) >= _DIFFERENT})
    elif is_message and scores[best := likeliest(sample, among)]:
        scores[best] += _LIKELIEST
    ranked = sorted(((scores[one] + _SIGN_WEIGHT * signs_of(one, sample), one) for one in among), reverse=True)
    best = ranked[0][0]
    unknown = "" if written == "latn" else among[0]
    if best == 0 or best < min(1.0, 0.05 * len(words)):
        return unknown
    return likeliest(sample, [language for score, language in ranked if score == best]) or unknown


def likeliest(text: str, languages: Sequence[str]) -> str:
    """Return the language in whose everyday messages the text's trigrams of letters are likeliest.

    Of several languages: those with as many function words. "" if none of them has everyday messages.
    """
    if len(languages) == 1:
        return languages[0]
    said, usual = _trigrams(text[:_MOST_LETTERS]), {one: _chances(one) for one in languages if one in _WRITTEN}
    chances = {one: sum(its.get(each, its[""]) for each in said) for one, its in usual.items()}
    return max(chances, key=chances.__getitem__, default="")


@cache
def _chances(language: str) -> dict[str, float]:
    """Return how likely each trigram is in everyday messages; "" is any other."""
    found = Counter(_trigrams(_WRITTEN[language].read_text(encoding="utf-8")))
    total = found.total()
    return {each: log((count + 0.5) / total) for each, count in found.items()} | {"": log(0.5 / total)}


def _trigrams(text: str) -> list[str]:
    letters = f" {' '.join(text.casefold().split())} "
    return [letters[place : place + 3] for place in range(len(letters) - 2)]
