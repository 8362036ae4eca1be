"""Reads documents of every supported kind; each kind has its own file here, which is loaded when it is first needed."""

from __future__ import annotations

from importlib import import_module
from pathlib import PurePath

from docbot.content import ReadDocument

# Suffix -> the file of this folder that reads it. Each has `read(content: bytes, name: str) -> ReadDocument`.
KINDS = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdx": "markdown",
    ".txt": "text",
    ".text": "text",
    ".rst": "text",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
}

MIME_TYPES = {
    "text/html": ".html",
    "application/xhtml+xml": ".xhtml",
    "text/markdown": ".md",
    "text/plain": ".txt",
}


class Unreadable(Exception):
    """A document that can't be read. Its text is the reason, a phrase that follows the document's name and a colon."""


def can_read(name: str) -> bool:
    return PurePath(name).suffix.lower() in KINDS


def read(content: bytes, name: str) -> ReadDocument:
    """The document that `content` holds, which is of the kind that the suffix of `name` says. Raises Unreadable.

    What it is given may be hostile: whoever reads files that others made calls it through docbot.reading.apart.
    """
    suffix = PurePath(name).suffix.lower()
    if suffix not in KINDS:
        raise Unreadable(f"files of this kind ({suffix or 'no suffix'}) can't be read")
    if not content.strip():
        raise Unreadable("it is empty")
    document = import_module(f"docbot.reading.{KINDS[suffix]}").read(content, name)
    if not any(section.text.strip() for section in document.sections):
        raise Unreadable("there is no text in it")
    return document
