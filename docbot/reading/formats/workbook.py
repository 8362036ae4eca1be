"""Reads spreadsheets (XLSX): each sheet is a heading, each row a line with the names of its columns."""

import datetime
import io
import warnings
from collections.abc import Iterator

import openpyxl
import regex
from openpyxl.cell import Cell
from openpyxl.worksheet._read_only import ReadOnlyWorksheet

from docbot.content import ReadDocument
from docbot.reading.formats.word import properties
from docbot.reading.structure import archives
from docbot.reading.structure.blocks import Block, Heading, assemble
from docbot.reading.structure.grids import WIDEST
from docbot.reading.structure.sheets import blocks

MOST_ROWS = 1_000_000  # of a sheet, as many as Excel takes
CURRENCY = regex.compile(r"\[\$(?P<sign>[^-\]]+)|(?<!\[)(?P<sign>[£€$¥₹])")  # "[$€-407]", "£#,##0"


def read(content: bytes, name: str) -> ReadDocument:
    with archives.opened(content) as archive:
        title, _language = properties(archive)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about what a reader has no use for: styles, conditional formats, extensions
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
        found = [block for sheet in book.worksheets if sheet.sheet_state == "visible" for block in _sheet(sheet)]
    return assemble(found, name=name, declared=title)


def _sheet(sheet: ReadOnlyWorksheet) -> Iterator[Block]:
    sheet.reset_dimensions()  # what a sheet says of its size may be anything
    yield Heading(2, sheet.title)
    yield from blocks([_text(cell) for cell in row] for row in sheet.iter_rows(max_col=WIDEST, max_row=MOST_ROWS))


def _text(cell: Cell) -> str:
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, (int, float)):
        shown = cell.number_format or ""
        if "%" in shown:
            return f"{round(value * 100, 6):.10g}%"
        number = f"{value:.10g}" if isinstance(value, float) else str(value)
        if not (currency := CURRENCY.search(shown)):
            return number
        sign, number = currency["sign"], f"{value:.2f}" if "." in number else number
        is_after = regex.search("[0#]", shown[: currency.start()]) or value < 0 or sign.isalpha()
        return f"{number} {sign}" if is_after else f"{sign}{number}"
    if isinstance(value, datetime.datetime):
        return value.date().isoformat() if value.time() == datetime.time() else value.isoformat(" ", "minutes")
    return str(value)
