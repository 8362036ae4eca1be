"""Finds the tables in a PDF by the lines that are drawn between their cells."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import NamedTuple

import pdfplumber
from pdfminer.pdfexceptions import PDFException
from pdfplumber.utils.exceptions import PdfminerException

from docbot.reading.structure.grids import are_names

LEAST_DRAWN, MOST_DRAWN = 4, 2000  # shapes on a page: fewer can't frame a table, more are a map or a diagram
MOST_PAGES = 100  # with as many shapes: 40 full pages of 8 columns take 4 seconds
LONGEST_CELL = 500  # characters; longer ones are columns of text
# What it raises for damaged files and ones that it doesn't understand.
UNREADABLE = (PdfminerException, PDFException, ValueError, TypeError, LookupError, AttributeError, RecursionError)


class FoundTable(NamedTuple):
    """A table's rows, and where it is on its page, in points from the lower left corner."""

    rows: tuple[tuple[str, ...], ...]
    left: float
    bottom: float
    right: float
    top: float

    @property
    def text(self) -> str:
        return " ".join(cell for row in self.rows for cell in row)

    def contains(self, x: float, y: float) -> bool:
        return self.left <= x <= self.right and self.bottom <= y <= self.top


def find_tables(content: bytes, pages: Sequence[int]) -> dict[int, list[FoundTable]]:
    """Return the tables of these pages, by page, up to the first page that pdfplumber can't read."""
    found: dict[int, list[FoundTable]] = {}
    if not pages:
        return found
    try:
        with pdfplumber.open(io.BytesIO(content)) as document:
            for number in pages[:MOST_PAGES]:
                found[number] = _tables_of(document.pages[number])
                document.pages[number].close()
    except UNREADABLE:
        return found  # what is left is read as text
    return found


def _tables_of(page: pdfplumber.page.Page) -> list[FoundTable]:
    ceiling = page.height + page.mediabox[1]
    tables = []
    for table in page.find_tables():
        rows = [tuple(" ".join((cell or "").split()) for cell in row) for row in table.extract()]
        filled = tuple(row for row in rows if any(row))
        longest = max((len(cell) for row in filled for cell in row), default=0)
        if len(filled) > 1 and len(filled[0]) > 1 and longest <= LONGEST_CELL:  # else a frame around text
            left, top, right, bottom = table.bbox
            tables.append(FoundTable(filled, left, ceiling - bottom, right, ceiling - top))
    return tables


def joined(tables: Sequence[tuple[tuple[str, ...], ...]]) -> list[list[tuple[str, ...]]]:
    """Join tables that follow one another and have as many columns: one that goes on at the top of the next page."""
    all_rows: list[list[tuple[str, ...]]] = []
    for rows in tables:
        head = all_rows[-1][0] if all_rows else ()
        is_repeated = rows[0] == head
        if len(rows[0]) == len(head) and (is_repeated or not are_names(rows[0], len(head))):
            all_rows[-1].extend(rows[1:] if is_repeated else rows)
        else:
            all_rows.append(list(rows))
    return all_rows
