"""Streams CSV that spreadsheet programs open safely as text."""

import csv
from collections.abc import Iterable, Iterator

from django.http import StreamingHttpResponse

BYTE_ORDER_MARK = "\ufeff"  # without it, spreadsheet programs don't recognise UTF-8
_BEGINS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


class _Echo:
    """A file-like object whose `write` returns the line, for csv.writer."""

    def write(self, line: str) -> str:
        return line


def csv_lines(head: Iterable[str], rows: Iterable[Iterable[object]]) -> Iterator[str]:
    writer = csv.writer(_Echo())
    yield BYTE_ORDER_MARK + writer.writerow(head)
    for row in rows:
        yield writer.writerow([escape_formula(cell) for cell in row])


def escape_formula(cell: object) -> object:
    """Put a quote before a cell that a spreadsheet program would run as a formula (OWASP, CSV injection)."""
    if isinstance(cell, str) and cell.lstrip(" \u00a0").startswith(_BEGINS_A_FORMULA):
        return f"'{cell}"
    return "" if cell is None else cell


def csv_response(filename: str, head: Iterable[str], rows: Iterable[Iterable[object]]) -> StreamingHttpResponse:
    return StreamingHttpResponse(
        csv_lines(head, rows),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{filename}"', "Cache-Control": "no-store, private"},
    )
