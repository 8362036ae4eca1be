"""Tables: which cell belongs to which column, and what the columns are called."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import count, product, zip_longest

from lxml import etree

from docbot.reading.structure.blocks import Table

WIDEST = 200  # columns
TALLEST_SPAN = 1000  # rows
NAME_LENGTH = 80  # characters of a column's name
NUMBER = re.compile(r"[-+€$£]*[\d.,\s]*\d[\d.,\s]*[%€$£]?")

Text = Callable[[etree._Element], str]


def table_of(element: etree._Element, text: Text) -> Table | None:
    """Return a table of data, or None if the element is only used for layout."""
    if (element.get("role") or "") in ("presentation", "none") or element.find(".//table") is not None:
        return None
    trs = [tr for tr in element.iter("tr") if len(tr)]
    if not any(len(tr) > 1 for tr in trs):
        return None
    grid = _grid(trs, text)
    is_head = [tr.getparent().tag == "thead" or all(cell.tag == "th" for cell in tr) for tr in trs]
    heads = [*is_head, False].index(False)
    if heads and heads < len(grid):
        # Of several rows, such as a year above its quarters.
        names = (" ".join(dict.fromkeys(filter(None, column))) for column in zip_longest(*grid[:heads]))
        return Table([_name(name) for name in names], grid[heads:])
    return with_names(grid)


def with_names(rows: Sequence[Sequence[str]]) -> Table:
    """Return a table; its first row is taken as the names of its columns if it looks like it."""
    width = max((len(row) for row in rows), default=0)
    if width == 2:
        # Path not taken: the first row of two columns as names. "Telephone | 123" is more often a fact than a head,
        # and "Plan: Price" harms nobody as a row.
        return Table((), [(f"{row[0]}: {row[1]}",) if len(row) > 1 and row[0] and row[1] else row for row in rows])
    if len(rows) > 1 and are_names(rows[0], width):
        return Table([_name(cell) for cell in rows[0]], rows[1:])
    return Table((), rows)


def are_names(row: Sequence[str], width: int) -> bool:
    """Return whether these cells look like column names: filled, different, short, and not numbers."""
    filled = [cell.strip() for cell in row if cell.strip()]
    return (
        len(filled) >= max(1, width - 1)
        and len(set(filled)) == len(filled)
        and all(len(cell) <= NAME_LENGTH and not NUMBER.fullmatch(cell) for cell in filled)
    )


def _name(cell: str) -> str:
    return " ".join(cell.split()).rstrip(": ")[:NAME_LENGTH]


def _grid(trs: Sequence[etree._Element], text: Text) -> list[list[str]]:
    """Return the cells of each row; a cell that spans several columns or rows is repeated in each."""
    cells: dict[tuple[int, int], str] = {}
    grid = []
    for row, tr in enumerate(trs):
        column = 0
        for cell in tr:
            column = _free(cells, row, column)
            if column >= WIDEST:
                break
            width, height = _span(cell, "colspan", WIDEST - column), _span(cell, "rowspan", TALLEST_SPAN)
            rows = range(row, min(row + height, len(trs)))
            cells.update(dict.fromkeys(product(rows, range(column, column + width)), text(cell)))
        grid.append([cells[row, column] for column in range(_free(cells, row, column))])
    return grid


def _free(cells: dict[tuple[int, int], str], row: int, column: int) -> int:
    """Return the first column from this one on that no cell takes."""
    return next(number for number in count(column) if (row, number) not in cells)


def _span(cell: etree._Element, name: str, most: int) -> int:
    value = (cell.get(name) or "1").strip()
    return max(1, min(int(value), most)) if value.isdecimal() and len(value) < 8 else 1
