"""Reads Word documents (DOCX): mammoth converts them to HTML by their styles, not by their looks."""

import io
import zipfile

import mammoth

from docbot.content import ReadDocument
from docbot.reading.structure import archives
from docbot.reading.structure.blocks import Heading, assemble
from docbot.reading.structure.markup import blocks_of, parse

STYLES = """
p[style-name='Title'] => h1.title:fresh
p[style-name='Subtitle'] => p:fresh
p[style-name='Quote'] => blockquote > p:fresh
"""
# What office programs write when nobody has given a title.
NO_TITLES = ("microsoft word", "word document", "document", "untitled", "unknown", "powerpoint presentation")


def read(content: bytes, name: str) -> ReadDocument:
    with archives.opened(content) as archive:
        title, language = properties(archive)
    html = mammoth.convert_to_html(
        io.BytesIO(content),
        style_map=STYLES,
        include_embedded_style_map=False,
        convert_image=mammoth.images.img_element(lambda image: {"src": ""}),
    ).value
    root = parse(html)
    blocks = blocks_of(root) if root is not None else []
    given = root.xpath("string(//h1[@class='title'])") if root is not None else ""
    # Of several chapters the first one's heading is not the document's title.
    chapters = sum(isinstance(block, Heading) and block.level == 1 for block in blocks)
    return assemble(
        blocks, name=name, title=given, declared=title, language=language, first_heading_is_title=chapters == 1
    )


def properties(archive: zipfile.ZipFile) -> tuple[str, str]:
    """Return title and language from an Office document's properties, each empty if it says nothing useful."""
    core = archives.xml(archive, "docProps/core.xml")
    title, language = archives.text(core, "title"), archives.text(core, "language")
    return "" if title.lower().startswith(NO_TITLES) else title, language[:2].lower()
