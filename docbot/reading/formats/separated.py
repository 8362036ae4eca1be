"""Reads CSV and TSV files, whatever separates their columns."""

import csv
import io
from contextlib import suppress

from docbot.content import ReadDocument
from docbot.reading.structure.blocks import assemble
from docbot.reading.structure.encodings import decode
from docbot.reading.structure.sheets import blocks

SEPARATORS = ",;\t|"
SAMPLE = 4000  # characters; hostile ones keep csv.Sniffer busy for the square of their number
LONGEST_CELL = 1_000_000  # characters


def read(content: bytes, name: str) -> ReadDocument:
    text = decode(content)
    # Excel's own word on the separator, which it writes above everything else.
    first, _, rest = text.partition("\n")
    separator = ","
    if first.lower().startswith("sep=") and len(first) == 5:
        separator, text = first[4], rest
    else:
        with suppress(csv.Error):  # one column
            separator = csv.Sniffer().sniff(text[:SAMPLE], SEPARATORS).delimiter
    csv.field_size_limit(LONGEST_CELL)
    return assemble(blocks(csv.reader(io.StringIO(text), delimiter=separator)), name=name)
