"""Finds the files below folders that documents may be read from, and reads their bytes."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from docbot.reading import Unreadable, can_read

# Documents that people expect to be read, and what to do about them.
OLD_OFFICE = {
    **dict.fromkeys((".doc", ".dot", ".rtf", ".odt", ".pages"), "DOCX"),
    **dict.fromkeys((".ppt", ".odp", ".key"), "PPTX"),
    **dict.fromkeys((".xls", ".ods", ".numbers"), "XLSX"),
}

IGNORE = ".docbot-ignore"  # a file of this name keeps its folder, and those below it, out of the training


def files(path: Path, passed_over: Counter[str]) -> Iterator[Path]:
    """The file itself, or every file below the folder that may be read or should be named, in a fixed order.

    Hidden files and folders are left out, and folders with a file IGNORE. Files of other kinds are counted by suffix
    in `passed_over`. Folders that are symbolic links aren't entered: they can lead in circles.
    """
    if not path.is_dir():
        yield path
        return
    for folder, folders, names in os.walk(path):
        if IGNORE in names:
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            suffix = Path(name).suffix.lower()
            if name.startswith((".", "~$")):  # hidden, or the lock that an office program leaves beside an open file
                continue
            if can_read(name) or suffix in OLD_OFFICE:
                yield Path(folder, name)
            else:
                passed_over[suffix or "no suffix"] += 1


def location_of(path: Path) -> str:
    """The path as text that any database takes, whatever bytes its name holds."""
    return os.fsencode(path).decode("utf-8", "replace")


def content_of(path: Path) -> bytes:
    """Raises Unreadable when the file is of no use, too large, or can't be opened."""
    suffix = path.suffix.lower()
    if suffix in OLD_OFFICE:
        raise Unreadable(f"files of this kind ({suffix}) can't be read: save it as {OLD_OFFICE[suffix]}")
    limit = settings.DOCBOT_FILE_MAX_MB << 20
    try:
        # Not blocking: a named pipe would wait for somebody to write into it.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise Unreadable("it is not a file")
            content = file.read(limit + 1)
    except OSError as error:
        raise Unreadable(f"it can't be opened ({os.strerror(error.errno or 0)})") from error
    if len(content) > limit:
        raise Unreadable(f"it is larger than {settings.DOCBOT_FILE_MAX_MB} MB (DOCBOT_FILE_MAX_MB)")
    return content
