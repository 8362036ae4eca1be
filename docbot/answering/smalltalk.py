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
_BETWEEN = regex.compile(r"[^\p{L}\p{M}\p{N}]+")
_STOP = regex.compile(r"[,.!?;:\n…،؟。！？、।]")
_ASKS = 3  # words after a greeting that make a question even without a comma
_WISHES = 4  # words of a clause that asks for a person, whatever stands beside it: "a person" may be the price's


def _plain(text: str) -> str:
    return unaccented(fold(text))  # many type "buenos dias"


@cache
def _ways() -> regex.Pattern:
    """Return a pattern of whole clauses, then of phrases, the longest first; each is a group of its kind."""
    clauses = [rf"(?P<{kind}>{_plain(one)})(?:, |$)" for kind, ways in _SAID["patterns"].items() for one in ways]
    phrases = [(_WORD.findall(_plain(one)), kind) for kind, ways in _SAID["phrases"].items() for one in ways.split(";")]
    longest_first = sorted(phrases, key=lambda phrase: -len(phrase[0]))
    return regex.compile(
        "|".join([*clauses, *(rf"(?P<{kind}>{',? '.join(its)})(?:,? |$)" for its, kind in longest_first)])
    )


def small_talk(message: str) -> tuple[Kind | None, str]:
    """Return the kind of small talk if the message is nothing else, and the rest of the message to search for.

    Whoever asks for a person wants one, whatever else is said.
    """
    plain = _BETWEEN.sub(lambda gap: ", " if _STOP.search(gap[0]) else " ", _plain(message)).strip(" ,")
    wishes = (_ways().fullmatch(clause) for clause in plain.split(", ") if len(clause.split()) >= _WISHES)
    if any(wish and wish.lastgroup == "human" for wish in wishes):
        return "human", ""
    kinds: set[Kind] = set()
    end = 0
    while end < len(plain) and (said := _ways().match(plain, end)):
        kinds.add(said.lastgroup)
        end = said.end()
    if kinds and end == len(plain):
        return max(kinds, key=("hello", "goodbye", "thanks", "anger", "about_me", "human").index), ""
    rest = plain[end:].split()
    if kinds and (plain[:end].endswith(", ") or (kinds == {"hello"} and len(rest) >= _ASKS)):
        folded = fold(message)
        return None, folded[[*_WORD.finditer(folded)][-len(rest)].start() :]
    return None, message  # "great wall", "help me to …": part of the question
