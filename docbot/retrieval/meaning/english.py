"""Turns English sentences into vectors that are alike when they mean the same: all-MiniLM-L6-v2, with numpy."""

import json
import mmap
from collections.abc import Sequence
from functools import cache

import numpy as np

from docbot.retrieval.meaning.tokens import folder, tokens

NAME, FOLDER = "english", "vectors"
LANGUAGES = frozenset({"en", ""})
SIZE = 384  # numbers of a vector
SCALE = 1.0
_LAYERS, _HEADS = 6, 12
_EPSILON = 1e-12
_MOST_AT_ONCE = 32  # sentences


def encode(texts: Sequence[str]) -> np.ndarray:
    """Return a vector of length 1 for each text; the product of two is their likeness, -1 to 1."""
    rows = [tokens(text) for text in texts]
    vectors = np.empty((len(rows), SIZE), np.float32)
    by_length = sorted(range(len(rows)), key=lambda number: len(rows[number]))
    for start in range(0, len(rows), _MOST_AT_ONCE):
        numbers = by_length[start : start + _MOST_AT_ONCE]
        vectors[numbers] = _encoded([rows[number] for number in numbers])
    return vectors


@cache
def _weights() -> dict[str, np.ndarray]:
    """Return all tensors of the safetensors file: it holds the length of a JSON header, the header, and the numbers."""
    with (folder() / "model.safetensors").open("rb") as file:
        held = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    begin = 8 + int.from_bytes(held[:8], "little")
    facts = json.loads(held[8:begin])
    return {
        name: np.frombuffer(held, np.float32, (end - start) // 4, begin + start).reshape(tensor["shape"])
        for name, tensor in facts.items()
        if tensor.get("dtype") == "F32"
        for start, end in [tensor["data_offsets"]]
    }


def _encoded(rows: Sequence[Sequence[int]]) -> np.ndarray:
    """Encode the rows side by side: weights are read once for all of them, and no row is padded."""
    weights = _weights()
    ends = np.cumsum([len(row) for row in rows])
    spans = [slice(end - len(row), end) for row, end in zip(rows, ends, strict=True)]
    states = (
        weights["embeddings.word_embeddings.weight"][np.concatenate(rows)]
        + weights["embeddings.position_embeddings.weight"][np.concatenate([np.arange(len(row)) for row in rows])]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    states = _normalized(states, "embeddings.LayerNorm")
    for number in range(_LAYERS):
        layer = f"encoder.layer.{number}"
        kinds = [_linear(states, f"{layer}.attention.self.{kind}") for kind in ("query", "key", "value")]
        seen = np.concatenate([_attention(*(kind[span] for kind in kinds)) for span in spans])
        states = _normalized(
            states + _linear(seen, f"{layer}.attention.output.dense"), f"{layer}.attention.output.LayerNorm"
        )
        inner = _gelu(_linear(states, f"{layer}.intermediate.dense"))
        states = _normalized(states + _linear(inner, f"{layer}.output.dense"), f"{layer}.output.LayerNorm")
    means = np.stack([states[span].mean(axis=0) for span in spans])
    return means / np.linalg.norm(means, axis=1, keepdims=True)


def _attention(query: np.ndarray, key: np.ndarray, value: np.ndarray) -> np.ndarray:
    """Return what each token of one text sees of the others."""
    query, key, value = (
        states.reshape(len(states), _HEADS, SIZE // _HEADS).transpose(1, 0, 2) for states in (query, key, value)
    )
    scores = query @ key.transpose(0, 2, 1) / np.float32((SIZE // _HEADS) ** 0.5)
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    shares /= shares.sum(-1, keepdims=True)
    return (shares @ value).transpose(1, 0, 2).reshape(-1, SIZE)


def _linear(states: np.ndarray, name: str) -> np.ndarray:
    weights = _weights()
    return (weights[f"{name}.weight"] @ states.T).T + weights[f"{name}.bias"]  # with few rows, this order is faster


def _normalized(states: np.ndarray, name: str) -> np.ndarray:
    weights = _weights()
    centred = states - states.mean(-1, keepdims=True)
    deviation = np.sqrt((centred**2).mean(-1, keepdims=True) + _EPSILON)
    return centred / deviation * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def _gelu(states: np.ndarray) -> np.ndarray:
    inner = states * states  # changed in place: most of the time goes into making arrays
    inner *= 0.044715 * (2 / np.pi) ** 0.5
    inner += (2 / np.pi) ** 0.5
    np.tanh(np.multiply(inner, states, out=inner), out=inner)
    return np.multiply(inner + 1, 0.5 * states, out=inner)
