"""Reads plain text: paragraphs, lists, and headings that are underlined, numbered or alone on their line."""

import re
from collections.abc import Iterator
from itertools import groupby

from docbot.content import ReadDocument
from docbot.reading.structure.blocks import Block, Heading, Item, Paragraph, assemble, looks_like_heading
from docbot.reading.structure.encodings import decode
from docbot.reading.structure.lines import ITEM, breaks, join

UNDERLINE = re.compile(r"([=\-~^\"'*+#])\1{2,}\s*")
RULE = re.compile(r"\s*([-=*_~#])(?:\s*\1){2,}\s*")


def read(content: bytes, name: str) -> ReadDocument:
    levels: dict[str, int] = {}  # of underlines, in the order in which they first appear, as reStructuredText has it
    paragraphs = _paragraphs(decode(content).expandtabs(4))
    return assemble((block for lines in paragraphs for block in _blocks_of(lines, levels)), name=name)


def _paragraphs(text: str) -> Iterator[list[str]]:
    for is_filled, lines in groupby(text.split("\n"), key=lambda line: bool(line.strip())):
        if is_filled:
            yield [line.rstrip() for line in lines]


def _blocks_of(lines: list[str], levels: dict[str, int]) -> Iterator[Block]:
    if len(lines) > 1 and UNDERLINE.fullmatch(lines[0].strip()):
        lines = lines[1:]  # a line above the heading as well
    if len(lines) > 1 and UNDERLINE.fullmatch(lines[1].strip()) and len(lines[1].strip()) >= len(lines[0].strip()) // 2:
        yield Heading(levels.setdefault(lines[1].strip()[0], min(len(levels) + 1, 6)), lines[0].strip())
        lines = lines[2:]
    lines = [line for line in lines if not RULE.fullmatch(line)]
    if not lines:
        return
    first = lines[0].strip()
    may_be_heading = looks_like_heading(first) and all(breaks(lines)[:1])
    # "3. Care" above what it is about is no list.
    is_list = any(ITEM.match(line.strip()) for line in lines[first[0].isdigit() and may_be_heading :])
    yield from _items(lines) if is_list else [Paragraph(join(lines), may_be_heading and len(lines) == 1)]


def _items(lines: list[str]) -> Iterator[Block]:
    """Yield a list, with the lines that continue its items, and any text above it."""
    groups: list[list[str]] = [[]]
    for line in lines:
        if ITEM.match(line.strip()):
            groups.append([])
        groups[-1].append(line)
    above, *items = groups
    if above:
        yield Paragraph(join(above))
    yield from map(_item, items)


def _item(lines: list[str]) -> Item:
    indent = len(lines[0]) - len(lines[0].lstrip())
    text = re.sub(r"^[*+•‣▪◦–]\s+", "- ", join(lines).replace("\n", " "))
    return Item(" " * min(indent, 8) + text)
