"""Tells small talk (greetings, thanks, goodbyes) from questions, in many languages."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Literal

import regex

from docbot.retrieval.analysis import fold, unaccented

Kind = Literal["hello", "thanks", "goodbye", "about_me", "anger", "human"]

_SAID = tomllib.loads(Path(__file__).with_name("small_talk.toml").read_text(encoding="utf-8"))
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_STOP = regex.compile(r"[,.!?;:\n…،؟。！？、।]")
_LONGEST = 6  # words of a phrase
_ASKS = 3  # words after a greeting that make a question even without a comma
_WISHES = 4  # words of a clause that asks for a person, whatever stands beside it: "a person" may be the price's


def _plain(text: str) -> str:
    return unaccented(fold(text))  # many type "buenos dias"


@cache
def _kinds() -> dict[tuple[str, ...], Kind]:
    return {
        tuple(_WORD.findall(_plain(phrase))): kind
        for kind, phrases in _SAID["phrases"].items()
        for phrase in phrases.split(";")
    }


@cache
def _patterns() -> dict[Kind, regex.Pattern]:
    patterns = _SAID["patterns"].items()
    return {kind: regex.compile("|".join(f"(?:{_plain(one)})" for one in several)) for kind, several in patterns}


def small_talk(message: str) -> tuple[Kind | None, str]:
    """Return the kind of small talk if the message is nothing else, and the rest of the message to search for.

    Whoever asks for a person wants one, whatever else is said.
    """
    folded, plain = fold(message), _plain(message)
    matches = list(_WORD.finditer(plain))
    clauses = (_WORD.findall(clause) for clause in _STOP.split(plain))
    if any(len(said) >= _WISHES and _patterns()["human"].fullmatch(" ".join(said)) for said in clauses):
        return "human", ""
    words = [match[0] for match in matches]
    found: list[Kind] = []
    place = 0
    while place < len(words):
        length, kind = _longest(words[place : place + _LONGEST])
        whole = _clause(plain, matches, place)
        for other, pattern in _patterns().items():
            if len(whole) > length and pattern.fullmatch(" ".join(whole)):
                length, kind = len(whole), other
        if kind is None:
            break
        found.append(kind)
        place += length
    if not found:
        return None, message
    if place == len(words):
        return max(found, key=("hello", "goodbye", "thanks", "anger", "about_me", "human").index), ""
    between = folded[matches[place - 1].end() : matches[place].start()]
    if _STOP.search(between) or (set(found) == {"hello"} and len(words) - place >= _ASKS):
        return None, folded[matches[place].start() :]
    return None, message  # "great wall", "help me to …": part of the question


def _clause(folded: str, matches: list[regex.Match], place: int) -> list[str]:
    """Return the words from this place to the next comma or full stop."""
    end = place + 1
    while end < len(matches) and not _STOP.search(folded[matches[end - 1].end() : matches[end].start()]):
        end += 1
    return [match[0] for match in matches[place:end]]


def _longest(words: list[str]) -> tuple[int, Kind | None]:
    for length in range(len(words), 0, -1):
        kind = _kinds().get(tuple(words[:length]))
        if kind:
            return length, kind
    return 0, None
