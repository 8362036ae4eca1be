"""Measures how well each passage that was found answers the question."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from docbot.answering import quantities
from docbot.answering.tables.rows import rows_of
from docbot.retrieval.index import Found
from docbot.retrieval.questions import Question

_CUE = 0.3  # what is asked for is there: a time, a number or a name
_NAMED = 0.5  # of the question's words, of a taught answer without vectors
ALIKE = 6.0  # the weight of meaning; each of the others, which are about words, has 1
TOGETHER_ALIKE = 4.0  # the same, of a sentence and its heading together: others have a sentence as alike by chance
_FEW, _HARDLY_ALIKE = 0.45, 0.39  # of the question's words; likeness in meaning
_SINGLE = 0.5  # the `phrased` share of a one-word question


@dataclass(frozen=True)
class Candidate:
    """A passage with measures of its fit to the question, from 0 to 1."""

    found: Found
    fits: Sequence[float]  # how well each piece of the passage fits
    rank: float  # the passage's score relative to the best passage's
    covered: float  # of the question's words, by their rarity, with title and heading
    covered_at_once: float  # the same, in the best single sentence
    phrased: float  # pairs of neighbouring words of the question that are neighbours here; a single word: is it named?
    named: float  # of the question's words, in title and heading
    has_quantity: bool  # a time or a number, when one is asked for
    found_rarity: float  # of the words found, in text, title and heading, in all
    missing_rarity: float  # of the present message's words that were not found, in all
    alike: float  # the likeness in meaning of its most similar piece, or of title and heading, to the message
    alike_alone: float  # the same, to the message without its conversation; both are 0 without an encoder
    is_about_more: bool  # than the conversation: a word of the message itself is here, or it has none of its own
    is_asked: bool  # the heading says the same as the question, word for word

    @property
    def score(self) -> float:
        # Weights fitted on one question set were no better on another than equal weights.
        words = self.rank + self.covered + self.covered_at_once + self.named + _CUE * self.has_quantity
        return words + ALIKE * self.alike + TOGETHER_ALIKE * self.found.likeness_with_name

    @property
    def is_far(self) -> bool:
        """Whether it has few of the question's words and is hardly like it: in small bots anything is close enough."""
        return self.found.encoder == "english" and self.covered < _FEW and self.alike < _HARDLY_ALIKE

    @property
    def is_table(self) -> bool:
        return bool(rows_of(self.found.passage.text))

    @property
    def key(self) -> int:
        """The place of the piece that fits best."""
        return max(range(len(self.fits)), key=self.fits.__getitem__)


def candidates(question: Question, hits: Sequence[Found]) -> list[Candidate]:
    """Return what may be quoted, best first."""
    top = max((found.score for found in hits), default=0.0) or 1.0
    reader = _Reader(question, top)
    read = [reader.read(found) for found in hits if found.parts]
    # Without vectors a taught answer must share much with one way to ask it.
    may_answer = (one for one in read if not one.found.passage.taught_on or one.found.encoder or one.named >= _NAMED)
    return sorted(may_answer, key=lambda candidate: (not candidate.is_asked, -candidate.score))


def of_documents(best: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates that were not taught."""
    return [candidate for candidate in best if not candidate.found.passage.taught_on]


class _Reader:
    """Compares passages with one question."""

    def __init__(self, question: Question, top: float) -> None:
        words = (*question.words, *question.context)
        self._place = {term: place for place, word in enumerate(words) for term in word.relatives}
        self._place |= {term: place for place, word in enumerate(words) for term in word.terms}
        self._values = [word.weight * word.rarity for word in words]
        self._asked = frozenset(range(len(question.words)))
        self._whole = sum(self._values) or 1.0
        self._sequence = question.sequence
        self._pairs = set(pairwise(question.sequence))
        self._top = top
        self._asks_quantity = quantities.is_asked(question.message)
        self._asks_name = bool(quantities.NAME_ASKED.search(question.message))
        self._said = question.message.casefold()

    def _places(self, terms: Iterable[str]) -> frozenset[int]:
        return frozenset(self._place[term] for term in terms if term in self._place)

    def _share(self, places: Iterable[int]) -> float:
        return sum(self._values[place] for place in places) / self._whole

    def read(self, found: Found) -> Candidate:
        named = self._places(found.name_terms)
        held = [self._places(part.terms) for part in found.parts]
        there = named.union(*held)
        at_once = [self._share(places | named) for places in held]
        numbers = [self._asks_quantity and bool(quantities.NUMBER.search(part.piece.text)) for part in found.parts]
        alike = (found.likeness.get(place, 0.0) for place in range(len(held)))
        cues = zip(numbers, found.parts, strict=True)
        hints = (_CUE * (one or self._has_name(part.piece.text)) for one, part in cues)
        fits = [sum(each) for each in zip(at_once, alike, hints, strict=True)]
        share_named = self._share(named)
        phrased = self._phrased(found) if self._pairs else max(_SINGLE, share_named)
        return Candidate(
            found,
            fits,
            rank=found.score / self._top,
            covered=self._share(there),
            covered_at_once=max(at_once),
            phrased=phrased,
            named=share_named,
            has_quantity=any(numbers),
            found_rarity=sum(self._values[place] for place in there),
            missing_rarity=sum(self._values[place] for place in self._asked - there),
            alike=max(found.likeness.values(), default=0.0),
            alike_alone=max(found.likeness_alone.values(), default=0.0),
            is_about_more=not self._asked or bool(self._asked & there),
            is_asked=found.name_terms[-len(self._sequence) :] == self._sequence,
        )

    def _has_name(self, text: str) -> bool:
        """Return whether the message asks who or where it was, and the text has a name that it doesn't have."""
        return self._asks_name and any(name.casefold() not in self._said for name in quantities.NAME.findall(text))

    def _phrased(self, found: Found) -> float:
        """Return the share of the question's word pairs that the passage has."""
        pairs = self._pairs.intersection(pairwise(term for part in found.parts for term in part.terms))
        if found.passage.taught_on:
            pairs |= self._pairs.intersection(pairwise(found.name_terms))
        return len(pairs) / len(self._pairs)
