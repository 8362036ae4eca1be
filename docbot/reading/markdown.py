"""Reads Markdown: CommonMark with tables, front matter, and what documentation generators add."""

import re
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from docbot.content import ReadDocument
from docbot.reading.blocks import assemble
from docbot.reading.encodings import decode
from docbot.reading.lines import breaks
from docbot.reading.markup import blocks_of, parse

FRONT_MATTER = re.compile(r"\A(---|\+\+\+)[ \t]*\n(.*?)\n(?:\1|\.\.\.)[ \t]*(?:\n|\Z)", re.S)
FIELD = re.compile(r"^(title|lang|language|locale)[ \t]*[:=][ \t]*(.+?)[ \t]*$", re.M | re.I)
HEADING_ID = re.compile(r"^(#{1,6} .*?)[ \t]*\{[#:.][^}\n]*\}[ \t]*$", re.M)
# `:::tip` of Docusaurus, `!!! note` of MkDocs, `> [!NOTE]` of GitHub, `[[toc]]`; imports of MDX.
GENERATOR = re.compile(
    r"^[ \t]*(?::{3,}.*|!!![ \t]+\w+.*|>[ \t]*\[![A-Z]+\][ \t]*|\[\[?_?toc_?\]?\]|(?:import|export)[ ].+from ['\"].*)$",
    re.M | re.I,
)
LANGUAGE = re.compile(r"[a-z]{2}\b")


def read(content: bytes, name: str) -> ReadDocument:
    text = decode(content)
    fields: dict[str, str] = {}
    front = FRONT_MATTER.match(text)
    if front:
        fields = {key.lower(): value.strip("\"'") for key, value in FIELD.findall(front.group(2))}
        text = text[front.end() :]
    text = GENERATOR.sub("", HEADING_ID.sub(r"\1", text))
    tokens = _parser().parse(text)
    _keep_meant_breaks(tokens)
    root = parse(_parser().renderer.render(tokens, _parser().options, {}))
    language = fields.get("lang") or fields.get("language") or fields.get("locale") or ""
    known = LANGUAGE.match(language.lower())
    return assemble(
        blocks_of(root) if root is not None else [],
        name=name,
        declared=fields.get("title", ""),
        language=known.group() if known else "",
    )


@cache
def _parser() -> MarkdownIt:
    # HTML is let through here, because tables and <details> are often written in it: markup.py takes only its text.
    return MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def _keep_meant_breaks(tokens: list[Token]) -> None:
    """Makes those line breaks of a paragraph hard that weren't made for the width of the page."""
    for token in tokens:
        if token.type != "inline" or "\n" not in token.content:
            continue
        meant = iter(breaks([line.strip() for line in token.content.split("\n")]))
        for child in token.children or ():
            if child.type in ("softbreak", "hardbreak") and next(meant, False):
                child.type, child.tag = "hardbreak", "br"
