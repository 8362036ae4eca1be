"""Replaces a folder's content atomically: readers see the whole old generation or the whole new one."""

import fcntl
import os
import shutil
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Generic, TypeVar

_CURRENT = "current"  # holds the name of the generation that is read
_PREFIX = "generation-"
_ATTEMPTS = 5

_T = TypeVar("_T")


class Opened(Generic[_T]):
    """Opens the current generation of a folder once per process, and again when there is a newer one."""

    def __init__(self, opener: Callable[[Path], _T]) -> None:
        self._opener = opener
        self._known: dict[Path, tuple[tuple[int, int, int], _T]] = {}
        self._lock = threading.Lock()

    def __call__(self, folder: Path) -> _T | None:
        """Return what the opener makes of the current generation, or None if there is none."""
        known = self._known.get(folder)
        if known and known[0] == stamp(folder):
            return known[1]
        with self._lock:
            for _ in range(_ATTEMPTS):
                now, known, generation = stamp(folder), self._known.get(folder), current(folder)
                if now is None or generation is None:
                    self._known.pop(folder, None)
                    return None
                if known and known[0] == now:
                    return known[1]  # another thread was first
                with suppress(FileNotFoundError, ValueError):  # two trainings ended meanwhile: its files are gone
                    self._known[folder] = now, self._opener(generation)
            return None

    def forget(self, folder: Path) -> None:
        """Let go of what was opened in a folder that is about to be deleted."""
        with self._lock:
            self._known.pop(folder, None)


def stamp(folder: Path) -> tuple[int, int, int] | None:
    """Return a value that changes with each new generation, or None if there is none. Takes one stat call."""
    try:
        state = os.stat(folder / _CURRENT)
    except (FileNotFoundError, NotADirectoryError):
        return None
    return state.st_ino, state.st_mtime_ns, state.st_size


def current(folder: Path) -> Path | None:
    try:
        name = (folder / _CURRENT).read_text(encoding="utf-8").strip()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return folder / name


@contextmanager
def replacing(folder: Path) -> Iterator[Path]:
    """Yield an empty folder that becomes the current generation when the block ends without an exception.

    One process at a time; a second one waits. The previous generation stays for readers that are just opening it (open
    files survive its deletion); older and unfinished ones are deleted.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        previous = current(folder)
        for path in folder.glob(f"{_PREFIX}*"):
            if path != previous:
                shutil.rmtree(path, ignore_errors=True)
        fresh = folder / f"{_PREFIX}{uuid.uuid4().hex}"
        fresh.mkdir()
        try:
            yield fresh
            _point_to(folder, fresh)
        except BaseException:
            shutil.rmtree(fresh, ignore_errors=True)
            raise


def _point_to(folder: Path, generation: Path) -> None:
    aside = folder / f"{_CURRENT}.new"
    with open(aside, "w", encoding="utf-8") as file:
        file.write(generation.name)
        file.flush()
        os.fsync(file.fileno())
    os.replace(aside, folder / _CURRENT)
