"""Reads Markdown: CommonMark with tables, front matter, and what documentation generators add."""

import re
from collections.abc import Iterator
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from docbot.content import ReadDocument
from docbot.reading.structure.blocks import assemble
from docbot.reading.structure.encodings import decode
from docbot.reading.structure.lines import breaks
from docbot.reading.structure.markup import blocks_of, parse

FRONT_MATTER = re.compile(r"\A(---|\+\+\+)[ \t]*\n(.*?)\n(?:\1|\.\.\.)[ \t]*(?:\n|\Z)", re.S)
FIELD = re.compile(r"^(title|lang|language|locale)[ \t]*[:=][ \t]*(.+?)[ \t]*$", re.M | re.I)
HEADING_ID = re.compile(r"^(#{1,6} .*?)[ \t]*\{[#:.][^}\n]*\}[ \t]*$")
# `:::tip` of Docusaurus, `> [!NOTE]` of GitHub, `{: .class}` of Jekyll, `[[toc]]`; imports of MDX.
MARK = re.compile(
    r"[ \t]*(?::{3,}.*|>[ \t]*\[![A-Z]+\][ \t]*|\{:[^}]*\}[ \t]*|\[\[?_?toc_?\]?\]"
    r"|(?:import|export)[ ].+from ['\"].*)$",
    re.I,
)
ADMONITION = re.compile(r"(?:!!!|\?\?\?\+?|===)[ \t]+(?:\w+|\".*\").*$")  # of MkDocs; its text is indented below it
FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
# Of Markdown Extra: a term, and ": …" below it.
DEFINITION = re.compile(r"^(?! |[-*+#>|`~:])(\S[^\n]*)\n:[ \t]+(?=\S)", re.M)
LANGUAGE = re.compile(r"[a-z]{2}\b")


def read(content: bytes, name: str) -> ReadDocument:
    text = decode(content)
    fields: dict[str, str] = {}
    front = FRONT_MATTER.match(text)
    if front:
        fields = {key.lower(): value.strip("\"'") for key, value in FIELD.findall(front.group(2))}
        text = text[front.end() :]
    text = DEFINITION.sub(r"- \1: ", text)
    tokens = _parser().parse("\n".join(_without_marks(text.split("\n"))))
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


def _without_marks(lines: list[str]) -> Iterator[str]:
    """Return the lines without what only a documentation generator reads; code stays as it is."""
    fence = ""
    is_inside = False  # of an admonition
    for line in lines:
        if is_inside and line.startswith("    "):
            line = line[4:]
        elif line.strip():
            is_inside = False
        if found := FENCE.match(line):
            fence = "" if fence and found[1].startswith(fence) else fence or found[1]
        elif not fence:
            if ADMONITION.match(line):
                is_inside = True
                continue
            line = "" if MARK.match(line) else HEADING_ID.sub(r"\1", line)
        yield line


@cache
def _parser() -> MarkdownIt:
    # HTML is let through here, because tables and <details> are often written in it: markup.py takes only its text.
    return MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def _keep_meant_breaks(tokens: list[Token]) -> None:
    """Make those line breaks of a paragraph hard that weren't made for the page's width."""
    for token in tokens:
        if token.type != "inline" or "\n" not in token.content:
            continue
        meant = iter(breaks([line.strip() for line in token.content.split("\n")]))
        for child in token.children or ():
            if child.type in ("softbreak", "hardbreak") and next(meant, False):
                child.type, child.tag = "hardbreak", "br"
