"""Chooses what a reply quotes: a few consecutive sentences that answer the question."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from docbot.answering import quantities
from docbot.retrieval.index import AnalysedPiece, Found
from docbot.retrieval.questions import Question
from docbot.retrieval.sentences import Piece

MOST_WORDS = 100
_TOLD = 0.3
_NAMED = 0.5
ALIKE = 6.0  # the weight of meaning; each of the others, which are about words, has 1
NAMED_ALIKE = 1.0  # the same, of title and heading
TOGETHER_ALIKE = 4.0  # the same, of both together: other passages have a sentence as alike by chance
_SINGLE = 0.5  # the `phrased` share of a one-word question


@dataclass(frozen=True)
class Window:
    """Measures of the fit of consecutive pieces of a passage to the question, from 0 to 1."""

    found: Found
    key: Piece  # the best-fitting part
    fits: Sequence[float]  # how well each piece of the passage fits, in the order of the passage
    rank: float  # the passage's score relative to the best passage's
    covered: float  # of the question's words, by their rarity, with title and heading
    covered_at_once: float  # the same, in the best single sentence
    phrased: float  # pairs of neighbouring words of the question that are neighbours here; a single word: is it named?
    named: float  # of the question's words, in title and heading
    told: float  # a time or a number, when one is asked for: half of it for the piece that fits best
    found_rarity: float  # of the words found, in window, title and heading, in all
    missing_rarity: float  # of the present message's words that were not found, in all
    alike: float  # the likeness in meaning of its most similar piece, or of title and heading, to the message
    alike_alone: float  # the same, to the message without its conversation
    has_meaning: bool  # whether the two are known
    is_about_more: bool  # than the conversation: a word of the message itself is here, or it has none of its own
    is_asked: bool  # title and heading say the same as the question, word for word

    @property
    def score(self) -> float:
        # Weights fitted on one question set were no better on another than equal weights.
        words = self.rank + self.covered + self.covered_at_once + self.named + _TOLD * self.told
        named = NAMED_ALIKE * self.found.likeness.get(-1, 0.0)
        return words + ALIKE * self.alike + named + TOGETHER_ALIKE * self.found.likeness_with_name


def best_windows(question: Question, hits: Sequence[Found]) -> list[Window]:
    """Return the best window of each passage, best first."""
    top = max((found.score for found in hits), default=0.0) or 1.0
    reader = _Reader(question, top)
    windows = [max(reader.windows(found), key=lambda window: window.score) for found in hits if found.parts]
    # Without vectors a taught answer must share much with one way to ask it.
    may_answer = (one for one in windows if not one.found.passage.taught_on or one.has_meaning or one.named >= _NAMED)
    return sorted(may_answer, key=lambda window: -window.score)


def of_documents(best: Sequence[Window]) -> list[Window]:
    """Return the windows of what was not taught."""
    return [window for window in best if not window.found.passage.taught_on]


class _Reader:
    """Scores windows of passages against one question."""

    def __init__(self, question: Question, top: float) -> None:
        words = (*question.words, *question.context)
        self._place = {term: place for place, word in enumerate(words) for term in word.relatives}
        self._place |= {term: place for place, word in enumerate(words) for term in word.terms}
        self._values = [word.weight * word.rarity for word in words]
        self._asked = frozenset(range(len(question.words)))
        self._whole = sum(self._values) or 1.0
        self._pairs = set(pairwise(question.sequence))
        self._firsts = {first for first, _ in self._pairs}
        self._top = top
        self._asks_quantity = quantities.is_asked(question.message)

    def _places(self, found: Iterable[str]) -> frozenset[int]:
        """Return the places of the question's words that are among the terms."""
        return frozenset(self._place[term] for term in found if term in self._place)

    def _share(self, places: Iterable[int]) -> float:
        return sum(self._values[place] for place in places) / self._whole

    def windows(self, found: Found) -> list[Window]:
        named = self._places(found.name_terms)
        held = [self._places(part.terms) for part in found.parts]
        at_once = [self._share(places | named) for places in held]
        phrases = self._phrases(found.parts)
        in_name = self._pairs.intersection(pairwise(found.name_terms)) if found.passage.taught_on else set()
        told = [self._asks_quantity and quantities.is_told(part.piece.text) for part in found.parts]
        alike = (found.likeness.get(place, 0.0) for place in range(len(held)))
        fits = [sum(each) for each in zip(at_once, alike, (_TOLD * one for one in told), strict=True)]
        made = []
        for start in range(len(found.parts)):
            if start and found.parts[start].piece.kind == "code":
                continue  # code is explained by the text before it
            end = self._end(found.parts, start)
            there = named.union(*held[start:end])
            phrased = len(in_name.union(*phrases[start:end])) / len(self._pairs) if self._pairs else 0.0
            key = max(range(start, end), key=fits.__getitem__)
            places = (-1, *range(start, end))
            window = Window(
                found,
                found.parts[key].piece,
                fits,
                rank=found.score / self._top,
                covered=self._share(there),
                covered_at_once=max(at_once[start:end]),
                phrased=phrased if self._pairs else max(_SINGLE, self._share(named)),
                named=self._share(named),
                told=(told[key] + any(told[start:end])) / 2,
                found_rarity=sum(self._values[place] for place in there),
                missing_rarity=sum(self._values[place] for place in self._asked - there),
                alike=max(found.likeness.get(place, 0.0) for place in places),
                alike_alone=max(found.likeness_alone.get(place, 0.0) for place in places),
                has_meaning=bool(found.likeness),
                is_about_more=not self._asked or bool(self._asked & there),
                is_asked=self._share(named) >= 1 and phrased >= 1,
            )
            made.append(window)
        return made

    def _phrases(self, parts: Sequence[AnalysedPiece]) -> list[set[tuple[str, str]]]:
        """Return, for each part, the question's word pairs that start in it."""
        sequence = [(term, place) for place, part in enumerate(parts) for term in part.terms]
        phrases: list[set[tuple[str, str]]] = [set() for _ in parts]
        for (first, place), (second, _) in pairwise(sequence):
            if first in self._firsts and (first, second) in self._pairs:
                phrases[place].add((first, second))
        return phrases

    @staticmethod
    def _end(parts: Sequence[AnalysedPiece], start: int) -> int:
        end, length = start, 0
        while end < len(parts) and (end == start or length + parts[end].length <= MOST_WORDS):
            length += parts[end].length
            end += 1
        return end
