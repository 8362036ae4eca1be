"""Chooses what a reply quotes: a few whole sentences that stand together and answer the question."""

from collections.abc import Sequence
from dataclasses import dataclass

from docbot.analysis import terms
from docbot.index import Found
from docbot.questions import Question
from docbot.sentences import Piece, pieces, size

MOST_WORDS = 100
IN_NAME = 0.3  # of a word that stands already in title or heading, against one that doesn't
BEST_PIECE = 0.5
RANK = 2.0


@dataclass(frozen=True)
class Window:
    found: Found
    parts: tuple[Piece, ...]
    score: float
    covered: float  # share of the question's rarity that stands in the window, its title or its heading
    covered_at_once: float  # the same, in its best single sentence


def best(question: Question, hits: Sequence[Found]) -> Window | None:
    """The best window of the passages."""
    windows = [window for found in hits for window in _windows(question, found, hits[0].score)]
    return max(windows, key=lambda window: window.score, default=None)


def _windows(question: Question, found: Found, top: float) -> list[Window]:
    passage = found.passage
    words = [(frozenset(word.terms), word.weight * word.rarity) for word in (*question.words, *question.context)]
    whole = sum(value for _, value in words) or 1
    name = set(terms(f"{passage.title} {passage.heading}", passage.language))
    named = [bool(name & alternatives) for alternatives, _ in words]
    values = [value * (IN_NAME if there else 1) for (_, value), there in zip(words, named, strict=True)]
    parts = pieces(passage.text)
    sizes = [size(part.text) for part in parts]
    held = []
    for part in parts:
        there = set(terms(part.text, passage.language))
        held.append(frozenset(place for place, (alternatives, _) in enumerate(words) if there & alternatives))
    alone = [sum(values[place] for place in places) / whole for places in held]
    plain = [value for _, value in words]
    from_name = {place for place, there in enumerate(named) if there}
    made = []
    for start in range(len(parts)):
        length = 0
        places: frozenset[int] = frozenset()
        end = start
        while end < len(parts) and (end == start or length + sizes[end] <= MOST_WORDS):
            length += sizes[end]
            places |= held[end]
            end += 1
        covered = sum(values[place] for place in places) / whole
        score = covered + BEST_PIECE * max(alone[start:end]) + RANK * found.score / top
        made.append(
            Window(
                found,
                tuple(parts[start:end]),
                score,
                sum(plain[place] for place in places | from_name) / whole,
                max(sum(plain[place] for place in one | from_name) for one in held[start:end]) / whole,
            )
        )
    return made
