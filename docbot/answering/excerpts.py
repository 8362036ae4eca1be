"""Cuts a passage to what a reply quotes: the sentence that answers first, then others that fit."""

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import regex

from docbot.answering.candidates import Candidate
from docbot.answering.tables.words import NOT
from docbot.content import QUESTION_MARKS
from docbot.retrieval.index import AnalysedPiece
from docbot.retrieval.sentences import Piece
from docbot.retrieval.stopwords import UNSPACED

MOST_WORDS = 60
MOST_OF_A_LIST = 100
_SOON = 20  # words: what stands before an answer that comes so soon is left before it
_HEADING_WORDS = 8
_NEARLY = 0.6  # of the answer's own fit
ANNOUNCES = (":", "：")
_ENDS = regex.compile(r"[.!?…:;。！？：।؟。)\]\"'”»’]$")

_POINTING = tomllib.loads(Path(__file__).with_name("pointing.toml").read_text(encoding="utf-8"))


@cache
def _pointing_back(language: str) -> regex.Pattern:
    words = "|".join(_POINTING.get(language, _POINTING["en"]).split())
    return regex.compile(rf"\W*(?:{words})" + ("" if language in UNSPACED else r"\b"), regex.IGNORECASE)


def excerpt(candidate: Candidate) -> list[Piece]:
    """Return the pieces to quote, in the order of the reply; the first has the answer, or what it points back at."""
    parts = candidate.found.parts
    is_whole = _answers_its_heading(candidate)
    key = 0 if is_whole else _key(candidate)
    if parts[key].piece.kind == "item" or _announces_a_list(parts, key):
        return _list(parts, key, is_one=not is_whole and _is_rule(parts, key))
    start = 0 if _comes_soon(parts, key) else key
    points_back = _pointing_back(candidate.found.passage.language)
    if start and points_back.match(parts[start].piece.text) and not _is_heading(parts, start - 1):
        start -= 1  # what "they" are
    end = _end(parts, start)
    if any(part.piece.kind != "sentence" or part.piece.before == "\n" for part in parts[start:end]):
        return [part.piece for part in parts[start:end]]
    chosen = _fitting(candidate, range(start, key + 1))
    return [_after(parts, place, before) for before, place in pairwise([start - 1, *chosen])]


def heading_above(candidate: Candidate, first: Piece, message: str) -> str:
    """Return the heading, if the first sentence points back at it ("Yes, …") or it denies what was asked; else ""."""
    passage = candidate.found.passage
    points_back = candidate.missing_rarity and _pointing_back(passage.language).match(first.text)
    denies = passage.heading.endswith(QUESTION_MARKS) and NOT.search(passage.heading) and not NOT.search(message)
    return passage.heading if points_back or denies else ""


def _fitting(candidate: Candidate, answer: range) -> list[int]:
    """Return the places of the answer, then of the sentences that fit the question best: those below it first.

    Sentences of other paragraphs have to fit the question almost as well as the answer.
    """
    parts, fits, chosen = candidate.found.parts, candidate.fits, list(answer)
    paragraph, needed = _paragraph(parts, answer[-1]), _NEARLY * fits[answer[-1]]
    others = (place for place, part in enumerate(parts) if place not in answer and _stands_alone(part))
    near = [place for place in others if place in paragraph or fits[place] >= needed]
    for place in sorted(near, key=lambda place: -fits[place]):
        if sum(parts[each].length for each in (*chosen, place)) <= MOST_WORDS:
            chosen.append(place)
    return sorted(chosen, key=lambda place: (place < answer.start, place))


def _paragraph(parts: Sequence[AnalysedPiece], place: int) -> range:
    begins = [each for each, part in enumerate(parts) if part.piece.before == "\n\n"]
    first = max((begin for begin in begins if begin <= place), default=0)
    return range(first, min((begin for begin in begins if begin > place), default=len(parts)))


def _stands_alone(part: AnalysedPiece) -> bool:
    is_line = part.length <= _HEADING_WORDS and (part.length < 3 or not _ENDS.search(part.piece.text))  # "Yes, sure."
    return part.piece.kind == "sentence" and not is_line and not part.piece.text.endswith(ANNOUNCES + QUESTION_MARKS)


def _after(parts: Sequence[AnalysedPiece], place: int, before: int) -> Piece:
    """Return a piece to quote after another one, with a mark where sentences are left out between them."""
    piece = parts[place].piece
    if place == before + 1:
        return piece
    return replace(piece, before="\n\n" if place < before else " … ")


def _comes_soon(parts: Sequence[AnalysedPiece], key: int) -> bool:
    """Return whether few words stand before the answer, and no heading or question."""
    is_text = not any(_is_about_the_next(parts, place) for place in range(key))
    return is_text and sum(part.length for part in parts[:key]) <= _SOON


def _answers_its_heading(candidate: Candidate) -> bool:
    """Return whether the heading is closest in meaning, and its question's answer or its steps begin below it."""
    found = candidate.found
    is_named = bool(found.likeness) and max(found.likeness, key=found.likeness.__getitem__) == -1
    return is_named and (found.passage.heading.endswith(QUESTION_MARKS) or found.parts[0].piece.kind == "item")


def _key(candidate: Candidate) -> int:
    """Return the position of the piece that fits best; a heading or a question gives way to what is below it."""
    parts, place = candidate.found.parts, candidate.key
    while place + 1 < len(parts) and _is_about_the_next(parts, place):
        place += 1
    return place


def _is_about_the_next(parts: Sequence[AnalysedPiece], place: int) -> bool:
    """Return whether the piece is a heading or a question, which what is below it answers."""
    return _is_heading(parts, place) or parts[place].piece.text.endswith(QUESTION_MARKS)


def _is_heading(parts: Sequence[AnalysedPiece], place: int) -> bool:
    """Return whether the piece is a short line by itself, without a full stop, above another block."""
    piece = parts[place].piece
    return (
        piece.kind == "sentence"
        and parts[place].length <= _HEADING_WORDS
        and not _ENDS.search(piece.text)
        and place + 1 < len(parts)
        and parts[place + 1].piece.before == "\n\n"
        and (place == 0 or piece.before == "\n\n")
    )


def _announces_a_list(parts: Sequence[AnalysedPiece], place: int) -> bool:
    return (
        parts[place].piece.text.endswith(ANNOUNCES) and place + 1 < len(parts) and parts[place + 1].piece.kind == "item"
    )


def _is_rule(parts: Sequence[AnalysedPiece], key: int) -> bool:
    """Return whether the item says something by itself, as a house rule does: a sentence, and no step."""
    text = parts[key].piece.text
    return text.endswith((".", "!", "。")) and not text[:1].isdigit()


def _list(parts: Sequence[AnalysedPiece], key: int, *, is_one: bool) -> list[Piece]:
    """Return a short section or list whole, the list with what announces it; else the item and what follows.

    `is_one`: of a list that nothing announces, the item alone.
    """
    start = key
    while start and parts[start].piece.kind == parts[start - 1].piece.kind == "item":
        start -= 1
    is_announced = bool(start) and parts[start].piece.kind == "item" and _announces_a_list(parts, start - 1)
    start -= is_announced
    end = max(key, start) + 1
    while end < len(parts) and (parts[end].piece.kind == "item" or parts[end].piece.before == " "):
        end += 1  # a further item, or a further sentence of one
    if is_one and not is_announced:
        start, end = key, next((place for place in range(key + 1, end) if parts[place].piece.kind == "item"), end)
    elif sum(part.length for part in parts) <= MOST_OF_A_LIST:
        start, end = 0, len(parts)
    elif sum(part.length for part in parts[start:end]) > MOST_OF_A_LIST:
        start, end = key, min(end, _end(parts, key))
    return [part.piece for part in parts[start:end]]


def _end(parts: Sequence[AnalysedPiece], start: int) -> int:
    """Return where a quotation from `start` ends that isn't too long, not with a colon or heading."""
    end, length = start, 0
    while end < len(parts) and (end == start or length + parts[end].length <= MOST_WORDS):
        length += parts[end].length
        end += 1
    while end > start + 1 and (parts[end - 1].piece.text.endswith(ANNOUNCES) or _is_heading(parts, end - 1)):
        end -= 1
    return end
