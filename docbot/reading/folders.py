"""Finds documents in folders and reads their bytes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from docbot.reading import Unreadable, can_read

# Unsupported formats that people expect to work -> the format to save them in.
OLD_OFFICE = {
    **dict.fromkeys((".doc", ".dot", ".rtf", ".odt", ".pages"), "DOCX"),
    **dict.fromkeys((".ppt", ".odp", ".key"), "PPTX"),
    **dict.fromkeys((".xls", ".ods", ".numbers"), "XLSX"),
}

IGNORE = ".docbot-ignore"  # a file of this name excludes its folder and subfolders


def files(path: Path) -> Iterator[Path]:
    """Yield the file itself, or the supported and OLD_OFFICE files below the folder, sorted.

    Hidden files and folders are skipped, and folders that hold a file IGNORE. Symbolic links to folders aren't
    followed: they can form loops.
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
            is_hidden = name.startswith((".", "~$"))  # the second is an Office lock file
            if not is_hidden and (can_read(name) or Path(name).suffix.lower() in OLD_OFFICE):
                yield Path(folder, name)


def location_of(path: Path) -> str:
    """Return the path as text that any database can store, whatever bytes its name holds."""
    return os.fsencode(path).decode("utf-8", "replace")


def check(name: str, size: int) -> None:
    """Raise Unreadable if a file with this name and so many bytes can't be read."""
    suffix, limit = Path(name).suffix.lower(), settings.DOCBOT_FILE_MAX_MB
    if suffix in OLD_OFFICE:
        raise Unreadable("files of this kind can’t be read: save it in another format", OLD_OFFICE[suffix])
    if not can_read(name):
        raise Unreadable(
            "files of this kind can’t be read. Upload PDF, Word, Excel, PowerPoint, e-books, web pages or plain text"
        )
    if not size:
        raise Unreadable("it is empty")
    if size > limit << 20:
        raise Unreadable("it is too large", f"DOCBOT_FILE_MAX_MB: {limit}")


def content_of(path: Path) -> bytes:
    """Read a file. Raises Unreadable if `check` does, or if it can't be opened."""
    try:
        if not path.is_file():
            raise Unreadable("it is not a file")  # a named pipe, for example, whose opening waits for a writer
        check(path.name, path.stat().st_size)
        return path.read_bytes()
    except OSError as error:
        raise Unreadable("it can’t be opened", os.strerror(error.errno or 0)) from error
