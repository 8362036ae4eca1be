"""Reads e-books (EPUB): their chapters in reading order."""

import posixpath
import re
import zipfile
from collections.abc import Iterator
from urllib.parse import unquote

from lxml import etree

from docbot.content import ReadDocument
from docbot.reading import Unreadable
from docbot.reading.formats import xml
from docbot.reading.structure import archives
from docbot.reading.structure.blocks import Block, assemble
from docbot.reading.structure.markup import blocks_of, parse

FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")  # the only harmless encryption
PAGES = ("application/xhtml+xml", "text/html")


def read(content: bytes, name: str) -> ReadDocument:
    with archives.opened(content) as archive:
        _refuse_protected(archives.member(archive, "META-INF/encryption.xml"))
        path, package = _package(archive)
        blocks = [block for page in _pages(archive, path, package) for block in page]
    title = next(iter(xml.texts(package, "title")), "")
    language = next(iter(xml.texts(package, "language")), "")[:2].lower()
    return assemble(blocks, name=name, title=title, language=language if language.isalpha() else "")


def _refuse_protected(encryption: bytes) -> None:
    if not encryption:
        return
    methods = {element.get("Algorithm") for element in xml.parse(encryption).iter("{*}EncryptionMethod")}
    if methods.difference(FONTS):
        raise Unreadable("it is protected against copying (DRM)")


def _package(archive: zipfile.ZipFile) -> tuple[str, etree._Element]:
    """Return the file that lists the parts of the book, and where it is."""
    container = archives.member(archive, "META-INF/container.xml")
    if not container:
        raise Unreadable("it is not an e-book: its list of contents is missing")
    path = next((file.get("full-path") or "" for file in xml.parse(container).iter("{*}rootfile")), "")
    package = archives.member(archive, path)
    if not package:
        raise Unreadable("it is damaged: its list of contents is missing")
    return path, xml.parse(package)


def _pages(archive: zipfile.ZipFile, path: str, package: etree._Element) -> Iterator[list[Block]]:
    items = {item.get("id"): item for item in package.iter("{*}item")}
    for reference in package.iter("{*}itemref"):
        item = items.get(reference.get("idref"))
        if item is None or item.get("media-type") not in PAGES or "nav" in (item.get("properties") or "").split():
            continue
        href = unquote(item.get("href") or "").partition("#")[0]
        page = archives.member(archive, posixpath.normpath(posixpath.join(posixpath.dirname(path), href)))
        # An HTML parser takes <title/> of XHTML for a beginning that never ends.
        root = parse(re.sub(rb"<(title|script|style|a|div|p|span)(\s[^<>]*)?/>", rb"<\1\2></\1>", page))
        if root is not None:
            yield blocks_of(root)
