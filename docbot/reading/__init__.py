"""Reads documents of all supported formats; each format's module is imported on first use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePath

from docbot.content import ReadDocument

# Module in docbot.reading.formats with `read(content: bytes, name: str) -> ReadDocument` -> suffixes of its files.
_SUFFIXES = {
    "markdown": (".md", ".markdown", ".mdx"),
    "text": (".txt", ".text", ".rst"),
    "html": (".html", ".htm", ".xhtml"),
    "word": (".docx", ".docm"),
    "slides": (".pptx", ".pptm"),
    "book": (".epub",),
    "pdf": (".pdf",),
    "workbook": (".xlsx", ".xlsm"),
    "separated": (".csv", ".tsv"),
    "subtitles": (".vtt", ".srt"),
}
KINDS = {suffix: module for module, suffixes in _SUFFIXES.items() for suffix in suffixes}

_OFFICE = "application/vnd.openxmlformats-officedocument"

# Media type of a response -> suffix of such files.
MEDIA_TYPES = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "text/plain": ".txt",
    "text/markdown": ".md",
    "text/csv": ".csv",
    "text/vtt": ".vtt",
    "application/pdf": ".pdf",
    "application/epub+zip": ".epub",
    f"{_OFFICE}.wordprocessingml.document": ".docx",
    f"{_OFFICE}.presentationml.presentation": ".pptx",
    f"{_OFFICE}.spreadsheetml.sheet": ".xlsx",
}

# First bytes of a file, the kind of file they indicate, and the modules that read it.
SIGNATURES = (
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office file", set()),
    (b"{\\rtf", "RTF", set()),
    (b"\x89PNG", "a picture", set()),
    (b"\xff\xd8\xff", "a picture", set()),
    (b"GIF8", "a picture", set()),
    (b"\x1f\x8b", "a gzip archive", set()),
    (b"%PDF-", "a PDF", {"pdf"}),
    (b"PK\x03\x04", "a zip archive, as Office files are", {"word", "slides", "book", "workbook"}),
)
MOST_TEXT = 20_000_000  # characters of one document: all of War and Peace is 3 million
ENCRYPTED_OFFICE = "EncryptedPackage".encode("utf-16-le")


class Unreadable(Exception):
    """A document can't be read or fetched: the reason, a phrase to show after its name and a colon, with details.

    Pages translate the reason, not the details in parentheses. `tests.messages` finds the reasons here.
    """

    def __init__(self, reason: str, details: object = "") -> None:
        super().__init__(f"{reason} ({details})" if details else reason)


@dataclass(frozen=True)
class Directions:
    """A web page's links, its canonical URL, whether it may be read and followed, and contact details around it."""

    links: Sequence[str] = ()
    canonical: str = ""
    may_read: bool = True
    may_follow: bool = True
    contact: str = ""


def can_read(name: str) -> bool:
    return PurePath(name).suffix.lower() in KINDS


def read(content: bytes, name: str) -> ReadDocument:
    """Read a document in the format that the suffix of `name` indicates. Raises Unreadable.

    Files from others may be hostile: read them through docbot.reading.sandboxed_reader.
    """
    suffix = PurePath(name).suffix.lower()
    if suffix not in KINDS:
        raise Unreadable("files of this kind can’t be read", suffix)
    if not content.strip():
        raise Unreadable("it is empty")
    _refuse_wrong_suffix(content, suffix)
    document = import_module(f"docbot.reading.formats.{KINDS[suffix]}").read(content, name)
    if not any(section.text.strip() for section in document.sections):
        raise Unreadable("there is no text in it")
    if sum(len(section.text) for section in document.sections) > MOST_TEXT:
        raise Unreadable("it holds too much text: split it", f"> {MOST_TEXT:,}")
    return document


def _refuse_wrong_suffix(content: bytes, suffix: str) -> None:
    kind = KINDS[suffix]
    for beginning, what, kinds in SIGNATURES:
        within = 1024 if {kind} == kinds == {"pdf"} else len(beginning)  # a PDF may start with other bytes
        is_one, has_to_be = beginning in content[:within], kind in kinds
        if is_one and not has_to_be and ENCRYPTED_OFFICE in content:
            raise Unreadable("it is encrypted with a password")
        if is_one != has_to_be:
            is_what = what if is_one else f"not {what}"
            raise Unreadable("it is of another kind than its name says", f"{suffix}, but it is {is_what}")
