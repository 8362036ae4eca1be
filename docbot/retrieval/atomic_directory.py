"""A folder whose content is replaced atomically: readers see the whole old generation or the whole new one."""

import fcntl
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_CURRENT = "current"  # holds the name of the generation that is read
_PREFIX = "generation-"


def stamp(folder: Path) -> tuple[int, int, int] | None:
    """A value that changes with each new generation; None when there is none. Takes one stat call."""
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
        _delete_all_but(folder, previous)
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


def _delete_all_but(folder: Path, kept: Path | None) -> None:
    for path in folder.glob(f"{_PREFIX}*"):
        if path != kept:
            shutil.rmtree(path, ignore_errors=True)
