"""Reads e-books (EPUB): their chapters in reading order."""

import posixpath
import re
import zipfile
from collections.abc import Iterator
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from docbot.content import ReadDocument
from docbot.reading import Unreadable
from docbot.reading.structure import archives
from docbot.reading.structure.blocks import Block, assemble
from docbot.reading.structure.markup import blocks_of, parse

FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")  # the only harmless encryption
PAGES = ("application/xhtml+xml", "text/html")


def read(content: bytes, name: str) -> ReadDocument:
    with archives.opened(content) as archive:
        encryption = archives.xml(archive, "META-INF/encryption.xml")
        if {method.get("Algorithm") for method in encryption.iterfind(".//{*}EncryptionMethod")}.difference(FONTS):
            raise Unreadable("it is protected against copying", "DRM")
        container = archives.xml(archive, "META-INF/container.xml")
        # The file that lists the parts of the book.
        path = container.find(".//{*}rootfile").get("full-path")
        package = archives.xml(archive, path)
        blocks = [block for page in _pages(archive, path, package) for block in page]
    language = archives.text(package, "language")[:2].lower()
    title = archives.text(package, "title")
    return assemble(blocks, name=name, title=title, language=language if language.isalpha() else "")


def _pages(archive: zipfile.ZipFile, path: str, package: Element) -> Iterator[list[Block]]:
    items = {item.get("id"): item for item in package.iterfind(".//{*}item")}
    for reference in package.iterfind(".//{*}itemref"):
        item = items.get(reference.get("idref"))
        if item is None or item.get("media-type") not in PAGES or "nav" in (item.get("properties") or "").split():
            continue
        href = unquote(item.get("href") or "").partition("#")[0]
        page = archives.member(archive, posixpath.normpath(posixpath.join(posixpath.dirname(path), href)))
        # An HTML parser takes <title/> of XHTML for a beginning that never ends.
        root = parse(re.sub(rb"<(title|script|style|a|div|p|span)(\s[^<>]*)?/>", rb"<\1\2></\1>", page))
        if root is not None:
            yield blocks_of(root)
