"""Reads presentations (PPTX): each slide's title is a heading, with its text, tables and notes below it."""

import io
from collections.abc import Iterable, Iterator

from pptx import Presentation
from pptx.shapes.base import BaseShape
from pptx.slide import Slide
from pptx.text.text import TextFrame

from docbot.content import ReadDocument
from docbot.reading.formats.word import properties
from docbot.reading.structure import archives
from docbot.reading.structure.blocks import Block, Heading, Item, Paragraph, assemble
from docbot.reading.structure.grids import with_names


def read(content: bytes, name: str) -> ReadDocument:
    with archives.opened(content) as archive:
        title, language = properties(archive)
    slides = list(Presentation(io.BytesIO(content)).slides)
    blocks = [block for number, slide in enumerate(slides, start=1) for block in _slide(slide, number)]
    first = _title(slides[0]) if slides else ""
    return assemble(blocks, name=name, title=title or first, language=language)


def _slide(slide: Slide, number: int) -> Iterator[Block]:
    yield Heading(2, _title(slide) or f"{number}")
    title = slide.shapes.title.shape_id if slide.shapes.title is not None else None
    shapes = [shape for shape in _flat(slide.shapes) if shape.shape_id != title]
    # As people read them; a shape without a place of its own stands where its layout puts it, which comes first.
    for shape in sorted(shapes, key=lambda shape: (shape.top or 0, shape.left or 0)):
        if shape.has_text_frame:
            yield from _text(shape.text_frame)
        elif getattr(shape, "has_table", False):
            rows = [[cell.text for cell in row.cells] for row in shape.table.rows]
            yield with_names(rows)
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        for paragraph in slide.notes_slide.notes_text_frame.text.split("\n"):
            if paragraph.strip():
                yield Paragraph(paragraph.strip())


def _title(slide: Slide) -> str:
    title = slide.shapes.title
    return " ".join(title.text_frame.text.split()) if title is not None else ""


def _flat(shapes: Iterable[BaseShape]) -> Iterator[BaseShape]:
    for shape in shapes:
        if hasattr(shape, "shapes"):  # a group
            yield from _flat(shape.shapes)
        else:
            yield shape


def _text(frame: TextFrame) -> Iterator[Block]:
    paragraphs = [(paragraph.level, paragraph.text.replace("\v", "\n").strip()) for paragraph in frame.paragraphs]
    paragraphs = [(level, text) for level, text in paragraphs if text]
    if len(paragraphs) == 1:
        yield Paragraph(paragraphs[0][1])
        return
    for level, text in paragraphs:
        yield Item("  " * level + "- " + " ".join(text.split()))
