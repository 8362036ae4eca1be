"""Replaces a folder's content atomically: readers see the whole old generation or the whole new one."""

import fcntl
import shutil
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Generic, TypeVar

_CURRENT = "current"  # a symbolic link to the generation that is read
_PREFIX = "generation-"
_ATTEMPTS = 5

_T = TypeVar("_T")


class Opened(Generic[_T]):
    """Opens the current generation of a folder once per process, and again when there is a newer one."""

    def __init__(self, opener: Callable[[Path], _T]) -> None:
        self._opener = opener
        self._known: dict[Path, tuple[Path, _T]] = {}
        self._lock = threading.Lock()

    def __call__(self, folder: Path) -> _T | None:
        """Return what the opener makes of the current generation, or None if there is none."""
        with self._lock:
            for _ in range(_ATTEMPTS):
                generation = current(folder)
                if generation is None:
                    break
                with suppress(FileNotFoundError, ValueError):  # two trainings ended meanwhile: its files are gone
                    if generation not in self._known.get(folder, ()):
                        self._known[folder] = generation, self._opener(generation)
                    return self._known[folder][1]
            self._known.pop(folder, None)
            return None

    def forget(self, folder: Path) -> None:
        """Let go of what was opened in a folder that is about to be deleted."""
        with self._lock:
            self._known.pop(folder, None)


def current(folder: Path) -> Path | None:
    link = folder / _CURRENT
    return folder / link.readlink() if link.is_symlink() else None


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
            aside = folder / f"{_CURRENT}.new"
            aside.unlink(missing_ok=True)
            aside.symlink_to(fresh.name)
            aside.replace(folder / _CURRENT)
        except BaseException:
            shutil.rmtree(fresh, ignore_errors=True)
            raise
