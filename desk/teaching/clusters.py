"""Groups questions that ask the same into clusters: by words and, if DOCBOT_MEANING is on, by meaning."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from operator import itemgetter
from types import ModuleType
from typing import TYPE_CHECKING

from django.conf import settings

from desk.statistics.counting import normalize
from desk.teaching.questions import Question
from docbot.content import QUESTION_MARKS
from docbot.retrieval.analysis import query_words, stem
from docbot.retrieval.languages import detect

if TYPE_CHECKING:
    import numpy as np

SAME_WORDS = 0.6  # share of their words (Dice)
SAME_MEANING = 0.68  # similarity: reached by two thirds of StackFAQ's paraphrases, and by 4 % of other pairs
MOST_COMPARED = 200  # clusters, the biggest, by meaning: each takes milliseconds
MOST_PHRASINGS = 10


@dataclass
class Cluster:
    """Questions that ask the same, the newest first."""

    questions: list[Question]
    stems: frozenset[str] = field(default_factory=frozenset)
    is_open: bool = True  # it is on the list of what to teach

    @property
    def size(self) -> int:
        return len(self.questions)

    @property
    def turns(self) -> set[int]:
        return {question.turn for question in self.questions}

    @property
    def newest(self) -> Question:
        return self.questions[0]

    @property
    def first_at(self) -> datetime.datetime:
        return self.questions[-1].asked_at

    @property
    def wordings(self) -> list[str]:
        """Return all the ways it was asked, the most frequent first; of equally frequent ones the neat ones."""
        counted = Counter(normalize(question.text) for question in self.questions)
        neat = {normalize(question.text): question for question in sorted(self.questions, key=_is_neat)}
        best = sorted(neat, key=lambda words: (counted[words], _is_neat(neat[words])), reverse=True)
        return list(dict.fromkeys(" ".join(neat[words].text.split()) for words in best))

    @property
    def reasons(self) -> list[tuple[str, int]]:
        return Counter(question.shown_reason for question in self.questions).most_common()

    def merge(self, other: Cluster) -> None:
        self.questions = sorted([*self.questions, *other.questions], key=lambda one: one.turn, reverse=True)


def clusters(questions: Iterable[Question]) -> list[Cluster]:
    """Return the biggest first: each question joins the most similar cluster before it, or begins one."""
    by_text: dict[str, list[Question]] = {}
    for question in questions:
        by_text.setdefault(normalize(question.text), []).append(question)
    same_text = [Cluster(asked, _stems(asked[0].text)) for asked in by_text.values()]
    return _by_meaning(_by_words(_biggest_first(same_text)))


def _by_words(found: list[Cluster]) -> list[Cluster]:
    leaders: list[Cluster] = []
    for cluster in found:
        alike, leader = max(
            ((_dice(cluster.stems, one.stems), one) for one in leaders), key=itemgetter(0), default=(0.0, None)
        )
        if leader and alike >= SAME_WORDS:
            leader.merge(cluster)
        else:
            leaders.append(cluster)
    return _biggest_first(leaders)


def _by_meaning(found: list[Cluster]) -> list[Cluster]:
    if not settings.DOCBOT_MEANING:
        return found
    from docbot.retrieval.meaning.encoders import encoders_for  # numpy, which a process without clusters doesn't need

    spoken = [detect(one.wordings[0], is_message=True) for one in found]
    encoder, *_others = encoders_for([language for language, _count in Counter(filter(None, spoken)).most_common(1)])
    known = (one for one, language in zip(found, spoken, strict=True) if language in encoder.LANGUAGES)
    leaders: list[tuple[Cluster, np.ndarray]] = []  # each with the sum of its vectors
    gone = set()
    for cluster in islice(known, MOST_COMPARED):
        vector = _vector(encoder, cluster.wordings[0])
        alike = [encoder.SCALE * float(its @ vector) / float(its @ its) ** 0.5 for _one, its in leaders]
        if (most := max(alike, default=0.0)) >= SAME_MEANING:
            place = alike.index(most)
            leader, its = leaders[place]
            leader.merge(cluster)
            leaders[place] = leader, its + vector
            gone.add(id(cluster))
        else:
            leaders.append((cluster, vector))
    return _biggest_first([one for one in found if id(one) not in gone])


def _biggest_first(found: Iterable[Cluster]) -> list[Cluster]:
    return sorted(found, key=lambda one: (-one.size, -one.newest.turn))


def _is_neat(question: Question) -> tuple[bool, bool, int]:
    """Return a sorting key: questions written as one come last, then the newest."""
    return question.text.endswith(QUESTION_MARKS), question.text[:1].isupper(), question.turn


def _dice(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other) or 1)


@lru_cache(maxsize=4096)
def _stems(text: str) -> frozenset[str]:
    language = detect(text, is_message=True) or "en"
    return frozenset(stem(word, language) for word in query_words(text[:500], language))


@lru_cache(maxsize=1024)
def _vector(encoder: ModuleType, text: str) -> np.ndarray:
    return encoder.encode([text])[0]
