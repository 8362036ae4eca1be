"""Lets one process of a machine do something; the system releases the lock if that process is killed."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def alone_with(file: Path) -> Iterator[bool]:
    """Hold the file's lock, without waiting; False if another process has it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with open(file, "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
