"""Compares the meaning of a message with the sentences of a bot's documents."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from types import ModuleType

import numpy as np

from docbot.retrieval.analysis import query_words
from docbot.retrieval.index import Found, Index
from docbot.retrieval.meaning.encoders import encoder_of
from docbot.retrieval.meaning.vectors import Vectors, open_vectors
from docbot.retrieval.questions import Question

EARLIER = 0.3  # the weight of the previous message's meaning where documents are alike; the present one has 1
# The weight of the message's own meaning; what it means together with the messages before has 1. Most visitors ask one
# thing after another, and each is to be answered as if it had been asked first.
ALONE = 2.0
# Of what is read together with the present message, as one text; function words say little and take as long.
_MOST_BEFORE = 2
_MOST_WORDS_BEFORE = 25


@dataclass(frozen=True)
class Meaning:
    """The likeness of a bot's sentences to one message, in its conversation and alone."""

    encoder: str
    vectors: Vectors
    likeness: np.ndarray  # of all sentences, to the message in its conversation
    message: np.ndarray  # the vector of the message alone
    on_subject: float  # mean likeness of all sentences to it; 0 where every message is about things of the same kind

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
            encoder=self.encoder,
            likeness=dict(zip(places, likeness.tolist(), strict=True)),
            likeness_alone=dict(zip(places, (vectors @ self.message).tolist(), strict=True)),
            likeness_with_name=float(together.max(initial=0.0)),
            on_subject=self.on_subject,
        )


def read(index: Index, question: Question, spoken: str, messages: Sequence[str] = ()) -> Meaning | None:
    """Compare the message; return None without vectors, or in a language that no encoder knows."""
    encoder = encoder_of(index.description.languages, spoken)
    vectors = encoder and open_vectors(index.folder, encoder)
    if not vectors:
        return None
    encoded = partial(_encoded, encoder)
    if index.description.repeats:
        (alone,), on_subject = encoded(question.corrected), 0.0
        vector = alone + EARLIER * encoded(messages[-1])[0] if messages else alone
    else:
        said = (query_words(text, question.language, paired=False) for text in messages[-_MOST_BEFORE:])
        before = [word for words in said for word in words]
        together = " ".join([*before[-_MOST_WORDS_BEFORE:], question.corrected])
        texts = dict.fromkeys((question.corrected, together))
        alone, *others = encoded(*texts)
        vector, on_subject = sum(others, ALONE * alone), encoder.SCALE * float(vectors.mean @ alone)
    likeness = vectors.vectors(slice(None)) @ (encoder.SCALE * vector / np.linalg.norm(vector))
    return Meaning(encoder.NAME, vectors, likeness, encoder.SCALE * alone, on_subject)


@lru_cache(maxsize=1000)  # the previous message was encoded when it was answered
def _encoded(encoder: ModuleType, *texts: str) -> np.ndarray:
    return encoder.encode(texts)
