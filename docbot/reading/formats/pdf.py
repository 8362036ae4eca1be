"""Reads PDF files: paragraphs, tables, larger lines as headings, without what is repeated on every page."""

from __future__ import annotations

import ctypes
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice, takewhile

import pypdfium2
from pypdfium2 import raw

from docbot.content import ReadDocument
from docbot.reading import Unreadable
from docbot.reading.formats.word import NO_TITLES
from docbot.reading.structure.blocks import Block, Heading, Item, Paragraph, assemble
from docbot.reading.structure.grids import with_names
from docbot.reading.structure.lines import ITEM, join
from docbot.reading.structure.pdf_tables import LEAST_DRAWN, MOST_DRAWN, FoundTable, find_tables, joined

MOST_PAGES = 5000
EDGE = 3  # lines at the top and at the bottom of a page, among which what is repeated on each page stands
LARGER = 1.12  # times the size of the usual text: a heading
HEADING_WORDS = 16
HYPHENS = "-\u00ad\u2010\u0002\ufffe"  # pdfium writes the last two for a hyphen and the end of its line
BOLD = re.compile(rb"bold|black|heavy|demi", re.I)  # in the name of a font
CONTENTS = re.compile(r"(?:\. ?){4,}\s*[\divxlc]+$|…{2,}\s*[\divxlc]+$")  # a line of the table of contents
EVEN = 0.75  # of the longest line of a paragraph: how long its full lines are at least
LARGER_GAP = 1.25  # times the usual distance of two lines: a new paragraph
BULLET = re.compile(r"^[•‣▪◦●○■□–\uf0b7]\s*")


@dataclass(frozen=True, slots=True)
class Line:
    text: str
    size: float  # of its letters, in points; 0 when it isn't known
    bold: bool
    pitch: float  # from the line above, in points; negative at the top of a page or column
    gap: bool = False  # is it farther away than the lines of a paragraph are?
    rows: tuple[tuple[str, ...], ...] = ()  # of the table that begins here; `text` is all of it


def read(content: bytes, name: str) -> ReadDocument:
    try:
        document = pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        if error.err_code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY):
            raise Unreadable("it is encrypted with a password") from error
        raise
    with document:
        if len(document) > MOST_PAGES:
            raise Unreadable("it has too many pages: split it", f"{len(document):,}")
        framed = [number for number, page in _pages(document) if _has_frames(page)]
        tables = find_tables(content, framed)
        pages = [_lines(page, tables.get(number, [])) for number, page in _pages(document)]
        title = " ".join(document.get_metadata_value("Title").split())
    if not any(pages):
        raise Unreadable("there is no text in it, perhaps only scanned pages: run text recognition on it first", "OCR")
    found = list(_blocks([line for page in _without_repeated(pages) for line in page]))
    first, found = _without_title_page(found)
    useful = title if not title.lower().startswith(NO_TITLES) and not re.search(r"\.\w{2,4}$", title) else ""
    return assemble(found, name=name, title=useful or first, first_heading_is_title=False)


def _without_title_page(blocks: list[Block]) -> tuple[str, list[Block]]:
    """Return the title, the largest line before any text, and the blocks without it; authors beside it are text."""
    run = list(takewhile(lambda block: isinstance(block, Heading), blocks))
    elsewhere = {block.level for block in blocks[len(run) :] if isinstance(block, Heading)}
    top = min((block.level for block in run), default=0)
    largest = [block for block in run if block.level == top]
    is_title = largest and (top not in elsewhere or (len(run) > 1 and len(largest) == 1))
    title = largest[0] if is_title else None
    beside = [Paragraph(block.text) for block in run if block.level not in elsewhere and block is not title]
    rest = [block for block in run if block.level in elsewhere and block is not title]
    return title.text if title else "", [*beside, *rest, *blocks[len(run) :]]


def _pages(document: pypdfium2.PdfDocument) -> Iterator[tuple[int, pypdfium2.PdfPage]]:
    for number in range(len(document)):
        try:
            page = document[number]
        except pypdfium2.PdfiumError:
            continue  # one damaged page; the others can be read
        yield number, page
        page.close()


def _has_frames(page: pypdfium2.PdfPage) -> bool:
    """Return whether there are lines or boxes on the page that may be those of a table."""
    shapes = page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH])
    return LEAST_DRAWN <= sum(1 for _ in islice(shapes, MOST_DRAWN + 1)) <= MOST_DRAWN


def _lines(page: pypdfium2.PdfPage, tables: Sequence[FoundTable]) -> list[Line]:
    text_page = page.get_textpage()
    lines: list[Line] = []
    begun: set[FoundTable] = set()
    start, last = 0, 0.0
    for line in re.split("(?<=[\n\u0002\ufffe])", text_page.get_text_range()):
        shown = line.strip()
        if shown and not CONTENTS.search(shown):
            index = raw.FPDFText_GetCharIndexFromTextIndex(text_page, start + len(line) - len(line.lstrip()))
            left = bottom = top = 0.0
            if index >= 0:
                left, bottom, _right, top = text_page.get_charbox(index, loose=True)
            table = next((each for each in tables if each.contains(left, (bottom + top) / 2)), None)
            if table is None:
                bold = _is_bold(text_page, index) and _is_bold(text_page, index + len(shown) - 1)
                lines.append(Line(shown, round(top - bottom, 1), bold, last - bottom))
            elif table not in begun:
                begun.add(table)
                lines.append(Line(table.text, round(top - bottom, 1), bold=False, pitch=last - bottom, rows=table.rows))
            last = bottom
        start += len(line)
    text_page.close()
    return lines


def _is_bold(text_page: pypdfium2.PdfTextPage, index: int) -> bool:
    if raw.FPDFText_GetFontWeight(text_page, index) >= 600:
        return True
    name = ctypes.create_string_buffer(128)
    raw.FPDFText_GetFontInfo(text_page, index, name, len(name), None)
    return BOLD.search(name.value) is not None


def _without_repeated(pages: Sequence[list[Line]]) -> Iterator[list[Line]]:
    """Return the pages without the running heads, running feet and page numbers that most of them have."""
    if len(pages) < 3:
        yield from pages
        return
    counts = Counter(key for page in pages for key in {_key(line) for line in page[:EDGE] + page[EDGE:][-EDGE:]})
    written = sum(1 for page in pages if page)
    repeated = {key for key, count in counts.items() if count >= max(3, 0.4 * written) or key[0] == "#"}
    for page in pages:
        last = len(page) - EDGE
        yield [
            line
            for number, line in enumerate(page)
            if not ((number < EDGE or number >= last) and _key(line) in repeated)
        ]


def _key(line: Line) -> tuple[str, float]:
    """Return what identifies a line that is on each page: its text, with any number for any other, and its size."""
    return re.sub(r"\d+|\b[ivxlc]+\b", "#", line.text.casefold()), _rounded(line.size)


def _blocks(lines: list[Line]) -> Iterator[Block]:
    lines = _with_gaps(lines)
    letters: Counter[float] = Counter()
    for line in lines:
        letters[_rounded(line.size)] += len(line.text)
    usual = max(letters, key=letters.__getitem__, default=0.0)
    is_bold = sum(len(line.text) for line in lines if line.bold) > 0.5 * sum(len(line.text) for line in lines)
    sizes = sorted(
        {_rounded(line.size) for line in lines if line.size >= LARGER * usual and not line.rows}, reverse=True
    )
    levels = {size: min(level, 4) for level, size in enumerate(sizes, start=1)}
    for is_table, run in groupby(lines, key=lambda line: bool(line.rows)):
        if is_table:
            yield from map(with_names, joined([line.rows for line in run]))
        else:
            yield from _text_blocks([(line, _level(line, levels, bold_counts=not is_bold)) for line in run])


def _text_blocks(lines: list[tuple[Line, int]]) -> Iterator[Block]:
    """Make headings and paragraphs of lines, each with its level as a heading; 0 for text."""
    paragraph: list[str] = []
    heading: list[str] = []
    above = 0  # the level of the line above
    for line, level in lines:
        if heading and (level != above or line.gap):
            yield Heading(above, join(heading, EVEN, HYPHENS))
            heading = []
        if level or (line.gap and paragraph and not _goes_on(paragraph[-1], line.text)):
            yield from _paragraphs(paragraph)
            paragraph = []
        (heading if level else paragraph).append(line.text)
        above = level
    if heading:
        yield Heading(above, join(heading, EVEN, HYPHENS))
    yield from _paragraphs(paragraph)


def _with_gaps(lines: list[Line]) -> list[Line]:
    pitches = Counter(_rounded(line.pitch) for line in lines if 0 < line.pitch < 2 * line.size)
    usual = max(pitches, key=lambda pitch: (pitches[pitch], -pitch), default=0.0)
    return [replace(line, gap=line.pitch <= 0 or line.pitch > LARGER_GAP * usual) for line in lines]


def _rounded(size: float) -> float:
    return round(size * 2) / 2


def _level(line: Line, levels: dict[float, int], *, bold_counts: bool) -> int:
    """Return the level of the heading that a line is; 0 for text."""
    short = len(line.text.split()) <= HEADING_WORDS and any(letter.isalpha() for letter in line.text)
    if not short or line.text[-1] in ".,;" or BULLET.match(line.text):
        return 0
    if _rounded(line.size) in levels:
        return levels[_rounded(line.size)]
    return 5 if bold_counts and line.bold and line.gap and not line.text.endswith(":") else 0


def _goes_on(last: str, text: str) -> bool:
    """Return whether a sentence broken off at the end of a column or page continues here."""
    return last[-1] in HYPHENS or (text[0].islower() and last[-1] not in ".!?:;")


def _paragraphs(lines: list[str]) -> Iterator[Block]:
    items: list[str] = []
    for line in lines:
        if BULLET.match(line) or ITEM.match(line):
            if items:
                yield _paragraph(items)
            items = []
        items.append(line)
    if items:
        yield _paragraph(items)


def _paragraph(lines: list[str]) -> Block:
    text = join(lines, EVEN, HYPHENS)
    if BULLET.match(text):
        return Item("- " + " ".join(BULLET.sub("", text).split()))
    return Item(" ".join(text.split())) if ITEM.match(text) else Paragraph(text)
