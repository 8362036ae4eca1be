"""Keeps the meaning of a bot's sentences and headings beside its index, one vector each, by passage."""

from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType

import numpy as np

from docbot.retrieval import atomic_directory
from docbot.retrieval.index import IndexedPassage
from docbot.retrieval.sentences import pieces

MOST = 100_000  # vectors; what comes later is found by its words only
_NAME = -1  # the place of a passage's title and heading, beside the places of its pieces
_AT_ONCE = 256  # sentences
_ROWS, _VECTORS = "rows.npy", "vectors.npy"


class Vectors:
    """Opened vectors, which any number of threads may search; processes share their memory."""

    def __init__(self, generation: Path) -> None:
        self.places_of_all = self._rows = np.load(generation / _ROWS)  # passage, place
        self._vectors = np.load(generation / _VECTORS, mmap_mode="r")
        self.mean = self._vectors.sum(axis=0) / max(1, len(self._rows))
        self._starts = np.flatnonzero(np.diff(self._rows[:, 0], prepend=-1))
        ends = np.append(self._starts[1:], len(self._rows))
        owners = self._rows[self._starts, 0].tolist()
        self._slices = dict(zip(owners, map(slice, self._starts.tolist(), ends.tolist()), strict=True))

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def passages(self) -> set[int]:
        return set(self._slices)

    def rows(self, passage: int) -> slice:
        """Return where the passage's vectors stand; an empty slice for a passage without vectors."""
        return self._slices.get(passage, slice(0, 0))

    def places(self, rows: slice) -> list[int]:
        return self._rows[rows, 1].tolist()

    def vectors(self, rows: slice | np.ndarray) -> np.ndarray:
        return self._vectors[rows]

    def nearest(self, likeness: np.ndarray, limit: int) -> list[int]:
        """Return the passages with the most similar sentences or names, best first."""
        best = np.maximum.reduceat(likeness, self._starts)
        limit = min(limit, len(best))
        top = np.argpartition(-best, limit - 1)[:limit]  # sorting all of them takes longer than comparing them
        return self._rows[self._starts[top[np.argsort(-best[top])]], 0].tolist()


def build(
    folder: Path,
    passages: Iterable[IndexedPassage],
    encoder: ModuleType,
    *,
    progress: Callable[[int], None] = lambda done: None,
) -> bool:
    """Encode what is new and replace the old vectors; return False if they were up to date."""
    readable = {passage.id: passage for passage in passages if passage.language in encoder.LANGUAGES}
    old = open_vectors(folder, encoder)
    if old and old.passages == readable.keys():
        return False
    rows, vectors = [], []
    if old:
        kept = np.isin(old.places_of_all[:, 0], list(readable))
        rows, vectors = [old.places_of_all[kept]], [old.vectors(kept)]
    new = (passage for passage in readable.values() if not old or passage.id not in old.passages)
    texts = _texts(new)[: max(0, MOST - sum(map(len, rows)))]
    for start in range(0, len(texts), _AT_ONCE):
        progress(len(readable) * start // len(texts))
        _encode(encoder, texts[start : start + _AT_ONCE], rows, vectors)
    _write(folder, rows, vectors, encoder)
    return True


def build_with(folder: Path, old: Vectors, passages: Iterable[IndexedPassage], encoder: ModuleType) -> None:
    """Write a copy of vectors with those of some passages more."""
    rows, vectors = [old.places_of_all], [old.vectors(slice(None))]
    _encode(encoder, _texts(each for each in passages if each.language in encoder.LANGUAGES), rows, vectors)
    _write(folder, rows, vectors, encoder)


def _texts(passages: Iterable[IndexedPassage]) -> list[tuple[int, int, str]]:
    """Return what is encoded of passages: the name and the pieces of each, with its id and their places."""
    found = []
    for passage in passages:
        name = ": ".join(dict.fromkeys(part for part in (passage.title, passage.heading) if part))
        found.append((passage.id, _NAME, name))
        found += [(passage.id, place, part.text) for place, part in enumerate(pieces(passage.text))]
    return found


def _encode(
    encoder: ModuleType, texts: list[tuple[int, int, str]], rows: list[np.ndarray], vectors: list[np.ndarray]
) -> None:
    rows.append(np.array([each[:2] for each in texts], np.int64).reshape(-1, 2))
    different = list(dict.fromkeys(text for *_, text in texts))
    encoded = dict(zip(different, encoder.encode(different), strict=True))
    vectors.append(np.array([encoded[text] for *_, text in texts], np.float32).reshape(-1, encoder.SIZE))


def _write(folder: Path, rows: list[np.ndarray], vectors: list[np.ndarray], encoder: ModuleType) -> None:
    all_rows = np.concatenate([np.empty((0, 2), np.int64), *rows])
    all_vectors = np.concatenate([np.empty((0, encoder.SIZE), np.float32), *vectors])
    order = np.argsort(all_rows[:, 0], kind="stable")
    with atomic_directory.replacing(folder / encoder.FOLDER) as fresh:
        np.save(fresh / _ROWS, all_rows[order])
        np.save(fresh / _VECTORS, all_vectors[order])


_opened = atomic_directory.Opened(Vectors)


def open_vectors(index: Path, encoder: ModuleType) -> Vectors | None:
    """Return an encoder's vectors of the index in this folder; None where there are none."""
    return _opened(index / encoder.FOLDER)


def forget(index: Path, encoder: ModuleType) -> None:
    """Let go of the vectors in a folder that is about to be deleted."""
    _opened.forget(index / encoder.FOLDER)
