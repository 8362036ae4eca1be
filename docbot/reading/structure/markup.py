"""Walks through a tree of HTML once and gives its blocks: the way that HTML, Markdown, Word and EPUB share."""

from __future__ import annotations

import re

from lxml import etree
from lxml.html import HTMLParser

from docbot.reading.structure.blocks import Block, Heading, Item, Paragraph, is_question
from docbot.reading.structure.grids import table_of

_SKIPPED = """
    script style noscript template svg math iframe object embed canvas audio video head button select option textarea
    dialog datalist map
"""
_BLOCKS = """
    html body address article aside blockquote caption center dd details div dl dt fieldset figcaption figure footer
    form header hgroup hr legend li main nav ol p section summary tbody td tfoot th thead tr ul
"""
SKIPPED, BLOCKS = frozenset(_SKIPPED.split()), frozenset(_BLOCKS.split())
HEADINGS = {f"h{level}": level for level in range(1, 7)}
PERMALINKS = frozenset({"headerlink", "anchor", "anchor-link", "hash-link", "header-anchor", "permalink"})
FENCE = re.compile(r"`{3,}")
BOLD_LENGTH = 200  # characters: a longer bold paragraph is emphasis


def parse(markup: str | bytes) -> etree._Element | None:
    """The tree of an HTML text, or None when there is nothing in it. Never loads anything from anywhere."""
    parser = HTMLParser(remove_comments=True, remove_pis=True, no_network=True, encoding="utf-8")
    content = markup.encode("utf-8", "replace") if isinstance(markup, str) else markup
    try:
        return etree.fromstring(content, parser)
    except etree.XMLSyntaxError:
        return None


def blocks_of(root: etree._Element) -> list[Block]:
    return _Walk(root).run()


def text_of(element: etree._Element) -> str:
    """Everything that is written in an element, on one line."""
    if len(element) == 0:
        return " ".join((element.text or "").split())
    return " ".join(" ".join(block.text for block in blocks_of(element) if not hasattr(block, "rows")).split())


class _Walk:
    def __init__(self, root: etree._Element) -> None:
        self.root = root
        self.blocks: list[Block] = []
        self.inline: list[str] = []  # the text that has been gathered for the next block
        self.bold = 0  # how many elements deep
        self.all_bold = True  # is everything gathered so far bold?
        self.bold_until = 0  # how much of `inline` is a bold beginning
        self.level = 0  # of the heading that is open
        self.lists: list[_List] = []
        self.term = ""  # of a definition list, until its definition comes

    def run(self) -> list[Block]:
        walk = etree.iterwalk(self.root, events=("start", "end"))
        for event, element in walk:
            tag = element.tag if isinstance(element.tag, str) else ""
            if event == "start":
                if self.start(element, tag):
                    walk.skip_subtree()
                elif element.text:
                    self.add(element.text)
            else:
                self.end(element, tag)
                if element.tail and element is not self.root:
                    self.add(element.tail)
        self.flush()
        return self.blocks

    def start(self, element: etree._Element, tag: str) -> bool:
        """True: what is inside has been dealt with."""
        if tag in SKIPPED or (tag == "a" and PERMALINKS.intersection((element.get("class") or "").split())):
            return True
        if tag in BLOCKS:
            self.flush()
            self.enter(element, tag)
        elif tag in HEADINGS:
            self.flush()
            self.level = HEADINGS[tag]
        elif tag == "pre":
            self.flush()
            self.code(element)
            return True
        elif tag == "table":
            self.flush()
            table = table_of(element, text_of)
            if table is not None:
                self.blocks.append(table)
            return table is not None
        elif tag == "br":
            self.inline.append("\n")
        elif tag == "img" and (element.getparent().tag != "p" or "".join(element.getparent().itertext()).strip()):
            self.add(element.get("alt") or "")  # of a picture that stands in a text, not beside it
        elif tag in ("b", "strong"):
            self.bold += 1
        elif tag == "code":
            self.inline.append("`")
        elif tag == "sup" and "reference" in (element.get("class") or ""):
            return True  # the [1] of an encyclopedia
        return False

    def enter(self, element: etree._Element, tag: str) -> None:
        if tag in ("ul", "ol"):
            start = element.get("start") or ""
            self.lists.append(_List(tag == "ol", int(start) if start.isdecimal() and len(start) < 6 else 1))
        elif tag == "li" and self.lists:
            self.lists[-1].marker = self.lists[-1].next()

    def end(self, element: etree._Element, tag: str) -> None:
        if tag in ("b", "strong"):
            self.bold -= 1
            if self.all_bold and self.bold == 0:
                self.bold_until = len(self.inline)
        elif tag == "code" and (element.getparent() is None or element.getparent().tag != "pre"):
            self.inline.append("`")
        elif tag in HEADINGS or tag in BLOCKS or tag == "table":
            self.flush(tag)
            if tag in ("ul", "ol") and self.lists:
                self.lists.pop()

    def add(self, text: str) -> None:
        if not self.bold and text.strip():
            self.all_bold = False
        self.inline.append(re.sub(r"\s+", " ", text))

    def flush(self, tag: str = "") -> None:
        """Ends the block that is being gathered."""
        text = _tidy("".join(self.inline))
        lead = _tidy("".join(self.inline[: self.bold_until])) if self.bold_until and not self.all_bold else ""
        stands_out = self.all_bold and len(text) <= BOLD_LENGTH
        level = self.level
        self.inline, self.all_bold, self.bold_until = [], True, 0
        if tag in HEADINGS:
            self.level = 0
        if not text:
            return
        if level:
            heading = text.replace("\n", " ").rstrip(" ¶#🔗")
            if heading:
                self.blocks.append(Heading(level, heading))
        elif tag == "dt":
            self.term = text
        elif self.lists:
            self.item(text)
        else:
            self.paragraph(text, stands_out, lead, is_summary=tag == "summary")

    def paragraph(self, text: str, stands_out: bool, lead: str, *, is_summary: bool) -> None:
        if self.term:
            term, self.term = self.term, ""
            if not is_question(term):
                self.blocks.append(Item(f"- {term}: {text}"))
                return
            self.blocks.append(Paragraph(term, stands_out=True))
        if lead and is_question(lead):
            self.blocks.append(Paragraph(lead, stands_out=True))
            text = text[len(lead) :].lstrip()
        self.blocks.append(Paragraph(text, stands_out or is_summary))

    def item(self, text: str) -> None:
        *outer, inner = self.lists
        indent = sum(parent.width for parent in outer)
        marker = inner.marker or " " * inner.width
        inner.marker = ""
        below = "\n" + " " * (indent + inner.width)
        self.blocks.append(Item(" " * indent + marker + text.replace("\n", below)))

    def code(self, element: etree._Element) -> None:
        text = "".join(element.itertext()).strip("\n").rstrip()
        if not text.strip():
            return
        classes = " ".join(part.get("class") or "" for part in (element, *element[:1])).split()
        language = next((name.removeprefix("language-") for name in classes if name.startswith("language-")), "")
        fence = "`" * max([3, *(len(run) + 1 for run in FENCE.findall(text))])
        self.blocks.append(Paragraph(f"{fence}{language}\n{text}\n{fence}"))


class _List:
    def __init__(self, ordered: bool, number: int) -> None:
        self.ordered, self.number = ordered, number
        self.width = 3 if ordered else 2
        self.marker = ""

    def next(self) -> str:
        self.number += 1
        return f"{self.number - 1}. " if self.ordered else "- "


def _tidy(text: str) -> str:
    lines = (re.sub(r"[ \t]+", " ", line).strip() for line in text.split("\n"))
    return re.sub(r"``", "", "\n".join(line for line in lines if line))
