"""Reads web pages: their main content, without what surrounds it on every page of a site."""

from __future__ import annotations

import copy
import re

from lxml import etree

from docbot.content import ReadDocument
from docbot.reading import Unreadable
from docbot.reading.structure.blocks import Block, Heading, Table, assemble, row_text
from docbot.reading.structure.encodings import decode, in_utf8
from docbot.reading.structure.markup import blocks_of, parse, text_of

AROUND = (
    "//nav | //footer | //aside | //form[not(.//p)] | //*[@role='navigation' or @role='banner' or @role='contentinfo' "
    "or @role='search' or @role='complementary' or @role='dialog'] | //header[not(.//h1) and not(ancestor::article)]"
)
NAMED_AROUND = re.compile(
    r"(?:^|[-_ ])(?:cookie|consent|breadcrumbs?|navbar|nav|menu|sidebar|footer|share|social|skip-link|pagination|toc)"
    r"(?:$|[-_ ])",
    re.I,
)
MAIN = "//main | //*[@role='main'] | //article | //*[@id='content' or @id='main' or @id='main-content']"
ENOUGH = 0.6  # of the words, the headings and the tables: what trafilatura must keep
MAIN_SHARE = 0.5  # of the page's words: what a main element must hold to be taken for all of it
CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([a-zA-Z0-9_\-]+)|<\?xml[^>]*encoding=["']([^"']+)""")
SITE_NAME = re.compile(r"\s+[|·•—–»-]\s+[^|·•—–»]{1,60}$")


def read(content: bytes, name: str) -> ReadDocument:
    page = parsed(content)
    if page is None:
        raise Unreadable("there is no text in it")
    language, declared = _language(page), _declared_title(page)
    _without_surroundings(page)
    main = _main(page)
    # What the page itself marks as its content is taken as it stands. Else trafilatura looks for it.
    chosen = blocks_of(main) if main is not None else _better(blocks_of(page), _by_trafilatura(page))
    return assemble(chosen, name=name, declared=declared, language=language)


def parsed(content: bytes) -> etree._Element | None:
    """Return the tree of a page, decoded by its byte order mark, what it declares, or a guess; None if it is empty."""
    said = CHARSET.search(content[:4096])
    charset = (said.group(1) or said.group(2)).decode("ascii", "replace") if said else ""
    return parse(decode(in_utf8(content, charset)))


def _language(page: etree._Element) -> str:
    language = (page.get("lang") or page.get("{http://www.w3.org/XML/1998/namespace}lang") or "").lower()
    return language[:2] if re.match(r"[a-z]{2}(?:\b|_)", language) else ""


def _declared_title(page: etree._Element) -> str:
    """Return what the page calls itself, without the site's name after it."""
    said = page.xpath("string(//meta[@property='og:title']/@content)").strip()
    title = " ".join(page.xpath("string(//title)").split())
    return said or SITE_NAME.sub("", title) or title


def _without_surroundings(page: etree._Element) -> None:
    """Remove navigation and the like from the page."""
    before = _words(text_of(page))
    for element in page.xpath(AROUND):
        if element.getparent() is not None:
            element.drop_tree()
    for element in page.xpath("//div[@class or @id] | //ul[@class or @id] | //section[@class or @id]"):
        label = f"{element.get('class') or ''} {element.get('id') or ''}"
        # A page may well be wrapped in an element with such a name.
        if NAMED_AROUND.search(label) and _words(text_of(element)) < 0.3 * before:
            element.drop_tree()


def _main(page: etree._Element) -> etree._Element | None:
    """Return the element that is marked as the main one, if it holds most of the text."""
    found = max(page.xpath(MAIN), key=lambda element: _words(text_of(element)), default=None)
    if found is None or _words(text_of(found)) < MAIN_SHARE * _words(text_of(page)):
        return None
    return found


def _by_trafilatura(page: etree._Element) -> list[Block]:
    import trafilatura
    from trafilatura.htmlprocessing import convert_to_html

    found = trafilatura.bare_extraction(
        etree.tostring(page, encoding="unicode", method="html"),
        include_comments=False,
        include_tables=True,
        include_formatting=True,
        favor_recall=True,
    )
    if found is None or found.body is None:
        return []
    return blocks_of(convert_to_html(copy.deepcopy(found.body)))


def _better(plain: list[Block], extracted: list[Block]) -> list[Block]:
    """Trafilatura's choice, unless it has lost too much: it drops every heading of many FAQ pages, and some tables."""
    kept = zip(_size(extracted), _size(plain), strict=True)
    return extracted if all(left >= ENOUGH * there for left, there in kept) else plain


def _size(blocks: list[Block]) -> tuple[int, int, int]:
    """Return how many words, headings and tables it has."""
    tables = [block for block in blocks if isinstance(block, Table)]
    words = sum(_words(block.text) for block in blocks if not isinstance(block, Table))
    words += sum(_words(row_text((), row)) for table in tables for row in table.rows)
    return words, sum(isinstance(block, Heading) for block in blocks), len(tables)


def _words(text: str) -> int:
    return len(text.split())
