"""Turns English sentences into vectors that lie close together when they mean the same.

The model is all-MiniLM-L6-v2 (a BERT of six layers), computed with numpy; its weights are read as data out of a
package. Processes share the weights, which are mapped into memory when the first sentence is encoded.
"""

import json
import mmap
from collections.abc import Sequence
from functools import cache

import numpy as np

from docbot.retrieval.meaning.tokens import folder, tokens

SIZE = 384  # numbers of a vector
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
    rows = states.reshape(-1, states.shape[-1])  # of all texts at once; with few rows, this order is faster
    return ((weights[f"{name}.weight"] @ rows.T).T + weights[f"{name}.bias"]).reshape(*states.shape[:-1], -1)


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
