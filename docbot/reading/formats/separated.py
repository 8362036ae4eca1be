"""Reads CSV and TSV files, whatever separates their columns."""

import csv
import io
from collections import Counter

from docbot.content import ReadDocument
from docbot.reading.structure.blocks import assemble
from docbot.reading.structure.encodings import decode
from docbot.reading.structure.sheets import blocks

SEPARATORS = ",;\t|"
SAMPLE = 50  # rows
LONGEST_CELL = 1_000_000  # characters


def read(content: bytes, name: str) -> ReadDocument:
    text = decode(content)
    # Excel's own word on the separator, which it writes above everything else.
    first, _, rest = text.partition("\n")
    if first.lower().startswith("sep=") and len(first) == 5:
        separator, text = first[4], rest
    else:
        separator = separator_of(text)
    csv.field_size_limit(LONGEST_CELL)
    return assemble(blocks(csv.reader(io.StringIO(text), delimiter=separator)), name=name)


def separator_of(text: str) -> str:
    """Return the separator that splits most rows into as many columns; csv.Sniffer takes letters for separators."""

    def merit(separator: str) -> tuple[float, int]:
        rows = csv.reader(io.StringIO(text[:100_000]), delimiter=separator)
        try:
            widths = Counter(len(row) for row, _ in zip(rows, range(SAMPLE), strict=False) if row)
        except csv.Error:
            return 0.0, 0
        width, count = max(widths.items(), key=lambda item: (item[1], item[0]), default=(1, 0))
        return (count / widths.total(), width) if width > 1 else (0.0, 0)

    return max(SEPARATORS, key=merit)
