"""Compares the meaning of a message with the sentences of a bot's documents."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from docbot.retrieval.index import Index
from docbot.retrieval.meaning import LANGUAGES, encoder
from docbot.retrieval.meaning.vectors import FOLDER, Vectors, open_vectors
from docbot.retrieval.questions import Question

EARLIER = 0.3  # the weight of the previous message's meaning where documents are alike; the present one has 1
# Of what is read together with the present message, as one text.
_MOST_BEFORE, _MOST_WORDS_BEFORE = 2, 40


@dataclass(frozen=True)
class Meaning:
    """The likeness of a bot's sentences to one message, in its conversation and alone."""

    vectors: Vectors
    likeness: np.ndarray  # of all sentences, to the message in its conversation
    message: np.ndarray  # the vector of the message alone
    on_subject: float  # mean likeness of all sentences to it; 0 where every message is about things of the same kind

    def nearest(self, limit: int) -> list[int]:
        """Return the ids of the passages that come closest."""
        return self.vectors.nearest(self.likeness, limit)

    def of_passage(self, number: int) -> Mapping[int, float]:
        """Return the likeness of each of the passage's pieces, by its place, and of the passage's name at -1."""
        rows = self.vectors.rows(number)
        return dict(zip(self.vectors.places(rows), self.likeness[rows].tolist(), strict=True))

    def of_passage_with_name(self, number: int) -> float:
        """Return the likeness of the passage's name together with the sentence that comes closest."""
        rows = self.vectors.rows(number)
        (name, *parts), likeness = self.vectors.vectors(rows), self.likeness[rows]
        together = (likeness[1:] + likeness[0]) / np.linalg.norm(np.array(parts) + name, axis=1)
        return float(together.max())

    def of_passage_alone(self, number: int) -> Mapping[int, float]:
        """Return the same for the message without its conversation."""
        rows = self.vectors.rows(number)
        return dict(zip(self.vectors.places(rows), self.vectors.likeness(self.message, rows).tolist(), strict=True))


def read(index: Index, question: Question, messages: Sequence[str] = ()) -> Meaning | None:
    """Compare the message; return None without vectors, or in a language that the encoder doesn't know."""
    vectors = open_vectors(index.folder / FOLDER) if question.language in LANGUAGES else None
    if not vectors:
        return None
    alone = vector = _encoded(question.corrected)
    if index.description.repeats:
        on_subject = 0.0
        if messages:
            vector = alone + EARLIER * _encoded(messages[-1])
    else:
        on_subject = float(vectors.mean @ alone)
        if messages:
            before = " ".join(messages[-_MOST_BEFORE:]).split()[-_MOST_WORDS_BEFORE:]
            vector = alone + _encoded(" ".join([*before, question.corrected]))
    return Meaning(vectors, vectors.likeness(vector / np.linalg.norm(vector)), alone, on_subject)


@lru_cache(maxsize=1000)  # the previous message was encoded when it was answered
def _encoded(message: str) -> np.ndarray:
    return encoder.encode([message])[0]
