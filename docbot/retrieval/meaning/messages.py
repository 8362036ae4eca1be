"""Compares the meaning of a message with the sentences of a bot's documents."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from docbot.retrieval.analysis import query_words
from docbot.retrieval.index import Found, Index
from docbot.retrieval.meaning import LANGUAGES, encoder
from docbot.retrieval.meaning.vectors import FOLDER, Vectors, open_vectors
from docbot.retrieval.questions import Question

EARLIER = 0.3  # the weight of the previous message's meaning where documents are alike; the present one has 1
# Of what is read together with the present message, as one text; function words say little and take as long.
_MOST_BEFORE = 2
_MOST_WORDS_BEFORE = 25


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

    def of(self, passage: int) -> float:
        """Return the likeness of the passage's most similar sentence or name; 0 without vectors."""
        return float(self.likeness[self.vectors.rows(passage)].max(initial=0.0))

    def compared(self, found: Found) -> Found:
        """Return what was found with the likeness of its pieces, by their places, and of its name, at -1."""
        rows = self.vectors.rows(found.passage.id)
        places, likeness, vectors = self.vectors.places(rows), self.likeness[rows], self.vectors.vectors(rows)
        together = (likeness[1:] + likeness[:1]) / np.linalg.norm(vectors[1:] + vectors[:1], axis=1)
        return replace(
            found,
            likeness=dict(zip(places, likeness.tolist(), strict=True)),
            likeness_alone=dict(zip(places, (vectors @ self.message).tolist(), strict=True)),
            likeness_with_name=float(together.max(initial=0.0)),
            on_subject=self.on_subject,
        )


def read(index: Index, question: Question, messages: Sequence[str] = ()) -> Meaning | None:
    """Compare the message; return None without vectors, or in a language that the encoder doesn't know."""
    vectors = open_vectors(index.folder / FOLDER) if question.language in LANGUAGES else None
    if not vectors:
        return None
    if index.description.repeats:
        (alone,), on_subject = _encoded(question.corrected), 0.0
        vector = alone + EARLIER * _encoded(messages[-1])[0] if messages else alone
    else:
        before = [word for text in messages[-_MOST_BEFORE:] for word in query_words(text, question.language)]
        together = " ".join([*before[-_MOST_WORDS_BEFORE:], question.corrected])
        texts = dict.fromkeys((question.corrected, together))
        alone, *others = _encoded(*texts)
        vector, on_subject = sum(others, alone), float(vectors.mean @ alone)
    likeness = vectors.vectors(slice(None)) @ (vector / np.linalg.norm(vector))
    return Meaning(vectors, likeness, alone, on_subject)


@lru_cache(maxsize=1000)  # the previous message was encoded when it was answered
def _encoded(*texts: str) -> np.ndarray:
    return encoder.encode(texts)
